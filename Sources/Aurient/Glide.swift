import Geometry
import Glibc

/// How far what is heard turns at once. OpenAL fades from one direction into another within 128 frames, and a
/// tone that goes from one ear to the other in that time would step by more than it does by itself. So a greater
/// turn is made of several, some frames apart; those of a head that turns are never so great.
enum Glide {
  /// Degrees of one turn.
  static let limit = 10.0
  /// Frames from one turn to the next.
  static let interval = 128

  /// Cosine of the limit.
  private static let cosine = cos(radians(degrees: limit))

  /// The attitude on the way from one to another that is as near as may be; the other itself if it is near.
  static func step(_ from: Facing, to target: Facing) -> Facing {
    if from.ahead.dot(target.ahead) >= cosine, from.up.dot(target.up) >= cosine { return target }
    var turn = target.attitude * from.attitude.conjugate
    if turn.w < 0 { turn = Quaternion(x: -turn.x, y: -turn.y, z: -turn.z, w: -turn.w) }
    let axis = Vector3(turn.x, turn.y, turn.z)
    let step = Quaternion(radians: radians(degrees: limit), about: axis.normalized)
    return Facing(ahead: step.rotate(from.ahead), up: step.rotate(from.up))
  }

  /// The bearing on the way from one to another, likewise.
  static func step(_ from: Double, to target: Double) -> Double {
    let way = signedDegrees(target - from)
    return abs(way) <= limit ? target : positiveDegrees(from + (way < 0 ? -limit : limit))
  }
}

/// Where nose and crown point, unit vectors in the world frame at right angles.
struct Facing: Equatable {
  var ahead: Vector3
  var up: Vector3

  /// The attitude of a head with x right, y ahead and z up (Shepperd, 'Quaternion from rotation matrix', Journal
  /// of Guidance and Control 1(3), 1978).
  var attitude: Quaternion {
    let (r, a, u) = (ahead.cross(up), ahead, up)
    let trace = r.x + a.y + u.z
    let greatest = max(max(trace, r.x), max(a.y, u.z))
    let q =
      switch greatest {
      case trace: Quaternion(x: a.z - u.y, y: u.x - r.z, z: r.y - a.x, w: 1 + trace)
      case r.x: Quaternion(x: 1 + 2 * r.x - trace, y: r.y + a.x, z: u.x + r.z, w: a.z - u.y)
      case a.y: Quaternion(x: r.y + a.x, y: 1 + 2 * a.y - trace, z: a.z + u.y, w: u.x - r.z)
      default: Quaternion(x: u.x + r.z, y: a.z + u.y, z: 1 + 2 * u.z - trace, w: r.y - a.x)
      }
    let length = (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w).squareRoot()
    return Quaternion(x: q.x / length, y: q.y / length, z: q.z / length, w: q.w / length)
  }
}

/// Where the listener is heard to face, and was before the turn that is made now. No generic type with the bearing's:
/// Swift's runtime would make that at its first use, and allocate.
struct GlidingFacing {
  private(set) var value: Facing
  private var before: Facing

  /// Faces somewhere from the beginning.
  init(_ value: Facing) {
    self.value = value
    before = value
  }

  /// Turns by a step towards another attitude.
  ///
  /// - Parameter goesOn: Whether the step starts from what is heard now, or again from what was before.
  mutating func turn(to target: Facing, goesOn: Bool) {
    if goesOn { before = value }
    value = Glide.step(before, to: target)
  }
}

/// Where a beacon is heard, degrees, likewise.
struct GlidingBearing {
  private(set) var value: Double
  private var before: Double

  /// In a direction from the beginning.
  init(_ value: Double) {
    self.value = value
    before = value
  }

  /// Turns by a step towards another direction.
  mutating func turn(to target: Double, goesOn: Bool) {
    if goesOn { before = value }
    value = Glide.step(before, to: target)
  }
}
