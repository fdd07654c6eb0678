import Geometry
import Glibc

/// How much later measured responses come than the minimum-phase responses of their magnitudes.
///
/// A head-related transfer function is nearly its minimum-phase part and a pure delay (Kulkarni,
/// Isabelle and Colburn, J. Acoust. Soc. Am. 105 (1999)). The difference between the ears' delays is
/// chosen so that the interaural cross-correlation below 1.6 kHz, where the ear reads interaural time
/// (Wightman and Kistler, J. Acoust. Soc. Am. 91 (1992)), has its maximum where the measurement has
/// it. The nearer ear's own delay, from the louder and so the safer response, places the pair.
struct ExcessDelay {
  private let fft: RealFFT
  /// Weights of the bins: below 3 kHz for the first search, below 1.6 kHz for time between the ears.
  private let wide: [Float]
  private let narrow: [Float]
  /// The longest time between the ears that is looked for, samples: 1.2 ms, beyond any head's.
  private let longest: Double

  /// Prepares the search at a sampling rate.
  init(sampleRate: Double, fft: RealFFT) {
    self.fft = fft
    func lowPass(_ hertz: Double) -> [Float] {
      (0...fft.size / 2).map { bin in
        let ratio = Double(bin) * sampleRate / Double(fft.size) / hertz
        return Float(1 / pow(1 + pow(ratio, 8), 2))
      }
    }
    wide = lowPass(3000).map { $0.squareRoot() }
    narrow = lowPass(1600)
    longest = 1.2e-3 * sampleRate
  }

  /// The delays of the left and the right response, in samples.
  ///
  /// - Parameters:
  ///   - measured: Spectra of both ears.
  ///   - minimum: Spectra of their minimum-phase parts.
  ///   - offset: Further delay of the measured left ear against the right, samples.
  func samples(
    measured: [Spectrum], minimum: [Spectrum], offset: Double
  ) -> (left: Double, right: Double) {
    let between =
      timeBetween(measured[0], measured[1], near: -offset, reach: longest)
      - timeBetween(minimum[0], minimum[1], near: 0, reach: longest / 3)
    if measured[0].energy >= measured[1].energy {
      let left = delay(measured[0], minimum[0])
      return (left, left - between)
    }
    let right = delay(measured[1], minimum[1])
    return (right + between, right)
  }

  /// The delay of one response against another by the band below 3 kHz, samples.
  private func delay(_ response: Spectrum, _ reference: Spectrum) -> Double {
    let correlation = fft.inverse(response.crossed(with: reference, weight: wide))
    let peak = correlation.indices.max { correlation[$0] < correlation[$1] } ?? 0
    let whole = Double(peak < fft.size / 2 ? peak : peak - fft.size)
    return timeBetween(response, reference, near: whole, reach: longest / 6)
  }

  /// The delay, within `reach` of `centre`, at which two responses correlate most below 1.6 kHz: on a
  /// grid of half a sample, then by Newton's method on the band-limited correlation.
  private func timeBetween(
    _ response: Spectrum, _ reference: Spectrum, near centre: Double, reach: Double
  ) -> Double {
    let cross = response.crossed(with: reference, weight: narrow)
    let bins = (narrow.lastIndex { $0 > 1e-5 } ?? 0) + 1
    let unit = 2 * Double.pi / Double(fft.size)
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

extension Spectrum {
  /// Sum of the squared magnitudes.
  var energy: Float {
    zip(real, imaginary).reduce(0) { $0 + $1.0 * $1.0 + $1.1 * $1.1 }
  }

  /// The cross-spectrum with another response, weighted by bin.
  func crossed(with other: Spectrum, weight: [Float]) -> Spectrum {
    var cross = self
    for bin in real.indices {
      let (a, b, c, d) = (real[bin], imaginary[bin], other.real[bin], other.imaginary[bin])
      cross.real[bin] = (a * c + b * d) * weight[bin]
      cross.imaginary[bin] = (b * c - a * d) * weight[bin]
    }
    return cross
  }
}
