import Glibc
import HRTF

/// Power of both ears over frequency, and what they have in common, averaged over a sound (P. D. Welch, IEEE
/// Trans. Audio Electroacoust. 15 (1967)).
struct EarSpectra: Sendable {
  /// Hz.
  let sampleRate: Double
  /// Samples of a transform.
  let size: Int
  private(set) var left, right: [Double]
  private(set) var crossReal, crossImaginary: [Double]

  /// Samples of a transform whose bins are at most 12 Hz apart.
  static func size(sampleRate: Double) -> Int { RealFFT.size(atLeast: Int(sampleRate / 12)) }

  /// The spectra of a sound; one that is shorter than a transform is taken whole, else parts that overlap by
  /// half, each through Hann's window.
  init(_ ears: (left: [Float], right: [Float]), sampleRate: Double, fft: RealFFT) {
    self.sampleRate = sampleRate
    size = fft.size
    let bins = size / 2 + 1
    (left, right) = (.init(repeating: 0, count: bins), .init(repeating: 0, count: bins))
    (crossReal, crossImaginary) = (left, left)
    let count = ears.left.count
    guard count > size else {
      add(ears.left, ears.right, fft)
      return
    }
    let window = (0..<size).map { 0.5 - 0.5 * cosf(2 * .pi * (Float($0) + 0.5) / Float(size)) }
    for start in stride(from: -size / 2, to: count, by: size / 2) {
      let parts = [ears.left, ears.right].map { ear in
        (0..<size).map { place -> Float in
          let sample = start + place
          return sample >= 0 && sample < count ? window[place] * ear[sample] : 0
        }
      }
      add(parts[0], parts[1], fft)
    }
  }

  private mutating func add(_ first: [Float], _ second: [Float], _ fft: RealFFT) {
    let (l, r) = (fft.forward(first), fft.forward(second))
    for bin in left.indices {
      let (lr, li) = (Double(l.real[bin]), Double(l.imaginary[bin]))
      let (rr, ri) = (Double(r.real[bin]), Double(r.imaginary[bin]))
      left[bin] += lr * lr + li * li
      right[bin] += rr * rr + ri * ri
      crossReal[bin] += lr * rr + li * ri
      crossImaginary[bin] += li * rr - lr * ri
    }
  }

  /// By how much the left ear lags, seconds: the maximum of the cross-correlation below 1.6 kHz, each frequency
  /// weighted alike so that the sound's own spectrum does not count (C. H. Knapp and G. C. Carter, IEEE Trans.
  /// Acoust. 24 (1976): smoothed coherence transform).
  var timeDifference: Double {
    let spacing = sampleRate / Double(size)
    // 60 dB below the loudest there is no sound, only what the format added.
    let floor = 1e-6 * (zip(left, right).map { ($0 * $1).squareRoot() }.max() ?? 0)
    var terms: [(frequency: Double, real: Double, imaginary: Double)] = []
    for bin in 1..<left.count {
      let frequency = Double(bin) * spacing
      guard frequency >= 150, frequency <= 3000 else { continue }
      let power = (left[bin] * right[bin]).squareRoot()
      guard power > floor, power > 0 else { continue }
      let weight = 1 / pow(1 + pow(frequency / 1600, 8), 2) / power
      terms.append((2 * .pi * frequency, weight * crossReal[bin], weight * crossImaginary[bin]))
    }
    guard !terms.isEmpty else { return 0 }
    func correlation(_ delay: Double) -> Double {
      terms.reduce(0) {
        $0 + $1.real * cos($1.frequency * delay) - $1.imaginary * sin($1.frequency * delay)
      }
    }
    let step = 10e-6
    let delays = (-120...120).map { Double($0) * step }
    let values = delays.map(correlation)
    let best = values.indices.max { values[$0] < values[$1] } ?? 120
    guard best > 0, best < values.count - 1 else { return delays[best] }
    let (before, at, after) = (values[best - 1], values[best], values[best + 1])
    let curvature = before - 2 * at + after
    return delays[best] + (curvature < 0 ? 0.5 * step * (before - after) / curvature : 0)
  }
}
