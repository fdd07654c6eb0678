import Files
import Glibc
import HRTF
import SpatialAudio

/// A signal cut into blocks whose spectra are known, ready to be convolved with responses: overlap-add
/// (T. G. Stockham, "High-speed convolution and correlation", AFIPS 1966).
struct SourceSignal: Sendable {
  private let blocks: [Spectrum]
  private let hop: Int
  private let fftSize: Int
  /// Samples of the signal and of a response.
  let count, responseLength: Int

  /// The size of transform for responses of a length.
  static func size(responseLength: Int) -> Int {
    RealFFT.size(atLeast: max(4096, 4 * responseLength))
  }

  /// Prepares a signal for responses of a length.
  init(_ samples: [Float], responseLength: Int) {
    let size = Self.size(responseLength: responseLength)
    let hop = size - responseLength + 1
    let fft = RealFFT(size: size)
    blocks = stride(from: 0, to: samples.count, by: hop).map { start in
      fft.forward(samples[start..<min(samples.count, start + hop)])
    }
    self.hop = hop
    fftSize = size
    count = samples.count
    self.responseLength = responseLength
  }

  /// The signal as two ears hear it: left and right by turns, longer than itself by a response less one
  /// sample.
  ///
  /// - Parameters:
  ///   - responses: Of the left and the right ear.
  ///   - fft: Of `size(responseLength:)`.
  func convolved(with responses: [[Float]], _ fft: RealFFT) -> [Float] {
    let length = count + responseLength - 1
    var output = [Float](repeating: 0, count: 2 * length)
    for ear in 0...1 {
      let response = fft.forward(responses[ear])
      for (number, block) in blocks.enumerated() {
        let start = number * hop
        let part = fft.inverse(block.multiplied(by: response))
        let end = min(fftSize, length - start)
        for index in 0..<end { output[2 * (start + index) + ear] += part[index] }
      }
    }
    return output
  }
}

extension Spectrum {
  fileprivate func multiplied(by other: Spectrum) -> Spectrum {
    var product = self
    for bin in real.indices {
      let (a, b, c, d) = (
        real[bin], imaginary[bin], other.real[bin], other.imaginary[bin]
      )
      product.real[bin] = a * c - b * d
      product.imaginary[bin] = a * d + b * c
    }
    return product
  }
}

/// Raised-cosine ramps at the beginning and the end of a sound of some channels.
func ramp(_ samples: inout [Float], channelCount: Int, length: Int) {
  let frames = samples.count / channelCount
  for frame in 0..<min(length, frames) {
    let gain = Float(0.5 - 0.5 * cos(.pi * (Double(frame) + 0.5) / Double(length)))
    for channel in 0..<channelCount {
      samples[frame * channelCount + channel] *= gain
      samples[(frames - 1 - frame) * channelCount + channel] *= gain
    }
  }
}

/// A linear-phase low-pass filter as ITU-R BS.1534-3 asks for of its 3.5 kHz anchor: within 0.1 dB up to
/// there, 25 dB down 500 Hz above, 50 dB down 1 kHz above. By J. F. Kaiser's window ("Nonrecursive digital
/// filter design using the I0-sinh window function", ISCAS 1974) for 60 dB between the first two.
struct LowPassFilter {
  private let taps: [Float]

  /// A filter that passes up to a frequency, at a rate, both Hz.
  init(_ frequency: Double, sampleRate: Int) {
    let (attenuation, transition) = (60.0, 500.0)
    let beta = 0.1102 * (attenuation - 8.7)
    let step = 2 * .pi * transition / Double(sampleRate)
    let half = Int(((attenuation - 7.95) / (2.285 * step) / 2).rounded(.up))
    let edge = 2 * .pi * (frequency + transition / 2) / Double(sampleRate)
    taps = (-half...half).map { tap in
      let place = Double(tap) / Double(half)
      let window = Self.bessel(beta * (1 - place * place).squareRoot()) / Self.bessel(beta)
      let sinc = tap == 0 ? edge / .pi : sin(edge * Double(tap)) / (.pi * Double(tap))
      return Float(sinc * window)
    }
  }

  /// The modified Bessel function I0, by its power series.
  private static func bessel(_ x: Double) -> Double {
    var (sum, term, index) = (1.0, 1.0, 1.0)
    while term > 1e-17 * sum {
      term *= (x / (2 * index)) * (x / (2 * index))
      sum += term
      index += 1
    }
    return sum
  }

  /// A sound filtered, without the filter's delay and as long as before.
  func filtered(_ samples: [Float]) -> [Float] {
    let signal = SourceSignal(samples, responseLength: taps.count)
    let fft = RealFFT(size: SourceSignal.size(responseLength: taps.count))
    let both = signal.convolved(with: [taps, taps], fft)
    let delay = taps.count / 2
    return samples.indices.map { both[2 * ($0 + delay)] }
  }
}
