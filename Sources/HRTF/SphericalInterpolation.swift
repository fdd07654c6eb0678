package import Geometry
import Glibc

/// Weights of scattered directions on the sphere for the value at another direction.
///
/// Moving least squares of first order in the tangent plane (Lancaster and Salkauskas, Math. Comp. 37
/// (1981)) over the nearest directions: it passes through the measured values, reproduces a linear
/// course between them on any layout, and at a hole in the layout goes over into the mean of the
/// directions around it. Held-out tests on four published sets put it level with barycentric
/// interpolation on a spherical triangulation, which needs a layout without holes.
package struct SphericalInterpolation {
  /// A direction's share in the value.
  package struct Weight {
    package var index: Int
    package var value: Double
  }

  private let index: DirectionIndex
  /// How many directions take part where they lie evenly.
  private static let neighbours = 10
  /// Directions nearer than this are taken as the same, as a cosine's distance from 1 (0.006°).
  private static let same = 5e-9

  /// Interpolates between these unit vectors.
  package init(_ directions: [Vector3]) { index = DirectionIndex(directions) }

  /// The weights for a direction, their sum 1.
  package func weights(at point: Vector3) -> [Weight] {
    let nearest = nearest(point)
    guard let first = nearest.first else { return [] }
    if first.distance < (2 * Self.same).squareRoot() {
      return [Weight(index: first.index, value: 1)]
    }
    return weights(of: nearest, at: point)
  }

  /// The directions that take part, nearest first, with their chord distances: a fixed number, and
  /// all those hardly farther than the nearest, so that no ring around a hole is cut in two.
  private func nearest(_ point: Vector3) -> [(index: Int, distance: Double)] {
    var reach = index.reach(of: Self.neighbours)
    while true {
      let near = index.within(reach, of: point)
      if near.count >= Self.neighbours, 1.5 * near[0].distance <= reach || reach > 2 {
        let count = near.firstIndex { $0.distance > 1.5 * near[0].distance } ?? near.count
        return Array(near.prefix(max(Self.neighbours, count)))
      }
      if reach > 2 { return near }
      reach *= 2
    }
  }

  private func weights(
    of nearest: [(index: Int, distance: Double)], at point: Vector3
  ) -> [Weight] {
    let helper: Vector3 = abs(point.x) < 0.9 ? [1, 0, 0] : [0, 1, 0]
    let first = helper.cross(point).normalized
    let second = point.cross(first)
    let radius = (nearest.last?.distance ?? 1) * 1.05
    // Normal equations of the plane c0 + c1 u + c2 v through the values, weighted by nearness.
    var moments = [Double](repeating: 0, count: 6)
    let samples = nearest.map { neighbour in
      let offset = index.directions[neighbour.index] / radius
      let (u, v, d) = (offset.dot(first), offset.dot(second), neighbour.distance / radius)
      let weight = (1 - d) * (1 - d) / (d * d)
      moments[0] += weight
      moments[1] += weight * u
      moments[2] += weight * v
      moments[3] += weight * u * u
      moments[4] += weight * u * v
      moments[5] += weight * v * v
      return (index: neighbour.index, u: u, v: v, weight: weight)
    }
    // A slope that the layout does not show is taken as none.
    let ridge = 1e-3 * (moments[3] + moments[5])
    let row = Self.firstRowOfInverse(
      moments[0], moments[1], moments[2], moments[3] + ridge, moments[4], moments[5] + ridge)
    let trust = Self.trustInSlope(
      centroid: (moments[1] * moments[1] + moments[2] * moments[2]) / moments[0],
      spread: moments[3] + moments[5])
    return samples.map { sample in
      let plane = row.x + row.y * sample.u + row.z * sample.v
      return Weight(
        index: sample.index,
        value: sample.weight * (trust * plane + (1 - trust) / moments[0]))
    }
  }

  /// How far the plane is followed, from 1 between directions to 0 beside them all, where only their
  /// weighted mean is safe: a slope carried on over a hole would lead anywhere.
  ///
  /// - Parameters:
  ///   - centroid: Squared distance of the neighbours' centre from the point, times their weight.
  ///   - spread: Their weighted squared distances from the point.
  private static func trustInSlope(centroid: Double, spread: Double) -> Double {
    let x = max(0, min(1, ((centroid / spread).squareRoot() - 0.3) / 0.5))
    return 1 - x * x * (3 - 2 * x)
  }

  /// The first row of the inverse of the symmetric matrix [a b c; b d e; c e f].
  private static func firstRowOfInverse(
    _ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double
  ) -> Vector3 {
    let cofactors = Vector3(d * f - e * e, c * e - b * f, b * e - c * d)
    return cofactors / (a * cofactors.x + b * cofactors.y + c * cofactors.z)
  }
}
