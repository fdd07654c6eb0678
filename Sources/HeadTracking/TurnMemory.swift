import Geometry

/// The last seconds of yaw and course, by which turns show.
///
/// A receiver smooths its course, so that it comes late. While somebody turns a corner, yaw and course
/// both sweep; in a glance the yaw alone does.
struct TurnMemory: Sendable {
  /// The yaw since the first frame, degrees, not wrapped.
  private(set) var yaw = 0.0
  /// Degrees that the yaw turned between the last two frames.
  private(set) var lastTurn = 0.0
  private var lastFrameYaw: Double?
  private var yaws = InlineArray<7, Double>(repeating: 0)
  private var yawCount = 0
  private var secondsToNext = 0.0
  private var courses = InlineArray<4, Double>(repeating: 0)
  private var courseCount = 0

  /// Seconds between the yaws that are kept; all of them span 3 s.
  private static let interval = 0.5
  /// The sweep, degrees, that swaying and noise make on a straight way.
  private static let idleSweep = 15.0

  /// Takes the yaw of a frame, degrees, and the time since the frame before.
  mutating func add(yaw frameYaw: Double, seconds: Double) {
    lastTurn = signedDegrees(frameYaw - (lastFrameYaw ?? frameYaw))
    yaw += lastTurn
    lastFrameYaw = frameYaw
    secondsToNext -= seconds
    guard secondsToNext <= 0 else { return }
    secondsToNext = Self.interval
    yaws[yawCount % 7] = yaw
    yawCount += 1
  }

  /// Takes the course of a fix, and returns by how many degrees it may lag behind: half of what both
  /// yaw and course have swept beyond the usual.
  mutating func lag(course: Double) -> Double {
    courses[courseCount % 4] = course
    courseCount += 1
    var ways = (least: 0.0, most: 0.0)
    for index in 0..<min(courseCount, 4) {
      let way = signedDegrees(courses[index] - course)
      ways = (min(ways.least, way), max(ways.most, way))
    }
    var turns = (least: 0.0, most: 0.0)
    for index in 0..<min(yawCount, 7) {
      turns = (min(turns.least, yaws[index] - yaw), max(turns.most, yaws[index] - yaw))
    }
    let sweep = min(ways.most - ways.least, turns.most - turns.least)
    return max(0, sweep - Self.idleSweep) / 2
  }
}
