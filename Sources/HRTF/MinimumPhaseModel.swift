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
    let size = Self.transformSize(for: set.length)
    let width = size + 2
    var onsets: [[Double]] = []
    // Written in place: of a dense set the magnitudes are most of what is held in memory.
    logMagnitudes = [Float](unsafeUninitializedCapacity: set.directions.count * width) {
      buffer, count in
      nonisolated(unsafe) let buffer = buffer
      onsets = parallelMap(set.directions.count, worker: { Analysis(set, size: size) }) {
        analysis, direction in
        let parts = analysis.parts(of: set, direction)
        _ = UnsafeMutableBufferPointer(
          rebasing: buffer[direction * width..<(direction + 1) * width]
        ).initialize(from: parts.magnitudes)
        return parts.onsets
      }
      count = buffer.count
    }
    sampleRate = set.sampleRate
    transformSize = size
    directions = set.directions.map(\.unitVector)
    self.onsets = onsets.flatMap { $0 }
  }

  /// A power of two at least four times as long as a response, so that its cepstrum has room.
  private static func transformSize(for length: Int) -> Int { RealFFT.size(atLeast: 4 * length) }

  /// What takes the responses of a direction apart.
  private final class Analysis {
    private let fft: RealFFT
    private let delay: ExcessDelay

    init(_ set: HRIRSet, size: Int) {
      fft = RealFFT(size: size)
      delay = ExcessDelay(sampleRate: set.sampleRate, fft: fft)
    }

    /// Magnitudes and onsets of both ears.
    func parts(of set: HRIRSet, _ direction: Int) -> (magnitudes: [Float], onsets: [Double]) {
      let measured = (0...1).map { fft.forward(set.response(direction, ear: $0)) }
      let magnitudes = measured.map(\.logMagnitude)
      let minimum = magnitudes.map { magnitude in
        Spectrum(
          logMagnitude: magnitude, phase: MinimumPhase.phase(ofLogMagnitude: magnitude, fft))
      }
      let given = (0...1).map { Double(set.delay(direction, ear: $0)) }
      let found = delay.samples(measured: measured, minimum: minimum, offset: given[0] - given[1])
      return (magnitudes.flatMap { $0 }, [found.left + given[0], found.right + given[1]])
    }
  }

  private init(
    sampleRate: Double, transformSize: Int, directions: [Vector3], logMagnitudes: [Float],
    onsets: [Double]
  ) {
    self.sampleRate = sampleRate
    self.transformSize = transformSize
    self.directions = directions
    self.logMagnitudes = logMagnitudes
    self.onsets = onsets
  }

  /// The set at another sampling rate.
  ///
  /// Magnitudes are read at the frequencies of the new bins, which needs no filter and so has no
  /// ripple; above what was measured they stay as they are just below it. Onsets are times.
  func resampled(to rate: Double) -> MinimumPhaseModel {
    guard rate != sampleRate else { return self }
    var size = transformSize
    while Double(size) / rate < Double(transformSize) / sampleRate { size *= 2 }
    let step = rate / Double(size) / (sampleRate / Double(transformSize))
    // Measuring systems fade out towards half their rate.
    let highest = 0.95 * Double(binCount - 1)
    let places = (0...size / 2).map { min(Double($0) * step, highest) }
    var magnitudes: [Float] = []
    magnitudes.reserveCapacity(onsets.count * places.count)
    for response in onsets.indices {
      let start = response * binCount
      for place in places {
        let bin = min(Int(place), binCount - 2)
        let part = Float(place - Double(bin))
        magnitudes.append(
          (1 - part) * logMagnitudes[start + bin] + part * logMagnitudes[start + bin + 1])
      }
    }
    return MinimumPhaseModel(
      sampleRate: rate, transformSize: size, directions: directions, logMagnitudes: magnitudes,
      onsets: onsets.map { $0 * rate / sampleRate })
  }

  /// The magnitude of one ear in a measured direction.
  func logMagnitude(_ direction: Int, ear: Int) -> [Float] {
    let start = (direction * 2 + ear) * binCount
    return Array(logMagnitudes[start..<start + binCount])
  }

  /// The magnitude of one ear as a weighted mean of measured directions.
  func mean(_ weights: [SphericalInterpolation.Weight], ear: Int) -> [Float] {
    var magnitude = [Float](repeating: 0, count: binCount)
    for weight in weights {
      let start = (weight.index * 2 + ear) * binCount
      let factor = Float(weight.value)
      for bin in 0..<binCount { magnitude[bin] += factor * logMagnitudes[start + bin] }
    }
    return magnitude
  }

  /// The onset of one ear as a weighted mean of measured directions.
  func onset(_ weights: [SphericalInterpolation.Weight], ear: Int) -> Double {
    weights.reduce(0) { $0 + $1.value * onsets[$1.index * 2 + ear] }
  }
}
