import Geometry
import Glibc

/// A rigid sphere with an ear at either end of a diameter: what is known of a head without measuring it.
///
/// Sound of a near point source on it after R. O. Duda and W. L. Martens, "Range dependence of the
/// response of a spherical head model", J. Acoust. Soc. Am. 104 (1998).
struct SphericalHead {
  /// Metres.
  var radius = 0.0875

  /// Metres a second.
  static let speedOfSound = 343.0

  /// Where an ear (0 left, 1 right) is, from the head's centre: SOFA's axes, metres.
  func ear(_ ear: Int) -> Vector3 { Vector3(0, ear == 0 ? radius : -radius, 0) }

  /// The angle between a direction and an ear as the head's centre sees them, radians.
  func incidence(_ direction: Vector3, ear index: Int) -> Double {
    acos(max(-1, min(1, direction.dot(ear(index)) / radius)))
  }

  /// Where a line from an ear through a place meets the sphere of a radius around the head: the
  /// direction in which that ear sees the place, as measured at that radius (the parallax of the ears).
  ///
  /// - Returns: A unit vector from the head's centre.
  func seen(_ place: Vector3, fromEar index: Int, atRadius distance: Double) -> Vector3 {
    let start = ear(index)
    let line = (place - start).normalized
    let along = start.dot(line)
    let reach = -along + (along * along - radius * radius + distance * distance).squareRoot()
    return (start + line * reach).normalized
  }

  /// How much longer the way to the ear around the sphere is than that to its centre were there no head,
  /// metres: straight to an ear in sight, along the tangent and the surface to the other.
  ///
  /// - Parameters:
  ///   - distance: Of the source from the centre, metres; beyond the radius.
  ///   - incidence: Radians.
  func detour(distance: Double, incidence: Double) -> Double {
    let horizon = acos(min(1, radius / distance))
    if incidence <= horizon {
      let square =
        distance * distance + radius * radius - 2 * distance * radius * cos(incidence)
      return square.squareRoot() - distance
    }
    let tangent = (distance * distance - radius * radius).squareRoot()
    return tangent + radius * (incidence - horizon) - distance
  }

  /// The pressure at an ear over that at the head's centre were there no head, nepers.
  ///
  /// - Parameters:
  ///   - frequency: Hz, above 0.
  ///   - distance: Of the source from the centre, metres; beyond the radius.
  ///   - incidence: Radians.
  func logPressure(frequency: Double, distance: Double, incidence: Double) -> Double {
    // Below some hertz nothing changes any more, and the terms leave the numbers' range.
    let wave = max(0.03, 2 * .pi * frequency * radius / Self.speedOfSound)
    let range = distance / radius
    var source = SphericalHankel(wave * range)
    var surface = SphericalHankel(wave)
    let cosine = cos(incidence)
    var (legendre, nextLegendre) = (1.0, cosine)
    var sum = Complex(0, 0)
    var small = 0
    for order in 0..<400 {
      let degree = Double(order)
      let term = source.value / surface.derivative * ((2 * degree + 1) * legendre)
      sum = sum + term
      small = term.magnitude < 1e-9 * sum.magnitude ? small + 1 : 0
      // Zeros of the polynomials make single terms small.
      if small > 3 { break }
      (legendre, nextLegendre) = (
        nextLegendre,
        ((2 * degree + 3) * cosine * nextLegendre - (degree + 1) * legendre) / (degree + 2)
      )
      source.advance()
      surface.advance()
    }
    return log(range / wave * sum.magnitude)
  }
}

/// Spherical Hankel functions of the first kind, order after order, by upward recurrence (stable for
/// them; NIST Digital Library of Mathematical Functions, 10.49 and 10.51).
private struct SphericalHankel {
  private let argument: Double
  private var order = 0.0
  private var next: Complex
  private(set) var value: Complex

  /// Order 0.
  init(_ argument: Double) {
    self.argument = argument
    value = Complex(sin(argument), -cos(argument)) * (1 / argument)
    next = value * Complex(1 / argument, -1)
  }

  var derivative: Complex { value * (order / argument) - next }

  /// The next order.
  mutating func advance() {
    order += 1
    (value, next) = (next, next * ((2 * order + 1) / argument) - value)
  }
}

/// A complex number.
private struct Complex {
  var real, imaginary: Double

  init(_ real: Double, _ imaginary: Double) {
    self.real = real
    self.imaginary = imaginary
  }

  var magnitude: Double { hypot(real, imaginary) }

  static func + (a: Complex, b: Complex) -> Complex {
    Complex(a.real + b.real, a.imaginary + b.imaginary)
  }

  static func - (a: Complex, b: Complex) -> Complex { a + b * -1 }

  static func * (a: Complex, b: Complex) -> Complex {
    Complex(
      a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)
  }

  static func * (a: Complex, factor: Double) -> Complex {
    Complex(a.real * factor, a.imaginary * factor)
  }

  static func / (a: Complex, b: Complex) -> Complex {
    let square = b.real * b.real + b.imaginary * b.imaginary
    return a * Complex(b.real / square, -b.imaginary / square)
  }
}
