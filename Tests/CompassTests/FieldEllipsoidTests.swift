import Compass
import Geometry
import Glibc
import Testing

@Suite struct FieldEllipsoidTests {
  /// Sixty directions on a spiral, soft iron, hard iron, and something like noise.
  private static let samples = (0..<60).map { index -> FieldSamples.Sample in
    let k = Double(index)
    let z = 1 - 2 * (k + 0.5) / 60
    let (turn, radius) = (k * .pi * (3 - 5.0.squareRoot()), (1 - z * z).squareRoot())
    let unit = Vector3(radius * cos(turn), radius * sin(turn), z)
    let softIron = SymmetricMatrix3(xx: 1.15, yy: 1, zz: 1, xy: 0.08)
    return .init(
      softIron * (48 * unit) + Vector3(22, -27, 14)
        + 0.6 * Vector3(sin(k), sin(2 * k), sin(3 * k)))
  }

  /// By numpy: the rows [x²−z², y²−z², 2xy, 2xz, 2yz, 2x, 2y, 2z, 1] of the readings as they are,
  /// `np.linalg.lstsq(A, -(m * m).sum(1))`, centre by `np.linalg.solve`, root by `np.linalg.eigh`.
  @Test func ellipsoidAsByNumpy() throws {
    let fit = try #require(FieldEllipsoid.ellipsoid(Self.samples))
    let centre = Vector3(21.999207210720705, -26.995402018191125, 14.015732247134059)
    #expect((fit.centre - centre).length < 1e-9)
    #expect(abs(fit.radius - 50.191294322595766) < 1e-9)
    let shape = [
      [0.9116803020674258, -0.07065448584539631, -0.000531073247052768],
      [-0.07065448584539627, 1.0534291210402469, 0.0004449376864816481],
      [-0.000531073247052767, 0.0004449376864816478, 1.0466841011644785],
    ]
    for (row, expected) in zip(fit.shape.rows, shape) {
      for (value, expected) in zip(row, expected) { #expect(abs(value - expected) < 1e-11) }
    }
  }

  /// By numpy: `np.linalg.lstsq(np.hstack([2 * m, np.ones((60, 1))]), (m * m).sum(1))`.
  @Test func sphereAsByNumpy() throws {
    let fit = try #require(FieldEllipsoid.sphere(Self.samples))
    let centre = Vector3(21.997734750574416, -27.001557139018395, 14.00799985132518)
    #expect((fit.centre - centre).length < 1e-9)
    #expect(abs(fit.radius - 50.60343734350939) < 1e-9)
  }

  /// Moved far off, readings lose no more than their own rounding.
  @Test func isWellConditioned() throws {
    let far = Vector3(1e5, -2e5, 3e5)
    let moved = Self.samples.map { FieldSamples.Sample($0.field + far) }
    let (here, there) = (
      try #require(FieldEllipsoid.ellipsoid(Self.samples)),
      try #require(FieldEllipsoid.ellipsoid(moved))
    )
    #expect((there.centre - far - here.centre).length < 1e-8)
    #expect(abs(there.radius - here.radius) < 1e-8)
  }

  @Test func degenerateReadingsHaveNone() {
    func samples(_ fields: [Vector3]) -> [FieldSamples.Sample] { fields.map { .init($0) } }
    for fields in [
      [], [Vector3(1, 2, 3)], Array(repeating: Vector3(1, 2, 3), count: 50),
      (0..<50).map { Vector3(Double($0), 0, 0) },
      (0..<50).map { Vector3(cos(Double($0)), sin(Double($0)), 0) },
      [Vector3(.nan, 0, 0)] + Self.samples.map(\.field),
    ] {
      #expect(FieldEllipsoid.ellipsoid(samples(fields)) == nil)
      #expect(FieldEllipsoid.sphere(samples(fields)) == nil)
    }
  }

  /// By numpy: `np.linalg.eigh([[2, -1, 0.5], [-1, 3, 0.25], [0.5, 0.25, 1]])`.
  @Test func eigenvalues() {
    let matrix = SymmetricMatrix3(xx: 2, yy: 3, zz: 1, xy: -1, xz: 0.5, yz: 0.25)
    let system = matrix.eigensystem
    for (found, expected) in zip(
      system, [0.6018259276135289, 1.7791240220020814, 3.6190500503843883])
    {
      #expect(abs(found.value - expected) < 1e-12)
      #expect((matrix * found.vector - found.value * found.vector).length < 1e-12)
    }
    let root = matrix.squareRoot ?? .identity
    for vector in [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)] {
      #expect((root * (root * vector) - matrix * vector).length < 1e-12)
    }
    #expect(SymmetricMatrix3(xx: 1, yy: -1, zz: 1).squareRoot == nil)
    #expect(abs(matrix.determinant - 3.875) < 1e-12)
  }
}
