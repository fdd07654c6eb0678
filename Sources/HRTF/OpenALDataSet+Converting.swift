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
  /// Of the onsets only the time between the ears is kept: the nearer ear has no delay anywhere. So
  /// its response is never blended from two delays, and an outlier of the measurement moves nothing
  /// but itself.
  ///
  /// - Parameter rate: Hz; nil for the set's own.
  public init(converting set: HRIRSet, sampleRate rate: Int? = nil) {
    let rate = rate ?? Int(set.sampleRate.rounded())
    let model = MinimumPhaseModel(set).resampled(to: Double(rate))
    let grid = OpenALGrid(fitting: set.directions)
    let interpolation = SphericalInterpolation(model.directions)
    let weights = grid.nodes.map { interpolation.weights(at: $0.unitVector) }
    let onsets = weights.map { Self.fromFirst(model.onset($0, ear: 0), model.onset($0, ear: 1)) }
    let measuredOnsets = set.directions.indices.map {
      Self.fromFirst(model.onsets[2 * $0], model.onsets[2 * $0 + 1])
    }
    let shares = set.directions.map(grid.shares)
    let whole = Self.wholeDelays(onsets, measuredOnsets, shares: shares)
    let correction = BlendCorrection(
      shares: shares, interpolation: weights, tapCount: Self.longestResponse)
    let steps = set.directions.count > Self.mostFitted ? 0 : 2
    var taps = [Float](repeating: 0, count: weights.count * Self.longestResponse * 2)
    for ear in 0...1 {
      var nodes = parallelMap(weights.count, worker: { RealFFT(size: model.transformSize) }) {
        fft, node in
        let late = min(onsets[node][ear] - whole[node][ear], Self.latest)
        let response = Self.response(
          model.mean(weights[node], ear: ear), delay: Self.lead + late, fft)
        return fft.inverse(response).prefix(Self.longestResponse)
      }.flatMap { $0 }
      let targets = parallelMap(set.directions.count, worker: { TapFit(model, steps: steps) }) {
        fit, direction in
        // OpenAL rounds the blend of the delays.
        let delay = shares[direction].reduce(0) { $0 + $1.weight * whole[$1.node][ear] }
          .rounded(.toNearestOrEven)
        let late = measuredOnsets[direction][ear] - delay
        return fit.taps(
          for: Self.response(
            model.logMagnitude(direction, ear: ear), delay: Self.lead + late, fit.fft))
      }.flatMap { $0 }
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

  /// Onsets of both ears, counted from the earlier one.
  private static func fromFirst(_ left: Double, _ right: Double) -> [Double] {
    [max(0, left - right), max(0, right - left)]
  }

  /// The delay in whole samples of each node and ear.
  ///
  /// OpenAL rounds the blend of four delays. The nodes around a measured direction share its delay, so
  /// that there is nothing to round there, unless their own is too far off; the steps from one delay
  /// to the next lie in between.
  private static func wholeDelays(
    _ onsets: [[Double]], _ measured: [[Double]], shares: [[OpenALGrid.Share]]
  ) -> [[Double]] {
    func whole(_ onset: Double) -> Double { min(onset, Double(longestDelay)).rounded(.down) }
    var delays = onsets.map { $0.map(whole) }
    var greatest = [Double](repeating: 0, count: onsets.count)
    for (direction, shares) in shares.enumerated() {
      for share in shares where share.weight > greatest[share.node] {
        greatest[share.node] = share.weight
        for ear in 0...1 {
          let shared = whole(measured[direction][ear])
          if sharedLateness.contains(onsets[share.node][ear] - shared) {
            delays[share.node][ear] = shared
          }
        }
      }
    }
    return delays
  }

  /// Samples by which a node may be later than a delay that it shares: more, and its neighbours' taps
  /// would be so far apart that their blend is a comb filter.
  private static let sharedLateness = -0.5...1.5

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
