import Geometry
import Testing

@testable import HRTF

/// The axes of SOFA (AES69-2022, section 4.3): x ahead, y left, z up.
@Suite struct SphericalDirectionTests {
  struct Case: Sendable {
    var azimuth: Double
    var elevation: Double
    var axes: [Double]
    var vector: Vector3 { Vector3(axes[0], axes[1], axes[2]) }
  }

  static let half = 0.5.squareRoot()
  static let cases = [
    Case(azimuth: 0, elevation: 0, axes: [1, 0, 0]),
    Case(azimuth: 90, elevation: 0, axes: [0, 1, 0]),
    Case(azimuth: 180, elevation: 0, axes: [-1, 0, 0]),
    Case(azimuth: 270, elevation: 0, axes: [0, -1, 0]),
    Case(azimuth: 0, elevation: 90, axes: [0, 0, 1]),
    Case(azimuth: 0, elevation: -90, axes: [0, 0, -1]),
    Case(azimuth: 45, elevation: 0, axes: [half, half, 0]),
    Case(azimuth: 225, elevation: -30, axes: [-0.375.squareRoot(), -0.375.squareRoot(), -0.5]),
  ]

  @Test(arguments: cases) func vector(_ each: Case) {
    let direction = SphericalDirection(azimuth: each.azimuth, elevation: each.elevation)
    #expect((direction.unitVector - each.vector).length < 1e-12)
  }

  @Test(arguments: cases, [0.3, 1, 7]) func cartesian(_ each: Case, distance: Double) {
    let direction = SphericalDirection(cartesian: distance * each.vector)
    #expect(abs(direction.distance - distance) < 1e-12)
    #expect(abs(direction.elevation - each.elevation) < 1e-9)
    #expect((direction.unitVector - each.vector).length < 1e-12)
    #expect((0..<360).contains(direction.azimuth))
  }

  @Test(arguments: [(360.0, 0.0), (-90, 270), (725, 5), (-1e-20, 0), (359.5, 359.5)])
  func azimuthIsBroughtIntoItsRange(given: Double, expected: Double) {
    #expect(SphericalDirection(azimuth: given, elevation: 0).azimuth == expected)
  }

  /// Great-circle angles by the spherical law of cosines.
  @Test(arguments: [
    (0.0, 0.0, 0.0, 0.0, 0.0), (0, 0, 90, 0, 90), (0, 0, 180, 0, 180), (10, 90, 200, 90, 0),
    (0, -90, 0, 90, 180), (0, 60, 180, 60, 60), (350, 0, 10, 0, 20),
    (0, 45, 90, 45, 60),
  ])
  func angle(a1: Double, e1: Double, a2: Double, e2: Double, expected: Double) {
    let first = SphericalDirection(azimuth: a1, elevation: e1, distance: 2)
    let second = SphericalDirection(azimuth: a2, elevation: e2)
    #expect(abs(first.angle(to: second) - expected) < 1e-9)
    #expect(abs(second.angle(to: first) - expected) < 1e-9)
  }
}
