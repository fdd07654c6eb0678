import Glibc

/// Finds by how much one response comes later than another in the band below 1.6 kHz, where the ear
/// reads interaural time differences (Wightman and Kistler, J. Acoust. Soc. Am. 91 (1992)): the
/// maximum of the cross-correlation of both, each through a Butterworth low-pass of the fourth order
/// forwards and backwards (Katz and Noisternig, J. Acoust. Soc. Am. 135 (2014), compare such methods).
struct LowBandCorrelation {
  private let size: Int
  private let weights: [Float]
  /// Bins that count: their number, and by what half a sample turns each, four at a time.
  private let bins: Int
  private let halfSample: [Complex4]

  /// Prepares for spectra of a transform at a sampling rate.
  init(sampleRate: Double, fft: RealFFT) {
    size = fft.size
    weights = Self.weights(below: 1600, sampleRate: sampleRate, fft: fft)
    bins = (weights.lastIndex { $0 > 1e-5 } ?? 0) + 1
    let unit = Double.pi / Double(fft.size)
    halfSample = Complex4.packed(bins) { (cos(unit * Double($0)), sin(unit * Double($0))) }
  }

  /// What two such filters, each applied twice, do to a cross-spectrum.
  static func weights(below hertz: Double, sampleRate: Double, fft: RealFFT) -> [Float] {
    (0...fft.size / 2).map { bin in
      let ratio = Double(bin) * sampleRate / Double(fft.size) / hertz
      return Float(1 / pow(1 + pow(ratio, 8), 2))
    }
  }

  /// The delay, within `reach` of `centre`, at which two responses correlate most below 1.6 kHz: on a
  /// grid of half a sample, then by Newton's method on the band-limited correlation.
  func delay(
    of response: Spectrum, against reference: Spectrum, near centre: Double, reach: Double
  ) -> Double {
    let cross = response.crossed(with: reference, weight: weights)
    let steps = Int((reach * 2).rounded())
    let first = centre - Double(steps) / 2
    var delay = first + Double(best(cross, first, count: 2 * steps + 1)) / 2
    for _ in 0..<4 {
      let (slope, curvature) = derivatives(cross, delay)
      guard curvature < 0 else { break }
      delay -= max(-0.5, min(0.5, slope / curvature))
    }
    return delay
  }

  private var unit: Double { 2 * Double.pi / Double(size) }

  /// Which of `count` delays, half a sample apart, correlates most.
  private func best(_ cross: Spectrum, _ first: Double, count: Int) -> Int {
    var turned = Complex4.packed(bins) { bin in
      let (c, s) = (cos(unit * Double(bin) * first), sin(unit * Double(bin) * first))
      let (re, im) = (Double(cross.real[bin]), Double(cross.imaginary[bin]))
      return bin == 0 ? (re / 2, 0) : (re * c - im * s, re * s + im * c)
    }
    var (best, greatest) = (0, -Double.infinity)
    turned.withUnsafeMutableBufferPointer { turned in
      halfSample.withUnsafeBufferPointer { halfSample in
        for index in 0..<count {
          var sum = SIMD4<Double>()
          for quad in turned.indices {
            sum += turned[quad].real
            turned[quad].turn(by: halfSample[quad])
          }
          if sum.sum() > greatest { (best, greatest) = (index, sum.sum()) }
        }
      }
    }
    return best
  }

  /// The first and second derivatives of the correlation by the delay.
  private func derivatives(
    _ cross: Spectrum, _ delay: Double
  ) -> (slope: Double, curvature: Double) {
    // One rotation a bin instead of a sine and cosine a bin.
    let (stepCosine, stepSine) = (cos(unit * delay), sin(unit * delay))
    var (c, s) = (1.0, 0.0)
    var (slope, curvature) = (0.0, 0.0)
    for bin in 1..<max(1, bins) {
      (c, s) = (c * stepCosine - s * stepSine, s * stepCosine + c * stepSine)
      let (re, im) = (Double(cross.real[bin]), Double(cross.imaginary[bin]))
      let (value, quadrature) = (re * c - im * s, re * s + im * c)
      let frequency = unit * Double(bin)
      slope -= frequency * quadrature
      curvature -= frequency * frequency * value
    }
    return (slope, curvature)
  }
}

/// Four complex numbers.
private struct Complex4 {
  var real = SIMD4<Double>()
  var imaginary = SIMD4<Double>()

  @inline(__always) mutating func turn(by other: Complex4) {
    (real, imaginary) = (
      real * other.real - imaginary * other.imaginary,
      real * other.imaginary + imaginary * other.real
    )
  }

  /// The numbers of `count` bins, the last filled up with zeros.
  static func packed(_ count: Int, _ value: (Int) -> (Double, Double)) -> [Complex4] {
    (0..<(count + 3) / 4).map { quad in
      var four = Complex4()
      for lane in 0..<min(4, count - 4 * quad) {
        (four.real[lane], four.imaginary[lane]) = value(4 * quad + lane)
      }
      return four
    }
  }
}
