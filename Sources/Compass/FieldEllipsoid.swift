public import Geometry
import Glibc

/// The surface on which a magnetometer's readings lie as it is turned in a constant field: a sphere about
/// the hard iron's field, drawn out to an ellipsoid by soft iron.
public struct FieldEllipsoid: Equatable, Sendable {
  /// The hard iron's field, µT.
  public var centre: Vector3
  /// Takes the ellipsoid to a sphere; of determinant 1, so that it keeps the volume.
  public var shape: SymmetricMatrix3
  /// That sphere's radius, µT.
  public var radius: Double
  /// Largest standard deviation of the centre's coordinates, µT.
  public var centreDeviation: Double
  /// Largest standard deviation of the shape's elements.
  public var shapeDeviation = 0.0

  /// A reading without hard and soft iron, µT.
  public func corrected(_ field: Vector3) -> Vector3 { shape * (field - centre) }

  /// How far a corrected reading lies outside the sphere, µT.
  public func residual(_ field: Vector3) -> Double { corrected(field).length - radius }
}

extension FieldEllipsoid {
  /// The sphere |m|² = 2c·m + (r² − |c|²), linear in c and the bracket, by least squares; nil where the
  /// readings determine none.
  public static func sphere(_ samples: [FieldSamples.Sample]) -> FieldEllipsoid? {
    guard let unit = UnitScale(samples) else { return nil }
    var equations = NormalEquations(unknowns: 4)
    for sample in samples {
      let m = unit.scaled(sample.field)
      equations.add([2 * m.x, 2 * m.y, 2 * m.z, 1], equals: m.dot(m), weight: sample.weight)
    }
    guard let (x, deviations) = equations.solve() else { return nil }
    let centre = Vector3(x[0], x[1], x[2])
    let square = x[3] + centre.dot(centre)
    guard square > 0 else { return nil }
    return FieldEllipsoid(
      centre: unit.unscaled(centre), shape: .identity, radius: square.squareRoot() * unit.size,
      centreDeviation: deviations[..<3].reduce(0, max) * unit.size)
  }

  /// The ellipsoid mᵀQm + 2n·m + d = 0 by least squares, nil where the readings determine none.
  ///
  /// Of the quadric's ten coefficients nine are free. The trace of Q is set to 3, which, unlike a
  /// constant d, favours no place or direction: Q = I + [[a, c, d], [c, b, e], [d, e, −a − b]].
  /// Then centre = −Q⁻¹n, and with k = n·Q⁻¹n − d the matrix (Q/k)^½ takes readings to the unit sphere.
  /// Q. Li and J. G. Griffiths, "Least squares ellipsoid specific fitting", Proc. Geometric Modeling and
  /// Processing 2004; the quadric's own norm needs no eigenproblem where the shape is near a sphere.
  public static func ellipsoid(_ samples: [FieldSamples.Sample]) -> FieldEllipsoid? {
    guard let unit = UnitScale(samples) else { return nil }
    var equations = NormalEquations(unknowns: 9)
    for sample in samples {
      let m = unit.scaled(sample.field)
      equations.add(
        [
          m.x * m.x - m.z * m.z, m.y * m.y - m.z * m.z, 2 * m.x * m.y, 2 * m.x * m.z,
          2 * m.y * m.z, 2 * m.x, 2 * m.y, 2 * m.z, 1,
        ], equals: -m.dot(m), weight: sample.weight)
    }
    guard let (x, deviations) = equations.solve() else { return nil }
    let quadric = SymmetricMatrix3(
      xx: 1 + x[0], yy: 1 + x[1], zz: 1 - x[0] - x[1], xy: x[2], xz: x[3], yz: x[4])
    let n = Vector3(x[5], x[6], x[7])
    var centre = Vector3()
    for (value, vector) in quadric.eigensystem {
      guard value > 0 else { return nil }
      centre -= vector.dot(n) / value * vector
    }
    let k = -centre.dot(n) - x[8]
    guard k > 0, let root = ((1 / k) * quadric).squareRoot else { return nil }
    let radius = 1 / cbrt(root.determinant)
    guard radius.isFinite, radius > 0 else { return nil }
    return FieldEllipsoid(
      centre: unit.unscaled(centre), shape: radius * root, radius: radius * unit.size,
      centreDeviation: deviations[5..<8].reduce(0, max) * unit.size,
      shapeDeviation: deviations[..<5].reduce(0, max) / 2)
  }
}

/// Shift and scale that bring readings near the unit sphere, for sums of their squares and fourth powers
/// to lose no precision.
private struct UnitScale {
  let origin: Vector3
  let size: Double

  init?(_ samples: [FieldSamples.Sample]) {
    var (sum, weight) = (Vector3(), 0.0)
    for sample in samples {
      sum += sample.weight * sample.field
      weight += sample.weight
    }
    let origin = sum / weight
    let square = samples.reduce(0) {
      let arm = $1.field - origin
      return $0 + $1.weight * arm.dot(arm)
    }
    size = (square / weight).squareRoot()
    self.origin = origin
    guard size > 0, size.isFinite else { return nil }
  }

  func scaled(_ field: Vector3) -> Vector3 { (field - origin) / size }
  func unscaled(_ vector: Vector3) -> Vector3 { origin + size * vector }
}
