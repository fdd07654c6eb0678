import Glibc

/// A rotation, as a unit quaternion x i + y j + z k + w, in the order of Core Motion and of the logs.
///
/// `q.rotate(v)` takes a vector from the body's axes to the reference frame's. `p * q` rotates by q
/// first.
public struct Quaternion: Equatable, Sendable {
  /// The imaginary parts and the real one, w.
  public var x, y, z, w: Double

  /// No rotation.
  public static let identity = Quaternion(x: 0, y: 0, z: 0, w: 1)

  /// The quaternion of these parts, taken as they are: for a rotation they must have length 1. See
  /// `init(normalizing:)` for parts from outside.
  @inlinable public init(x: Double, y: Double, z: Double, w: Double) {
    self.x = x
    self.y = y
    self.z = z
    self.w = w
  }

  /// The rotation nearest to parts that come from outside, or nil if one is not finite or their
  /// length is not between 0.5 and 2, where no rounding explains it.
  public init?(normalizing x: Double, _ y: Double, _ z: Double, _ w: Double) {
    let length = (x * x + y * y + z * z + w * w).squareRoot()
    guard length > 0.5, length < 2 else { return nil }
    self.init(x: x / length, y: y / length, z: z / length, w: w / length)
  }

  /// The right-handed rotation by an angle about a unit vector.
  public init(radians angle: Double, about axis: Vector3) {
    let sine = sin(angle / 2)
    self.init(x: sine * axis.x, y: sine * axis.y, z: sine * axis.z, w: cos(angle / 2))
  }

  /// The inverse rotation.
  @inlinable public var conjugate: Quaternion { Quaternion(x: -x, y: -y, z: -z, w: w) }

  /// The rotation by `right` and then by `left` (Hamilton's product).
  @inlinable public static func * (left: Quaternion, right: Quaternion) -> Quaternion {
    Quaternion(
      x: left.w * right.x + left.x * right.w + left.y * right.z - left.z * right.y,
      y: left.w * right.y - left.x * right.z + left.y * right.w + left.z * right.x,
      z: left.w * right.z + left.x * right.y - left.y * right.x + left.z * right.w,
      w: left.w * right.w - left.x * right.x - left.y * right.y - left.z * right.z)
  }

  /// The vector after the rotation.
  @inlinable public func rotate(_ vector: Vector3) -> Vector3 {
    let imaginary = Vector3(x, y, z)
    let twice = 2 * imaginary.cross(vector)
    return vector + w * twice + imaginary.cross(twice)
  }
}
