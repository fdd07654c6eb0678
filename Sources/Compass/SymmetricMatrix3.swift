public import Geometry
import Glibc

/// A symmetric 3 × 3 matrix.
public struct SymmetricMatrix3: Equatable, Sendable {
  /// The elements on and above the diagonal.
  public var xx, yy, zz, xy, xz, yz: Double

  /// The matrix of these elements.
  public init(xx: Double, yy: Double, zz: Double, xy: Double = 0, xz: Double = 0, yz: Double = 0) {
    (self.xx, self.yy, self.zz) = (xx, yy, zz)
    (self.xy, self.xz, self.yz) = (xy, xz, yz)
  }

  /// 1 on the diagonal.
  public static let identity = SymmetricMatrix3(xx: 1, yy: 1, zz: 1)

  /// The product with a column.
  public static func * (matrix: Self, vector: Vector3) -> Vector3 {
    Vector3(
      matrix.xx * vector.x + matrix.xy * vector.y + matrix.xz * vector.z,
      matrix.xy * vector.x + matrix.yy * vector.y + matrix.yz * vector.z,
      matrix.xz * vector.x + matrix.yz * vector.y + matrix.zz * vector.z)
  }

  /// The matrix times a number.
  public static func * (factor: Double, matrix: Self) -> Self {
    Self(
      xx: factor * matrix.xx, yy: factor * matrix.yy, zz: factor * matrix.zz,
      xy: factor * matrix.xy, xz: factor * matrix.xz, yz: factor * matrix.yz)
  }

  /// The determinant.
  public var determinant: Double {
    xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
  }

  /// The three rows.
  public var rows: [[Double]] { [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]] }
}

extension SymmetricMatrix3 {
  /// Eigenvalues, least first, with unit eigenvectors.
  ///
  /// Cyclic Jacobi rotations (Golub and Van Loan, *Matrix Computations*, section 8.5), which for three
  /// rows reach full precision within a few sweeps.
  public var eigensystem: [(value: Double, vector: Vector3)] {
    var matrix = rows
    var vectors: [[Double]] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    for _ in 0..<30 {
      let off = abs(matrix[0][1]) + abs(matrix[0][2]) + abs(matrix[1][2])
      guard off > 1e-17 * (abs(matrix[0][0]) + abs(matrix[1][1]) + abs(matrix[2][2])) else { break }
      for (p, q) in [(0, 1), (0, 2), (1, 2)] where matrix[p][q] != 0 {
        let theta = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q])
        let tangent = copysign(1, theta) / (abs(theta) + hypot(theta, 1))
        let cosine = 1 / hypot(tangent, 1)
        let sine = tangent * cosine
        for k in 0..<3 {
          let (a, b) = (matrix[k][p], matrix[k][q])
          (matrix[k][p], matrix[k][q]) = (cosine * a - sine * b, sine * a + cosine * b)
        }
        for k in 0..<3 {
          let (a, b) = (matrix[p][k], matrix[q][k])
          (matrix[p][k], matrix[q][k]) = (cosine * a - sine * b, sine * a + cosine * b)
          let (v, w) = (vectors[k][p], vectors[k][q])
          (vectors[k][p], vectors[k][q]) = (cosine * v - sine * w, sine * v + cosine * w)
        }
      }
    }
    return (0..<3)
      .map { (matrix[$0][$0], Vector3(vectors[0][$0], vectors[1][$0], vectors[2][$0])) }
      .sorted { $0.value < $1.value }
  }

  /// The greatest eigenvalue over the least.
  var stretch: Double {
    let system = eigensystem
    return system[2].value / system[0].value
  }

  /// The symmetric matrix whose square this is; nil unless all eigenvalues are positive.
  public var squareRoot: SymmetricMatrix3? {
    let system = eigensystem
    guard system.allSatisfy({ $0.value > 0 && $0.value.isFinite }) else { return nil }
    var root = SymmetricMatrix3(xx: 0, yy: 0, zz: 0)
    for (value, v) in system { root.add(v, weight: value.squareRoot()) }
    return root
  }

  /// Adds `weight` times the product of a column with itself as a row.
  mutating func add(_ v: Vector3, weight: Double) {
    xx += weight * v.x * v.x
    yy += weight * v.y * v.y
    zz += weight * v.z * v.z
    xy += weight * v.x * v.y
    xz += weight * v.x * v.z
    yz += weight * v.y * v.z
  }
}
