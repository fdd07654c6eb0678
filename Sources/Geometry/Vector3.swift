/// A vector of three Doubles; which axes it refers to, the name or comment at its use says.
public typealias Vector3 = SIMD3<Double>

extension SIMD3 where Scalar == Double {
  /// Scalar product.
  @inlinable public func dot(_ other: Self) -> Double { (self * other).sum() }

  /// Vector product, right-handed.
  @inlinable public func cross(_ other: Self) -> Self {
    Self(
      y * other.z - z * other.y,
      z * other.x - x * other.z,
      x * other.y - y * other.x)
  }

  /// Euclidean length.
  @inlinable public var length: Double { dot(self).squareRoot() }

  /// The vector of length 1 in this direction; not a number for the zero vector.
  @inlinable public var normalized: Self { self / length }
}
