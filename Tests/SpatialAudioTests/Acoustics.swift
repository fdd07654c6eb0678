import Glibc

/// A response at evenly spaced frequencies, by the sum that defines the Fourier transform.
struct Response {
  /// Hz between frequencies, and the first.
  let step: Double
  let real: [Double]
  let imaginary: [Double]

  /// The response at `step`, 2 `step`, … up to `highest` Hz.
  init(_ samples: [Float], sampleRate: Double, step: Double, highest: Double) {
    self.step = step
    var (real, imaginary) = ([Double](), [Double]())
    for index in 1...Int(highest / step) {
      let omega = 2 * Double.pi * step * Double(index) / sampleRate
      let (stepCosine, stepSine) = (cos(omega), -sin(omega))
      var (c, s, re, im) = (1.0, 0.0, 0.0, 0.0)
      for sample in samples {
        re += Double(sample) * c
        im += Double(sample) * s
        (c, s) = (c * stepCosine - s * stepSine, c * stepSine + s * stepCosine)
      }
      real.append(re)
      imaginary.append(im)
    }
    self.real = real
    self.imaginary = imaginary
  }

  /// Levels in dB at the frequencies above `lowest` Hz.
  func decibels(above lowest: Double) -> [Double] {
    real.indices.dropFirst(Int(lowest / step)).map { index in
      20
        * log10(
          (real[index] * real[index] + imaginary[index] * imaginary[index]).squareRoot() + 1e-7)
    }
  }
}

/// How much later a sound comes to the left ear than to the right, µs: where the cross-correlation of
/// the ears has its maximum, each through a low-pass of 1.6 kHz (Butterworth, 4th order, there and
/// back).
func interauralTime(left: [Float], right: [Float], sampleRate: Double) -> Double {
  let (step, highest) = (50.0, 3200.0)
  let l = Response(left, sampleRate: sampleRate, step: step, highest: highest)
  let r = Response(right, sampleRate: sampleRate, step: step, highest: highest)
  let weights = l.real.indices.map { index in
    pow(1 + pow(Double(index + 1) * step / 1600, 8), -2)
  }
  let cross = l.real.indices.map { index -> (Double, Double) in
    (
      weights[index] * (l.real[index] * r.real[index] + l.imaginary[index] * r.imaginary[index]),
      weights[index] * (l.imaginary[index] * r.real[index] - l.real[index] * r.imaginary[index])
    )
  }
  func correlation(_ microseconds: Double) -> Double {
    cross.indices.reduce(0) { sum, index in
      let angle = 2 * Double.pi * step * Double(index + 1) * microseconds * 1e-6
      return sum + cross[index].0 * cos(angle) - cross[index].1 * sin(angle)
    }
  }
  let lags = stride(from: -1200.0, through: 1200, by: 20).map { ($0, correlation($0)) }
  var best = lags.max { $0.1 < $1.1 }?.0 ?? 0
  // The parabola through three points near the maximum, twice.
  for width in [20.0, 2] {
    let (a, b, c) = (correlation(best - width), correlation(best), correlation(best + width))
    best += width * (a - c) / (2 * (a - 2 * b + c))
  }
  return best
}

/// The value below which this share of the values lies.
func percentile(_ share: Double, _ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted[min(sorted.count - 1, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
}
