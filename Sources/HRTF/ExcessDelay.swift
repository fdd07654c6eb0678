import Geometry
import Glibc

/// How much later a measured response comes than the minimum-phase response of its magnitude.
///
/// A head-related transfer function is nearly its minimum-phase part and a pure delay (Kulkarni,
/// Isabelle and Colburn, J. Acoust. Soc. Am. 105 (1999)). The delay is where the two correlate most
/// below 1.6 kHz, since there the ear reads interaural time (Wightman and Kistler, J. Acoust. Soc.
/// Am. 91 (1992)). That low band alone has several maxima for the far ear, so the delay is first
/// looked for below 3 kHz.
struct ExcessDelay {
  private let fft: RealFFT
  /// Weight of each bin in the two searches.
  private let wide: [Float]
  private let narrow: [Float]
  /// Half the width of the second search, samples.
  private let reach: Double

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
    reach = 0.17e-3 * sampleRate
  }

  /// The delay in samples of `measured` against the response with these magnitudes and phases.
  func samples(of measured: Spectrum, magnitude: [Float], phase: [Float]) -> Double {
    // Cross-spectrum of the measured and the minimum-phase response.
    var cross = Spectrum(logMagnitude: magnitude, phase: phase)
    for bin in cross.real.indices {
      let (a, b) = (measured.real[bin], measured.imaginary[bin])
      let (c, d) = (cross.real[bin], cross.imaginary[bin])
      cross.real[bin] = a * c + b * d
      cross.imaginary[bin] = b * c - a * d
    }
    let correlation = fft.inverse(weighted(cross, by: wide))
    let peak = correlation.indices.max { correlation[$0] < correlation[$1] } ?? 0
    let first = Double(peak < fft.size / 2 ? peak : peak - fft.size)
    return refined(weighted(cross, by: narrow), around: first)
  }

  private func weighted(_ spectrum: Spectrum, by weight: [Float]) -> Spectrum {
    Spectrum(
      real: zip(spectrum.real, weight).map(*), imaginary: zip(spectrum.imaginary, weight).map(*))
  }

  /// The greatest value of a band-limited correlation within `reach` of a delay, found on a grid of a
  /// quarter sample and then by a parabola.
  private func refined(_ cross: Spectrum, around centre: Double) -> Double {
    let steps = Int((reach * 4).rounded())
    let bins = (narrow.lastIndex { $0 > 1e-5 } ?? 0) + 1
    func value(_ delay: Double) -> Double {
      // One rotation a bin instead of a sine and cosine a bin.
      let angle = 2 * .pi * delay / Double(fft.size)
      let (stepCosine, stepSine) = (cos(angle), sin(angle))
      var (c, s) = (1.0, 0.0)
      var sum = 0.0
      for bin in 0..<bins {
        sum += Double(cross.real[bin]) * c - Double(cross.imaginary[bin]) * s
        (c, s) = (c * stepCosine - s * stepSine, s * stepCosine + c * stepSine)
      }
      return sum
    }
    let values = (-steps...steps).map { value(centre + Double($0) / 4) }
    let best = values.indices.max { values[$0] < values[$1] } ?? steps
    let delay = centre + Double(best - steps) / 4
    guard best > 0, best < values.count - 1 else { return delay }
    let (before, at, after) = (values[best - 1], values[best], values[best + 1])
    let curvature = before - 2 * at + after
    return curvature < 0 ? delay + 0.125 * (before - after) / curvature : delay
  }
}
