import Testing

@testable import HRTF

@Suite struct MinimumPhaseTests {
  /// The minimum-phase sequence of the same magnitude has the zeros outside the unit circle mirrored
  /// into it. By numpy: `z = roots(h)`; each `abs(z) > 1` becomes `1 / conj(z)` and multiplies the
  /// gain by `abs(z)`; `gain * poly(z)`.
  @Test(
    arguments: [
      ([1, 0.5], [1, 0.5]),
      ([0.5, 1], [1, 0.5]),
      ([1, -2.5, 1], [2, -2, 0.5]),
      ([0.25, -1, 0.5, 2], [2, 0.5, -1, 0.25]),
      ([1, 0.3, -0.2], [1, 0.3, -0.2]),
      ([0, 0, 0, 0.7], [0.7, 0, 0, 0]),
    ] as [([Float], [Float])])
  func zerosAreMirrored(given: [Float], expected: [Float]) {
    let fft = RealFFT(size: 1024)
    // Magnitudes carry no sign; the sequence of the positive first sample is the one meant.
    let magnitude = fft.forward(given).logMagnitude
    let phase = MinimumPhase.phase(ofLogMagnitude: magnitude, fft)
    let response = fft.inverse(Spectrum(logMagnitude: magnitude, phase: phase))
    for (index, value) in response.enumerated() {
      let wanted = index < expected.count ? expected[index] : 0
      #expect(abs(value - wanted) < 2e-5, "sample \(index)")
    }
  }

  /// A spectrum of zeros has a magnitude that a logarithm can be taken of.
  @Test func silence() {
    let fft = RealFFT(size: 64)
    #expect(fft.forward([]).logMagnitude.allSatisfy { $0.isFinite })
  }
}

@Suite struct RealFFTTests {
  /// By numpy: `fft.rfft([1, 2, 0, -1, 0, 0, 3, 0])`.
  @Test func knownTransform() {
    let spectrum = RealFFT(size: 8).forward([1, 2, 0, -1, 0, 0, 3] as [Float])
    let real: [Float] = [5, 3.1213202, -2, -1.1213202, 3]
    let imaginary: [Float] = [0, 2.2928932, -3, -3.7071068, 0]
    for bin in 0..<5 {
      #expect(abs(spectrum.real[bin] - real[bin]) < 1e-5, "bin \(bin)")
      #expect(abs(spectrum.imaginary[bin] - imaginary[bin]) < 1e-5, "bin \(bin)")
    }
  }

  @Test func inverseUndoesForward() {
    let fft = RealFFT(size: 32)
    let signal = (0..<32).map { Float(($0 * 7) % 13) - 6 }
    let back = fft.inverse(fft.forward(signal))
    for index in signal.indices { #expect(abs(back[index] - signal[index]) < 1e-5) }
  }
}
