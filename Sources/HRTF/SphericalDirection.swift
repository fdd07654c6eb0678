public import Geometry
import Glibc

/// A direction and distance as SOFA gives them: azimuth counterclockwise from ahead (90 is left),
/// elevation up, degrees; distance in metres.
public struct SphericalDirection: Hashable, Sendable {
  /// Degrees counterclockwise from ahead, [0, 360).
  public var azimuth: Double
  /// Degrees above the horizontal plane, [−90, 90].
  public var elevation: Double
  /// Metres from the centre of the head.
  public var distance: Double

  /// A direction; any azimuth is brought into [0, 360).
  public init(azimuth: Double, elevation: Double, distance: Double = 1) {
    self.azimuth = positiveDegrees(azimuth)
    self.elevation = elevation
    self.distance = distance
  }

  /// The direction of a place in SOFA's axes: x ahead, y left, z up, metres.
  public init(cartesian place: Vector3) {
    let horizontal = hypot(place.x, place.y)
    self.init(
      azimuth: degrees(radians: atan2(place.y, place.x)),
      elevation: degrees(radians: atan2(place.z, horizontal)),
      distance: hypot(horizontal, place.z))
  }

  /// The unit vector of the direction in SOFA's axes: x ahead, y left, z up.
  public var unitVector: Vector3 {
    let (a, e) = (radians(degrees: azimuth), radians(degrees: elevation))
    return Vector3(cos(e) * cos(a), cos(e) * sin(a), sin(e))
  }

  /// The great-circle angle to another direction, degrees.
  public func angle(to other: SphericalDirection) -> Double {
    let (a, b) = (unitVector, other.unitVector)
    return degrees(radians: atan2(a.cross(b).length, a.dot(b)))
  }
}
