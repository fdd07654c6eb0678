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
  /// those (`BlendCorrection`). Gain and overall delay differences between directions stay as
  /// measured.
  ///
  /// - Parameter rate: Hz; nil for the set's own.
  public init(converting set: HRIRSet, sampleRate rate: Int? = nil) {
    let rate = rate ?? Int(set.sampleRate.rounded())
    let model = MinimumPhaseModel(set).resampled(to: Double(rate))
    let grid = OpenALGrid(fitting: set.directions)
    let interpolation = SphericalInterpolation(model.directions)
    let weights = grid.nodes.map { interpolation.weights(at: $0.unitVector) }
    let onsets = weights.map { weights in
      (0...1).map { ear in
        weights.reduce(0) { $0 + $1.value * model.onsets[$1.index * 2 + ear] }
      }
    }
    let earliest = onsets.joined().min() ?? 0
    let shares = set.directions.map(grid.shares)
    let whole = Self.wholeDelays(onsets, model.onsets, shares: shares, earliest: earliest)
    let correction = BlendCorrection(
      shares: shares, interpolation: weights, tapCount: Self.longestResponse)
    let fft = RealFFT(size: model.transformSize)
    let fit = TapFit(sampleRate: model.sampleRate, tapCount: Self.longestResponse, fft: fft)
    let steps = set.directions.count > Self.mostFitted ? 0 : 2
    var taps = [Float](repeating: 0, count: weights.count * Self.longestResponse * 2)
    for ear in 0...1 {
      var nodes: [Float] = []
      for (node, weights) in weights.enumerated() {
        let late = min(onsets[node][ear] - earliest - whole[node][ear], Self.latest)
        let response = Self.response(
          model.mean(weights, ear: ear).logMagnitude, delay: Self.lead + late, fft)
        nodes += fft.inverse(response).prefix(Self.longestResponse)
      }
      var targets: [Float] = []
      for direction in set.directions.indices {
        // OpenAL rounds the blend of the delays.
        let delay = shares[direction].reduce(0) { $0 + $1.weight * whole[$1.node][ear] }
          .rounded(.toNearestOrEven)
        let late = model.onsets[direction * 2 + ear] - earliest - delay
        let response = Self.response(
          model.logMagnitude(direction, ear: ear), delay: Self.lead + late, fft)
        targets += fit.taps(for: response, steps: steps)
      }
      correction.apply(to: &nodes, measured: targets)
      for index in nodes.indices { taps[index * 2 + ear] = nodes[index] }
    }
    sampleRate = rate
    let distances = set.directions.map(\.distance).sorted()
    let millimetres = Int((distances[distances.count / 2] * 1000).rounded())
    distance = max(Self.distanceLimits.lowerBound, min(Self.distanceLimits.upperBound, millimetres))
    self.grid = grid
    tapCount = Self.longestResponse
    self.taps = taps
    delays = whole.joined().map { UInt8($0) }
  }

  /// The delay in whole samples of each node and ear.
  ///
  /// OpenAL rounds the blend of four delays. The nodes around a measured direction share its delay, so
  /// that there is nothing to round there; the steps from one delay to the next lie in between.
  private static func wholeDelays(
    _ onsets: [[Double]], _ measured: [Double], shares: [[OpenALGrid.Share]], earliest: Double
  ) -> [[Double]] {
    var delays = onsets
    var greatest = [Double](repeating: 0, count: onsets.count)
    for (direction, shares) in shares.enumerated() {
      for share in shares where share.weight > greatest[share.node] {
        greatest[share.node] = share.weight
        delays[share.node] = [measured[direction * 2], measured[direction * 2 + 1]]
      }
    }
    return delays.map { ears in
      ears.map { max(0, min($0 - earliest, Double(longestDelay))).rounded(.down) }
    }
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
