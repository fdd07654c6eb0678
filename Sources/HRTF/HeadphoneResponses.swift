public import Files

/// Responses of headphones at both ears, of the SOFA convention SimpleHeadphoneIR (AES69-2022), or a filter
/// for them that was stored so.
public struct HeadphoneResponses: Sendable {
  /// Hz.
  public let sampleRate: Double
  private let length: Int
  /// Measurement, ear (left, right), sample; the headphones were put on anew for each measurement.
  private let samples: [Float]
  private let measurementCount: Int

  /// Reads a file.
  ///
  /// - Throws: `FileError` if it is no such file, or its ears have different delays.
  public init(path: String) throws(FileError) {
    let content = try SOFAFile.content(path)
    let convention = content.attribute("SOFAConventions")
    guard convention == "SimpleHeadphoneIR" else {
      throw FileError(
        .unsupported, file: path, place: "SOFAConventions",
        "\"\(convention)\" is not SimpleHeadphoneIR")
    }
    guard content.size("R") == 2 else {
      throw content.fault("R", "\(content.size("R")) receivers where two ears are needed")
    }
    guard (1...1 << 16).contains(content.size("M")) else {
      throw content.fault("M", "\(content.size("M")) measurements")
    }
    if let delay = content.variables["Data.Delay"]?.values,
      delay.contains(where: { $0 != delay[0] })
    {
      throw content.fault("Data.Delay", "the ears' delays differ")
    }
    let set = try content.measured(rows: content.size("M"))
    guard set.samples.contains(where: { $0 != 0 }), set.samples.allSatisfy({ abs($0) < 1e6 })
    else { throw content.fault("Data.IR", "is no response: all 0, or over 1000000") }
    (sampleRate, length, samples) = (set.sampleRate, set.length, set.samples)
    measurementCount = content.size("M")
  }

  /// One measurement of one ear, which stands for both.
  public init(sampleRate: Double, response: [Float]) {
    self.sampleRate = sampleRate
    length = response.count
    samples = response + response
    measurementCount = 1
  }

  /// The first measurement of an ear (0 left, 1 right), as it stands.
  public func first(ear: Int) -> [Float] { Array(samples[(ear * length)..<((ear + 1) * length)]) }

  /// A minimum-phase filter that undoes the mean power of an ear's measurements; see `InverseFilter`.
  public func inverse(ear: Int) -> [Float] {
    let fft = RealFFT(size: RealFFT.size(atLeast: max(4096, 2 * length)))
    var power = [Double](repeating: 0, count: fft.size / 2 + 1)
    for measurement in 0..<measurementCount {
      let start = (2 * measurement + ear) * length
      let spectrum = fft.forward(samples[start..<start + length])
      for bin in power.indices {
        let (re, im) = (Double(spectrum.real[bin]), Double(spectrum.imaginary[bin]))
        power[bin] += (re * re + im * im) / Double(measurementCount)
      }
    }
    return InverseFilter.taps(power: power, sampleRate: sampleRate)
  }
}
