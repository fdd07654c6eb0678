internal import CKissFFT
import Glibc

/// A Fourier transform between `size` real samples and `size / 2 + 1` complex values.
///
/// Holds kissfft's plans and scratch, so one thread uses it at a time.
package final class RealFFT {
  /// Samples of a transform; even.
  package let size: Int
  private let forwardPlan: kiss_fftr_cfg
  private let inversePlan: kiss_fftr_cfg
  private var spectrum: [kiss_fft_cpx]
  private var signal: [Float]

  /// Plans transforms of `size` samples.
  package init(size: Int) {
    precondition(size > 0 && size % 2 == 0)
    guard let forward = kiss_fftr_alloc(Int32(size), 0, nil, nil),
      let inverse = kiss_fftr_alloc(Int32(size), 1, nil, nil)
    else { preconditionFailure("no memory for a transform of \(size) samples") }
    self.size = size
    forwardPlan = forward
    inversePlan = inverse
    spectrum = Array(repeating: kiss_fft_cpx(), count: size / 2 + 1)
    signal = Array(repeating: 0, count: size)
  }

  /// The least power of two, from 1024 on, that is at least `count`.
  package static func size(atLeast count: Int) -> Int {
    var size = 1024
    while size < count { size *= 2 }
    return size
  }

  deinit {
    kiss_fftr_free(forwardPlan)
    kiss_fftr_free(inversePlan)
  }

  /// The spectrum of a signal, zero-padded to `size`.
  package func forward(_ input: some Collection<Float>) -> Spectrum {
    var index = 0
    for sample in input.prefix(size) {
      signal[index] = sample
      index += 1
    }
    while index < size {
      signal[index] = 0
      index += 1
    }
    kiss_fftr(forwardPlan, signal, &spectrum)
    return Spectrum(real: spectrum.map(\.r), imaginary: spectrum.map(\.i))
  }

  /// The signal of a spectrum, scaled so that it undoes `forward`.
  package func inverse(_ input: Spectrum) -> [Float] {
    for bin in spectrum.indices {
      spectrum[bin] = kiss_fft_cpx(r: input.real[bin], i: input.imaginary[bin])
    }
    var output = [Float](repeating: 0, count: size)
    kiss_fftri(inversePlan, spectrum, &output)
    let scale = 1 / Float(size)
    for index in output.indices { output[index] *= scale }
    return output
  }
}

extension RealFFT {
  /// kissfft frees its plans with the C library's `free`, which its header hides in a macro.
  private func kiss_fftr_free(_ plan: kiss_fftr_cfg) { free(UnsafeMutableRawPointer(plan)) }
}

/// The half spectrum of a real signal, from 0 to half the sampling rate.
package struct Spectrum {
  /// Real parts.
  package var real: [Float]
  /// Imaginary parts.
  package var imaginary: [Float]

  /// A spectrum from magnitudes in nepers (natural logarithms) and phases in radians.
  init(logMagnitude: [Float], phase: [Float]) {
    real = zip(logMagnitude, phase).map { expf($0) * cosf($1) }
    imaginary = zip(logMagnitude, phase).map { expf($0) * sinf($1) }
  }

  package init(real: [Float], imaginary: [Float]) {
    self.real = real
    self.imaginary = imaginary
  }

  /// Magnitudes in nepers, no lower than 100 dB below the greatest so that a zero has a logarithm.
  var logMagnitude: [Float] {
    let power = zip(real, imaginary).map { $0 * $0 + $1 * $1 }
    let floor = max(1e-10 * (power.max() ?? 0), .leastNormalMagnitude)
    return power.map { 0.5 * logf(max($0, floor)) }
  }
}
