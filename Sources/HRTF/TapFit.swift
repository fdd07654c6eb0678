import Glibc

/// Fits a short response to a long one's spectrum in the terms in which fidelity is judged: decibels
/// in the audible band, and phase where interaural time is heard.
///
/// Cutting a minimum-phase response is the best short one in energy, which the loud parts of the
/// spectrum dominate. Here Gauss-Newton steps with Levenberg-Marquardt damping (Nocedal and Wright,
/// *Numerical Optimization*, 2nd ed., section 10.3) lower the weighted sum of squares of
/// ln(X/T) over frequency, whose real part is the error of level and whose imaginary part that of
/// phase, from the cut response on. The normal matrix is the sum of a Toeplitz and a Hankel matrix
/// whose elements are Fourier transforms of the weights.
final class TapFit {
  /// The transform of the targets.
  let fft: RealFFT
  private let tapCount = OpenALDataSet.longestResponse
  private let steps: Int
  /// Weights of the bins: of level and of phase.
  private let level: [Float]
  private let phase: [Float]
  private var matrix: [Double]

  /// Prepares fits to the spectra of a model. Level counts from 200 Hz to 16 kHz or 0.45 of the rate,
  /// and a little beyond; phase counts below 1.8 kHz.
  ///
  /// - Parameter steps: How many times the cut response is improved.
  init(_ model: MinimumPhaseModel, steps: Int) {
    fft = RealFFT(size: model.transformSize)
    self.steps = steps
    let rate = model.sampleRate
    let hertz = (0...fft.size / 2).map { Double($0) * rate / Double(model.transformSize) }
    level = hertz.map { $0 > 200 && $0 < min(16_000, 0.45 * rate) ? 1 : 0.02 }
    phase = hertz.map { $0 > 80 && $0 < 1800 ? 0.5 : 0 }
    matrix = Array(repeating: 0, count: tapCount * tapCount)
  }

  /// The first taps of `target`'s response, fitted.
  func taps(for target: Spectrum) -> [Float] {
    var taps = Array(fft.inverse(target).prefix(tapCount))
    guard steps > 0 else { return taps }
    var residual = Residual(taps, target, fft)
    var cost = self.cost(residual)
    var damping = 1e-3
    for _ in 0..<steps {
      let gradient = prepare(residual)
      var isBetter = false
      for _ in 0..<5 where !isBetter {
        guard let step = solve(gradient, damping: damping) else { return taps }
        let trial = zip(taps, step).map { $0 - Float($1) }
        let next = Residual(trial, target, fft)
        let nextCost = self.cost(next)
        isBetter = nextCost < cost
        damping = isBetter ? max(damping / 4, 1e-6) : damping * 5
        if isBetter { (taps, residual, cost) = (trial, next, nextCost) }
      }
      guard isBetter else { break }
    }
    return taps
  }

  /// The spectrum of a response, inverted, and its logarithmic error.
  private struct Residual {
    let inverse: Spectrum
    /// Nepers.
    var level: [Float]
    /// Radians.
    var phase: [Float]

    init(_ taps: [Float], _ target: Spectrum, _ fft: RealFFT) {
      let spectrum = fft.forward(taps)
      let count = spectrum.real.count
      var inverse = spectrum
      level = Array(repeating: 0, count: count)
      phase = level
      for bin in 0..<count {
        let (a, b) = (spectrum.real[bin], spectrum.imaginary[bin])
        let (c, d) = (target.real[bin], target.imaginary[bin])
        let power = max(a * a + b * b, 1e-14)
        inverse.real[bin] = a / power
        inverse.imaginary[bin] = -b / power
        level[bin] = 0.5 * logf(power / max(c * c + d * d, 1e-14))
        phase[bin] = atan2f(b * c - a * d, a * c + b * d)
      }
      self.inverse = inverse
    }
  }

  private func cost(_ residual: Residual) -> Float {
    var sum: Float = 0
    for bin in level.indices {
      sum += level[bin] * residual.level[bin] * residual.level[bin]
      sum += phase[bin] * residual.phase[bin] * residual.phase[bin]
    }
    return sum
  }

  /// Fills the lower half of the normal matrix and returns the gradient.
  private func prepare(_ residual: Residual) -> [Double] {
    // With q = 1/X and e = exp(−iωn), tap n moves the error by q·e.
    let count = level.count
    var toeplitz = Spectrum(
      real: Array(repeating: 0, count: count), imaginary: Array(repeating: 0, count: count))
    var hankel = toeplitz
    var slope = toeplitz
    for bin in 0..<count {
      let (c, d) = (residual.inverse.real[bin], residual.inverse.imaginary[bin])
      let difference = 0.5 * (level[bin] - phase[bin])
      toeplitz.real[bin] = 0.5 * (level[bin] + phase[bin]) * (c * c + d * d)
      hankel.real[bin] = difference * (c * c - d * d)
      hankel.imaginary[bin] = -difference * 2 * c * d
      let (l, p) = (level[bin] * residual.level[bin], phase[bin] * residual.phase[bin])
      slope.real[bin] = l * c + p * d
      slope.imaginary[bin] = -(l * d - p * c)
    }
    let scale = Double(fft.size) / 2
    let even = fft.inverse(toeplitz)
    let sum = fft.inverse(hankel)
    let gradient = fft.inverse(slope)
    for row in 0..<tapCount {
      for column in 0...row {
        matrix[row * tapCount + column] = scale * Double(even[row - column] + sum[row + column])
      }
    }
    return (0..<tapCount).map { scale * Double(gradient[$0]) }
  }

  /// Solves the damped normal equations by Cholesky's factorisation; nil if they are singular.
  private func solve(_ gradient: [Double], damping: Double) -> [Double]? {
    var factor = matrix
    var solution = gradient
    let size = tapCount
    let isRegular = factor.withUnsafeMutableBufferPointer { a -> Bool in
      for index in 0..<size { a[index * size + index] *= 1 + damping }
      for row in 0..<size {
        for column in 0...row {
          var sum = SIMD8<Double>.zero
          var k = 0
          while k + 8 <= column {
            let left = SIMD8<Double>(a[(row * size + k)..<(row * size + k + 8)])
            sum += left * SIMD8<Double>(a[(column * size + k)..<(column * size + k + 8)])
            k += 8
          }
          var rest = a[row * size + column] - sum.sum()
          while k < column {
            rest -= a[row * size + k] * a[column * size + k]
            k += 1
          }
          if row == column {
            guard rest > 0 else { return false }
            a[row * size + row] = rest.squareRoot()
          } else {
            a[row * size + column] = rest / a[column * size + column]
          }
        }
      }
      return true
    }
    guard isRegular else { return nil }
    for row in 0..<size {
      for k in 0..<row { solution[row] -= factor[row * size + k] * solution[k] }
      solution[row] /= factor[row * size + row]
    }
    for row in stride(from: size - 1, through: 0, by: -1) {
      for k in (row + 1)..<max(size, row + 1) {
        solution[row] -= factor[k * size + row] * solution[k]
      }
      solution[row] /= factor[row * size + row]
    }
    return solution
  }
}
