/// How much later measured responses come than the minimum-phase responses of their magnitudes.
///
/// A head-related transfer function is nearly its minimum-phase part and a pure delay (Kulkarni,
/// Isabelle and Colburn, J. Acoust. Soc. Am. 105 (1999)). The difference between the ears' delays is
/// chosen so that the interaural cross-correlation below 1.6 kHz, where the ear reads interaural time
/// (Wightman and Kistler, J. Acoust. Soc. Am. 91 (1992)), has its maximum where the measurement has
/// it. The nearer ear's own delay, from the louder and so the safer response, places the pair.
struct ExcessDelay {
  private let fft: RealFFT
  /// Weights of the bins below 3 kHz, for the first search.
  private let wide: [Float]
  private let correlation: LowBandCorrelation
  /// The longest time between the ears that is looked for, samples: 1.2 ms, beyond any head's.
  private let longest: Double

  /// Prepares the search at a sampling rate.
  init(sampleRate: Double, fft: RealFFT) {
    self.fft = fft
    wide = LowBandCorrelation.weights(below: 3000, sampleRate: sampleRate, fft: fft).map {
      $0.squareRoot()
    }
    correlation = LowBandCorrelation(sampleRate: sampleRate, fft: fft)
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
      correlation.delay(of: measured[0], against: measured[1], near: -offset, reach: longest)
      - correlation.delay(of: minimum[0], against: minimum[1], near: 0, reach: longest / 3)
    if measured[0].energy >= measured[1].energy {
      let left = delay(measured[0], minimum[0])
      return (left, left - between)
    }
    let right = delay(measured[1], minimum[1])
    return (right + between, right)
  }

  /// The delay of one response against another by the band below 3 kHz, samples.
  private func delay(_ response: Spectrum, _ reference: Spectrum) -> Double {
    let wideband = fft.inverse(response.crossed(with: reference, weight: wide))
    let peak = wideband.indices.max { wideband[$0] < wideband[$1] } ?? 0
    let whole = Double(peak < fft.size / 2 ? peak : peak - fft.size)
    return correlation.delay(of: response, against: reference, near: whole, reach: longest / 6)
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
