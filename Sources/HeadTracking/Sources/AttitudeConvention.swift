import Geometry

/// Yaw, pitch and roll in degrees, with the signs of whoever sent them.
struct DegreeAngles: Equatable, Sendable {
  var yaw = 0.0
  var pitch = 0.0
  var roll = 0.0

  /// Why they are no attitude, or nil.
  var fault: MotionFault? {
    guard yaw.isFinite, pitch.isFinite, roll.isFinite else { return .notFinite }
    return abs(yaw) <= 360 && abs(pitch) <= 360 && abs(roll) <= 360 ? nil : .outOfRange
  }
}

/// What the numbers of a protocol mean, and the head's attitude in Core Motion's axes (x right, y
/// ahead, z up) that follows.
///
/// In each the head turns by yaw, then by pitch about its own lateral axis, then by roll about its own
/// axis ahead; they differ in signs and in whether head or scene turns.
enum AttitudeConvention: Sendable {
  /// The scene turns, as if around a head at rest: the inverse of the head's rotation. Axes x ahead, y
  /// left, z up, right-handed. So a positive yaw means a head turned right, a positive pitch one looking
  /// up, a positive roll one with the left ear down.
  case scene
  /// The head turns: yaw left, pitch up, roll right ear down.
  case headLeft
  /// The head turns: yaw right, pitch up, roll right ear down.
  case headRight
  /// The head's attitude in Core Motion's own axes.
  case coreMotion

  /// The attitude that the angles describe.
  func attitude(_ angles: DegreeAngles) -> Quaternion {
    func rotation(yaw: Double, pitch: Double) -> Quaternion {
      CoreMotionAngles(
        yaw: radians(degrees: yaw), pitch: radians(degrees: pitch),
        roll: radians(degrees: angles.roll)
      ).quaternion
    }
    return switch self {
    case .scene: rotation(yaw: angles.yaw, pitch: -angles.pitch).conjugate
    case .headLeft, .coreMotion: rotation(yaw: angles.yaw, pitch: angles.pitch)
    case .headRight: rotation(yaw: -angles.yaw, pitch: angles.pitch)
    }
  }

  /// The attitude that a quaternion describes.
  func attitude(_ q: Quaternion) -> Quaternion {
    switch self {
    case .scene: Quaternion(x: -q.y, y: q.x, z: q.z, w: q.w).conjugate
    case .headLeft, .headRight, .coreMotion: q
    }
  }
}
