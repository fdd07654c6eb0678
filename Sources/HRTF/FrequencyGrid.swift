import Files

/// The frequencies at which a file has transfer functions, if responses can be made of them: evenly
/// spaced from 0, or from one step above it, to half of a sampling rate.
struct FrequencyGrid {
  /// The rate of the responses, Hz: twice the highest frequency.
  let sampleRate: Double
  /// Samples of a response.
  let length: Int
  private let hasZero: Bool

  /// Checks frequencies in Hz.
  ///
  /// - Throws: `FileError` that says why they do not do.
  init(_ frequencies: [Float], of content: SOFAContent) throws(FileError) {
    func refusal(_ cause: String) -> FileError {
      FileError(
        .unsupported, file: content.path, place: "N",
        "transfer functions \(cause) give no responses")
    }
    let values = frequencies.map(Double.init)
    guard values.count >= 8, let first = values.first, let last = values.last else {
      throw refusal("at \(values.count) frequencies")
    }
    let step = (last - first) / Double(values.count - 1)
    guard step > 0,
      values.indices.allSatisfy({ abs(values[$0] - first - Double($0) * step) < 0.02 * step })
    else { throw refusal("at frequencies that are not evenly spaced") }
    hasZero = abs(first) < 0.02 * step
    guard hasZero || abs(first - step) < 0.02 * step else {
      throw refusal("from \(Int(first)) Hz, in steps of \(Int(step)) Hz,")
    }
    guard last >= 8000 else { throw refusal("that end at \(Int(last)) Hz") }
    sampleRate = 2 * last
    length = 2 * (hasZero ? values.count - 1 : values.count)
  }

  /// The half spectrum of one response.
  ///
  /// What is missing at 0 gets the level of the next frequency, and the sign to which the phases of the
  /// next two lead.
  func spectrum(real: [Float], imaginary: [Float]) -> Spectrum {
    guard !hasZero else { return Spectrum(real: real, imaginary: imaginary) }
    let (a, b) = (real[0], imaginary[0])
    let magnitude = (a * a + b * b).squareRoot()
    let sign: Float = (a * a - b * b) * real[1] + 2 * a * b * imaginary[1] < 0 ? -1 : 1
    return Spectrum(real: [sign * magnitude] + real, imaginary: [0] + imaginary)
  }

  /// Responses that begin before time 0, as computed ones do that count from the middle of the head, end
  /// up with their beginning at the end: all are turned round by an eighth of their length if they
  /// have over 1 % of their energy there.
  func startingInTime(_ samples: [Float]) -> [Float] {
    let shift = length / 8
    var (late, whole) = (0.0, 0.0)
    for (index, sample) in samples.enumerated() {
      let energy = Double(sample) * Double(sample)
      whole += energy
      if index % length >= length - shift { late += energy }
    }
    guard late > 0.01 * whole else { return samples }
    return samples.indices.map { index in
      let position = index % length
      return samples[index - position + (position + length - shift) % length]
    }
  }
}
