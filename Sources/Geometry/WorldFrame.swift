import Glibc

/// The world frame: x east, y north, z up (ENU), and how directions and head attitudes lie in it.
public enum WorldFrame {
  /// The unit vector of a direction: azimuth clockwise from north, elevation up, degrees.
  public static func direction(azimuth: Double, elevation: Double = 0) -> Vector3 {
    let (a, e) = (radians(degrees: azimuth), radians(degrees: elevation))
    return Vector3(cos(e) * sin(a), cos(e) * cos(a), sin(e))
  }

  /// A Core Motion attitude turned about the vertical so that its heading is `heading` degrees.
  ///
  /// Core Motion's frame has an arbitrary zero of yaw; calibration gives the true heading of the yaw
  /// that the attitude has. Pitch and roll stay as they are.
  public static func attitude(
    _ attitude: Quaternion, yaw: Double, heading: Double
  ) -> Quaternion {
    // With x right, y ahead and z up a yaw of 0 looks north; heading grows clockwise, yaw the other
    // way.
    Quaternion(radians: -radians(degrees: heading) - yaw, about: Vector3(0, 0, 1)) * attitude
  }

  // Vectors are not made of array literals here: a debug build would allocate arrays.

  /// Where the nose points in the world, for a head with x right, y ahead and z up.
  public static func ahead(_ attitude: Quaternion) -> Vector3 { attitude.rotate(Vector3(0, 1, 0)) }

  /// Where the crown points in the world.
  public static func up(_ attitude: Quaternion) -> Vector3 { attitude.rotate(Vector3(0, 0, 1)) }
}
