import Glibc

/// Auditory filters one ERB apart (B. R. Glasberg and B. C. J. Moore, Hear. Res. 47 (1990)), gammatone filters
/// of the fourth order (R. D. Patterson et al., APU report 2341, 1988), from 700 Hz to 18 kHz as in the model
/// of Barumerli et al. (2023).
struct AuditoryBands: Sendable {
  /// Centre frequencies, Hz.
  let centres: [Double]

  /// The bands that a sampling rate holds.
  init(sampleRate: Double) {
    let highest = min(18_000, 0.45 * sampleRate)
    func rate(_ frequency: Double) -> Double { 21.4 * log10(1 + 4.37e-3 * frequency) }
    let (low, high) = (rate(700), rate(highest))
    let count = max(1, Int(high - low))
    // What is left over stays at both ends alike.
    let first = low + (high - low - Double(count)) / 2
    centres = (0...count).map { (pow(10, (first + Double($0)) / 21.4) - 1) / 4.37e-3 }
  }

  /// The levels of the bands, dB, of a power spectrum.
  func levels(_ power: [Double], sampleRate: Double, size: Int) -> [Double] {
    let spacing = sampleRate / Double(size)
    return centres.map { centre in
      let width = 1.019 * 24.7 * (4.37e-3 * centre + 1)
      // Beyond this the filter lets less than 1e-5 of the power through.
      let reach = 4.1 * width
      let bins =
        max(
          1, Int((centre - reach) / spacing))...max(
          1, min(power.count - 1, Int((centre + reach) / spacing)))
      let sum = bins.reduce(0.0) { sum, bin in
        let distance = (Double(bin) * spacing - centre) / width
        let shape = 1 / (1 + distance * distance)
        return sum + power[bin] * shape * shape * shape * shape
      }
      return 10 * log10(sum + 1e-20)
    }
  }
}
