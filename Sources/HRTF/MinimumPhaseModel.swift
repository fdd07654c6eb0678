import Geometry

/// A set of responses taken apart into what can be interpolated: the magnitude of each ear and the
/// delay of each ear.
///
/// Blending responses whose onsets differ filters them like a comb; magnitudes and delays blend
/// without harm.
struct MinimumPhaseModel: Sendable {
  /// Hz.
  let sampleRate: Double
  /// Samples of the transform behind the magnitudes.
  let transformSize: Int
  /// Unit vectors of the directions.
  let directions: [Vector3]
  /// Nepers: direction, ear, bin.
  let logMagnitudes: [Float]
  /// Samples from the start of the response to the onset of its minimum-phase part, Data.Delay
  /// included: direction, ear.
  let onsets: [Double]

  /// Bins of one magnitude.
  var binCount: Int { transformSize / 2 + 1 }

  /// Takes a set apart.
  init(_ set: HRIRSet) {
    var size = 1024
    while size < 4 * set.length { size *= 2 }
    let fft = RealFFT(size: size)
    let delay = ExcessDelay(sampleRate: set.sampleRate, fft: fft)
    var magnitudes: [Float] = []
    magnitudes.reserveCapacity(set.directions.count * 2 * (size / 2 + 1))
    var onsets: [Double] = []
    for direction in set.directions.indices {
      let measured = (0...1).map { fft.forward(set.response(direction, ear: $0)) }
      let minimum = measured.map { spectrum in
        let magnitude = spectrum.logMagnitude
        magnitudes += magnitude
        return Spectrum(
          logMagnitude: magnitude, phase: MinimumPhase.phase(ofLogMagnitude: magnitude, fft))
      }
      let given = (0...1).map { Double(set.delay(direction, ear: $0)) }
      let found = delay.samples(measured: measured, minimum: minimum, offset: given[0] - given[1])
      onsets += [found.left + given[0], found.right + given[1]]
    }
    sampleRate = set.sampleRate
    transformSize = size
    directions = set.directions.map(\.unitVector)
    logMagnitudes = magnitudes
    self.onsets = onsets
  }

  /// The magnitude of one ear in a measured direction.
  func logMagnitude(_ direction: Int, ear: Int) -> [Float] {
    let start = (direction * 2 + ear) * binCount
    return Array(logMagnitudes[start..<start + binCount])
  }

  /// Magnitude and onset of one ear as a weighted mean of measured directions.
  func mean(_ weights: [SphericalInterpolation.Weight], ear: Int) -> (
    logMagnitude: [Float], onset: Double
  ) {
    var magnitude = [Float](repeating: 0, count: binCount)
    var onset = 0.0
    for weight in weights {
      let start = (weight.index * 2 + ear) * binCount
      let factor = Float(weight.value)
      for bin in 0..<binCount { magnitude[bin] += factor * logMagnitudes[start + bin] }
      onset += weight.value * onsets[weight.index * 2 + ear]
    }
    return (magnitude, onset)
  }
}
