import Geometry
import Glibc

extension OpenALDataSet {
  /// Taps before the onset: room for the ripple that a fraction of a sample of delay needs before
  /// the first tap.
  private static let lead = 4

  /// Converts measured responses.
  ///
  /// Each node gets the minimum-phase response of its magnitude behind its onset: the whole samples
  /// go into the delay that OpenAL knows, the fraction into the taps. Nodes on a measured direction
  /// take it as it is; the others take magnitudes and onsets interpolated apart. Gain and overall
  /// delay differences between directions stay as measured.
  public init(converting set: HRIRSet) {
    let model = MinimumPhaseModel(set)
    let grid = OpenALGrid(fitting: set.directions)
    let interpolation = SphericalInterpolation(model.directions)
    let nodes = grid.nodes.map { interpolation.weights(at: $0.unitVector) }
    let onsets = nodes.flatMap { weights in
      (0...1).map { ear in
        weights.reduce(0) { $0 + $1.value * model.onsets[$1.index * 2 + ear] }
      }
    }
    let earliest = onsets.min() ?? 0
    let fft = RealFFT(size: model.transformSize)
    var taps = [Float](repeating: 0, count: nodes.count * Self.longestResponse * 2)
    var delays: [UInt8] = []
    for (node, weights) in nodes.enumerated() {
      for ear in 0...1 {
        let delay = min(onsets[node * 2 + ear] - earliest, Double(Self.longestDelay))
        let whole = delay.rounded(.down)
        let response = Self.response(
          model.mean(weights, ear: ear).logMagnitude, delay: Double(Self.lead) + delay - whole, fft)
        delays.append(UInt8(whole))
        for tap in 0..<Self.longestResponse {
          taps[(node * Self.longestResponse + tap) * 2 + ear] = response[tap]
        }
      }
    }
    sampleRate = Int(set.sampleRate.rounded())
    let distances = set.directions.map(\.distance).sorted()
    let millimetres = Int((distances[distances.count / 2] * 1000).rounded())
    distance = max(Self.distanceLimits.lowerBound, min(Self.distanceLimits.upperBound, millimetres))
    self.grid = grid
    tapCount = Self.longestResponse
    self.taps = taps
    self.delays = delays
  }

  /// The first taps of the minimum-phase response of a magnitude, a number of samples late.
  private static func response(
    _ logMagnitude: [Float], delay: Double, _ fft: RealFFT
  ) -> [Float] {
    let minimum = MinimumPhase.phase(ofLogMagnitude: logMagnitude, fft)
    let turn = -2 * Double.pi * delay / Double(fft.size)
    let phase = minimum.enumerated().map { $0.element + Float(turn * Double($0.offset)) }
    var response = fft.inverse(Spectrum(logMagnitude: logMagnitude, phase: phase))
    let fade = 16
    for step in 0..<fade {
      let ratio = (Float(step) + 0.5) / Float(fade)
      response[longestResponse - 1 - step] *= 0.5 - 0.5 * cosf(.pi * ratio)
    }
    return Array(response.prefix(longestResponse))
  }
}
