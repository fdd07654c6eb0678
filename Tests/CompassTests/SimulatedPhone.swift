import Compass
import Geometry
import Glibc
import TestSupport
import Testing

/// A phone in a steady field of 48 µT that dips 66°, and what its sensors would say.
struct SimulatedPhone {
  /// The Earth's field, µT east, north and up.
  var earth = Vector3(0, 48 * cos(radians(degrees: 66)), -48 * sin(radians(degrees: 66)))
  /// The phone's own field, µT.
  var offset = Vector3()
  /// Soft iron: what it multiplies to the field.
  var softIron = SymmetricMatrix3.identity

  /// The attitude of a phone whose top edge points to `heading` and `pitch` degrees up, turned by `roll`
  /// degrees about it.
  static func attitude(_ heading: Double, _ pitch: Double, _ roll: Double) -> Quaternion {
    CoreMotionAngles(
      yaw: -radians(degrees: heading), pitch: radians(degrees: pitch), roll: radians(degrees: roll)
    ).quaternion
  }

  /// What the magnetometer says without noise.
  func field(_ attitude: Quaternion) -> Vector3 {
    softIron * attitude.conjugate.rotate(earth) + offset
  }

  /// Gravity, pointing down.
  static func gravity(_ attitude: Quaternion) -> Vector3 {
    attitude.conjugate.rotate(Vector3(0, 0, -1))
  }

  /// The attitudes of a hand that draws figures of eight while the body turns once.
  static func figureEight(_ count: Int) -> [Quaternion] {
    (0..<count).map { index in
      let turn = 2 * .pi * Double(index) / Double(count)
      return attitude(
        degrees(radians: turn), 75 * sin(7 * turn), degrees(radians: 1.2 * .pi * sin(3.5 * turn)))
    }
  }

  /// A normally distributed number (G. E. P. Box and M. E. Muller, Ann. Math. Stat. 29, 1958).
  static func normal(_ generator: inout SeededGenerator) -> Double {
    let u = Double.random(in: 1e-12..<1, using: &generator)
    let v = Double.random(in: 0..<1, using: &generator)
    return (-2 * log(u)).squareRoot() * cos(2 * .pi * v)
  }

  static func noise(_ deviation: Double, _ generator: inout SeededGenerator) -> Vector3 {
    deviation * Vector3(normal(&generator), normal(&generator), normal(&generator))
  }

  /// The readings of these attitudes.
  func samples(
    _ attitudes: [Quaternion], noise: Double, seed: UInt64 = 1
  ) -> FieldSamples {
    var generator = SeededGenerator(seed: seed)
    var samples = FieldSamples()
    for attitude in attitudes { samples.add(field(attitude) + Self.noise(noise, &generator)) }
    return samples
  }

  /// Median and 95th percentile of the heading's error over 1,000 attitudes tilted up to 40°, degrees,
  /// with what `correct` makes of a reading.
  func headingErrors(
    noise: Double = 0.5, _ correct: (Vector3) -> Vector3
  ) -> (median: Double, percentile95: Double) {
    var generator = SeededGenerator(seed: 2)
    let errors = (0..<1000).map { _ -> Double in
      let heading = Double.random(in: 0..<360, using: &generator)
      let attitude = Self.attitude(
        heading, Double.random(in: -40...40, using: &generator),
        Double.random(in: -40...40, using: &generator))
      let reading = field(attitude) + Self.noise(noise, &generator)
      let frame = HorizontalFrame(field: correct(reading), gravity: Self.gravity(attitude))
      let found = frame?.heading(of: PointingAxis.topEdge.direction) ?? .nan
      return abs(signedDegrees(found - heading))
    }.sorted()
    return (errors[500], errors[950])
  }
}

/// A vector as a test's argument: SIMD types crash the compiler there.
struct Triple: Sendable, CustomTestStringConvertible {
  var x, y, z: Double
  init(_ x: Double, _ y: Double, _ z: Double) { (self.x, self.y, self.z) = (x, y, z) }
  var vector: Vector3 { Vector3(x, y, z) }
  var testDescription: String { "(\(x), \(y), \(z))" }
}
