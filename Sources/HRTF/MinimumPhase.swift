/// Minimum-phase responses of given magnitude.
enum MinimumPhase {
  /// The phase, in radians, of the minimum-phase response with these magnitudes (nepers): their
  /// Hilbert transform, taken by folding the real cepstrum.
  ///
  /// A. V. Oppenheim and R. W. Schafer, *Discrete-Time Signal Processing*, 3rd ed., section 13.5.
  static func phase(ofLogMagnitude magnitude: [Float], _ fft: RealFFT) -> [Float] {
    let zeros = [Float](repeating: 0, count: magnitude.count)
    var cepstrum = fft.inverse(Spectrum(real: magnitude, imaginary: zeros))
    let half = fft.size / 2
    cepstrum[0] = 0
    cepstrum[half] = 0
    for index in 1..<half {
      cepstrum[fft.size - index] *= -1
    }
    return fft.forward(cepstrum).imaginary
  }
}
