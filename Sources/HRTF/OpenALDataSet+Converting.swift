import Geometry
import Glibc

extension OpenALDataSet {
  /// Taps before the onset: room for nodes that are earlier than their whole delay, and for the ripple
  /// that a fraction of a sample of delay needs.
  private static let lead = 2.0
  /// Samples that a response may be later than its whole delay: at high rates the longest delay that
  /// OpenAL knows is shorter than the time between the ears, and the rest goes into the taps.
  private static let latest = 96.0
  /// Measured directions up to which responses are fitted tap by tap, which takes about a millisecond
  /// a response; beyond, the grid is far coarser than the measurement.
  private static let mostFitted = 5000

  /// Converts measured responses.
  ///
  /// Each node gets the minimum-phase response of its magnitude behind its onset: the whole samples
  /// go into the delay that OpenAL knows, the fraction into the taps. Magnitudes and onsets are
  /// interpolated apart (`SphericalInterpolation`); responses at measured directions are fitted to
  /// the measured spectrum (`TapFit`), and the nodes changed so that OpenAL's blend of them is just
  /// those (`BlendCorrection`). Gain stays as measured.
  ///
  /// - Parameter rate: Hz; nil for the set's own.
  public init(converting set: HRIRSet, sampleRate rate: Int? = nil) {
    let rate = rate ?? Int(set.sampleRate.rounded())
    let shell = MeasuredShell(set, sampleRate: rate)
    self.init(converting: shell, sampleRate: rate, from: shell.reference)
  }

  /// Converts what was measured at one distance.
  init(converting shell: MeasuredShell, sampleRate rate: Int, from reference: EarDelays.Reference) {
    let (model, grid, shares) = (shell.model, shell.grid, shell.shares)
    let interpolation = SphericalInterpolation(model.directions)
    let weights = grid.nodes.map { interpolation.weights(at: $0.unitVector) }
    let delays = EarDelays(
      nodes: weights.map { [model.onset($0, ear: 0), model.onset($0, ear: 1)] },
      measured: shell.onsets, shares: shares, from: reference)
    let correction = BlendCorrection(
      shares: shares, interpolation: weights, tapCount: Self.longestResponse)
    let steps = shares.count > Self.mostFitted ? 0 : 2
    var taps = [Float](repeating: 0, count: weights.count * Self.longestResponse * 2)
    for ear in 0...1 {
      var nodes = parallelMap(weights.count, worker: { RealFFT(size: model.transformSize) }) {
        fft, node in
        let late = min(delays.nodes[node][ear] - delays.whole[node][ear], Self.latest)
        let response = Self.response(
          model.mean(weights[node], ear: ear), delay: Self.lead + late, fft)
        return fft.inverse(response).prefix(Self.longestResponse)
      }.flatMap { $0 }
      let targets = parallelMap(shares.count, worker: { TapFit(model, steps: steps) }) {
        fit, direction in
        let late = delays.measured[direction][ear] - delays.blended(shares[direction], ear: ear)
        return fit.taps(
          for: Self.response(
            model.logMagnitude(direction, ear: ear), delay: Self.lead + late, fit.fft))
      }.flatMap { $0 }
      correction.apply(to: &nodes, measured: targets)
      for index in nodes.indices { taps[index * 2 + ear] = nodes[index] }
    }
    sampleRate = rate
    distance = shell.distance
    self.grid = grid
    tapCount = Self.longestResponse
    self.taps = taps
    self.delays = delays.whole.joined().map { UInt8($0) }
  }

  /// Responses for a distance at which nothing was measured, of those of other distances.
  ///
  /// - Parameters:
  ///   - changes: What leads from each measured distance to this one, and its share; the shares' sum
  ///     is 1.
  ///   - distance: Metres.
  init(
    changed changes: [(change: DistanceChange, share: Double)], distance: Double,
    transformSize: Int, sampleRate: Int, grid: OpenALGrid, from reference: EarDelays.Reference
  ) {
    let nodes = grid.nodes.map(\.unitVector)
    let responses = parallelMap(nodes.count, worker: { 0 }) { _, node in
      (0...1).map { ear in
        var sum = DistanceChange.Response(
          logMagnitude: [Float](repeating: 0, count: transformSize / 2 + 1), onset: 0)
        for (change, share) in changes {
          let part = change.response(nodes[node], ear: ear)
          for bin in sum.logMagnitude.indices {
            sum.logMagnitude[bin] += Float(share) * part.logMagnitude[bin]
          }
          sum.onset += share * part.onset
        }
        return sum
      }
    }
    let delays = EarDelays(
      nodes: responses.map { [$0[0].onset, $0[1].onset] }, measured: [], shares: [],
      from: reference)
    self.sampleRate = sampleRate
    self.distance = distance
    self.grid = grid
    tapCount = Self.longestResponse
    taps = parallelMap(nodes.count, worker: { RealFFT(size: transformSize) }) { fft, node in
      let ears = (0...1).map { ear in
        let late = min(delays.nodes[node][ear] - delays.whole[node][ear], Self.latest)
        return fft.inverse(
          Self.response(
            responses[node][ear].logMagnitude, delay: Self.lead + late, fft))
      }
      return (0..<Self.longestResponse).flatMap { [ears[0][$0], ears[1][$0]] }
    }.flatMap { $0 }
    self.delays = delays.whole.joined().map { UInt8($0) }
  }

  /// The spectrum of the minimum-phase response of a magnitude, a number of samples late.
  private static func response(
    _ logMagnitude: [Float], delay: Double, _ fft: RealFFT
  ) -> Spectrum {
    let minimum = MinimumPhase.phase(ofLogMagnitude: logMagnitude, fft)
    let turn = -2 * Double.pi * delay / Double(fft.size)
    let phase = minimum.enumerated().map { $0.element + Float(turn * Double($0.offset)) }
    return Spectrum(logMagnitude: logMagnitude, phase: phase)
  }
}
