import Glibc

/// Minimum-phase filters that undo a response, as far as that is wise.
package enum InverseFilter {
  /// Added to the power before division, against its mean: no frequency is raised by more than 12 dB, and
  /// a notch is not filled (O. Kirkeby and others, "Fast deconvolution of multichannel systems using
  /// regularization", IEEE Trans. Speech Audio Process. 6 (1998)).
  private static let regularization = 1.0 / 64

  /// The taps of the filter that divides by a power, given at even steps from 0 to half the rate (Hz); of
  /// 10 ms at least. Its mean level from 200 Hz to 16 kHz is that of no filter, so that what is filtered
  /// stays as loud; below 100 Hz and above 18 kHz or 0.45 of the rate it goes on as it is there, since
  /// measuring systems fade out.
  package static func taps(power: [Double], sampleRate: Double) -> [Float] {
    let size = 2 * (power.count - 1)
    func bin(_ hertz: Double) -> Int { Int((hertz / sampleRate * Double(size)).rounded()) }
    let highest = bin(min(18_000, 0.45 * sampleRate))
    let band = bin(200)...bin(min(16_000, 0.45 * sampleRate))
    func mean(_ values: some Collection<Double>) -> Double {
      values.reduce(0, +) / Double(values.count)
    }
    let level = mean(power[band].map { log(max($0, .leastNormalMagnitude)) })
    let nepers = power.map { value in
      let relative = value / exp(level)
      return 0.5 * log(max(relative, 1e-12)) - log(relative + Self.regularization)
    }
    let offset = mean(nepers[band])
    let logMagnitude = nepers.indices.map { index in
      Float(nepers[max(bin(100), min(highest, index))] - offset)
    }
    let fft = RealFFT(size: size)
    let phase = MinimumPhase.phase(ofLogMagnitude: logMagnitude, fft)
    var tapCount = 64
    while Double(tapCount) < 0.01 * sampleRate { tapCount *= 2 }
    let taps = fft.inverse(Spectrum(logMagnitude: logMagnitude, phase: phase)).prefix(tapCount)
    // The last half fades out, so that there is no step where it is cut.
    let fade = taps.count / 2
    return taps.enumerated().map { index, tap in
      let part = Double(max(0, index - fade)) / Double(fade)
      return tap * Float(0.5 + 0.5 * cos(.pi * part))
    }
  }
}
