import Geometry
import Glibc

/// Finds by how much one response comes later than another in the band below 1.6 kHz, where the ear
/// reads interaural time differences (Wightman and Kistler, J. Acoust. Soc. Am. 91 (1992)): the
/// maximum of the cross-correlation of both, each through a Butterworth low-pass of the fourth order
/// forwards and backwards (Katz and Noisternig, J. Acoust. Soc. Am. 135 (2014), compare such methods).
struct LowBandCorrelation {
  private let size: Int
  private let weights: [Float]

  /// Prepares for spectra of a transform at a sampling rate.
  init(sampleRate: Double, fft: RealFFT) {
    size = fft.size
    weights = Self.weights(below: 1600, sampleRate: sampleRate, fft: fft)
  }

  /// What two such filters, each applied twice, do to a cross-spectrum.
  static func weights(below hertz: Double, sampleRate: Double, fft: RealFFT) -> [Float] {
    (0...fft.size / 2).map { bin in
      let ratio = Double(bin) * sampleRate / Double(fft.size) / hertz
      return Float(1 / pow(1 + pow(ratio, 8), 2))
    }
  }

  /// The delay, within `reach` of `centre`, at which two responses correlate most below 1.6 kHz: on a
  /// grid of half a sample, then by Newton's method on the band-limited correlation.
  func delay(
    of response: Spectrum, against reference: Spectrum, near centre: Double, reach: Double
  ) -> Double {
    let cross = response.crossed(with: reference, weight: weights)
    let bins = (weights.lastIndex { $0 > 1e-5 } ?? 0) + 1
    let unit = 2 * Double.pi / Double(size)
    /// The correlation and its first and second derivatives.
    func correlation(_ delay: Double) -> Vector3 {
      // One rotation a bin instead of a sine and cosine a bin.
      let (stepCosine, stepSine) = (cos(unit * delay), sin(unit * delay))
      var (c, s) = (1.0, 0.0)
      var sum = Vector3(Double(cross.real[0]) / 2, 0, 0)
      for bin in 1..<bins {
        (c, s) = (c * stepCosine - s * stepSine, s * stepCosine + c * stepSine)
        let (re, im) = (Double(cross.real[bin]), Double(cross.imaginary[bin]))
        let (value, quadrature) = (re * c - im * s, re * s + im * c)
        let frequency = unit * Double(bin)
        sum += Vector3(value, -frequency * quadrature, -frequency * frequency * value)
      }
      return sum
    }
    let steps = Int((reach * 2).rounded())
    let values = (-steps...steps).map { correlation(centre + Double($0) / 2).x }
    let best = values.indices.max { values[$0] < values[$1] } ?? steps
    var delay = centre + Double(best - steps) / 2
    for _ in 0..<4 {
      let derivatives = correlation(delay)
      guard derivatives.z < 0 else { break }
      delay -= max(-0.5, min(0.5, derivatives.y / derivatives.z))
    }
    return delay
  }
}
