import Glibc

/// The Euler angles of Core Motion's `CMAttitude`, radians: intrinsic Z-X′-Y″.
///
/// From the reference frame the body turns by `yaw` about z (up), then by `pitch` about its own new
/// x (right), then by `roll` about its own newest y (ahead); each counterclockwise as seen from the
/// axis's tip. Recorded AirPods frames agree with this order to 0.001° and with no other; for the
/// order of aviation see `AerospaceAngles`.
public struct CoreMotionAngles: Equatable, Sendable {
  /// About z, (−π, π].
  public var yaw: Double
  /// About x, [−π/2, π/2].
  public var pitch: Double
  /// About y, (−π, π].
  public var roll: Double

  /// The angles, radians.
  public init(yaw: Double, pitch: Double, roll: Double) {
    self.yaw = yaw
    self.pitch = pitch
    self.roll = roll
  }

  /// The angles of a rotation. At a pitch of ±90°, where yaw and roll turn about the same axis, the
  /// roll is 0.
  public init(_ q: Quaternion) {
    let sine = max(-1, min(1, 2 * (q.y * q.z + q.w * q.x)))
    pitch = asin(sine)
    if abs(sine) > 1 - 1e-12 {
      yaw = atan2(2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.y * q.y + q.z * q.z))
      roll = 0
    } else {
      yaw = atan2(2 * (q.w * q.z - q.x * q.y), 1 - 2 * (q.x * q.x + q.z * q.z))
      roll = atan2(2 * (q.w * q.y - q.x * q.z), 1 - 2 * (q.x * q.x + q.y * q.y))
    }
  }

  /// The rotation that the angles describe.
  public var quaternion: Quaternion {
    Quaternion(radians: yaw, about: Vector3(0, 0, 1))
      * Quaternion(radians: pitch, about: Vector3(1, 0, 0))
      * Quaternion(radians: roll, about: Vector3(0, 1, 0))
  }
}

/// The Euler angles of aviation, radians: intrinsic Z-Y′-X″ (Tait-Bryan angles of ISO 1151-2).
///
/// The body turns by `yaw` about z, then by `pitch` about its own new y, then by `roll` about its own
/// newest x. Some articles give these for head trackers; Core Motion's are `CoreMotionAngles`.
public struct AerospaceAngles: Equatable, Sendable {
  /// About z, (−π, π].
  public var yaw: Double
  /// About y, [−π/2, π/2].
  public var pitch: Double
  /// About x, (−π, π].
  public var roll: Double

  /// The angles, radians.
  public init(yaw: Double, pitch: Double, roll: Double) {
    self.yaw = yaw
    self.pitch = pitch
    self.roll = roll
  }

  /// The angles of a rotation. At a pitch of ±90°, where yaw and roll turn about the same axis, the
  /// roll is 0.
  public init(_ q: Quaternion) {
    let sine = max(-1, min(1, 2 * (q.w * q.y - q.x * q.z)))
    pitch = asin(sine)
    if abs(sine) > 1 - 1e-12 {
      yaw = atan2(2 * (q.w * q.z - q.x * q.y), 1 - 2 * (q.x * q.x + q.z * q.z))
      roll = 0
    } else {
      yaw = atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z))
      roll = atan2(2 * (q.w * q.x + q.y * q.z), 1 - 2 * (q.x * q.x + q.y * q.y))
    }
  }

  /// The rotation that the angles describe.
  public var quaternion: Quaternion {
    Quaternion(radians: yaw, about: Vector3(0, 0, 1))
      * Quaternion(radians: pitch, about: Vector3(0, 1, 0))
      * Quaternion(radians: roll, about: Vector3(1, 0, 0))
  }
}
