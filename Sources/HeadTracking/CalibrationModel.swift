/// What is taken to be true of heads, phones, receivers and gyroscopes: standard deviations in
/// degrees, times in seconds, rates a second.
enum CalibrationModel {
  /// Of a direction of which nothing is known: that of a uniform distribution over the circle.
  static let anyDirection = 104.0
  /// Head about body while walking, a first-order Gauss–Markov process with this correlation time.
  static let sway = 5.5
  static let swayTime = 1.5
  /// Head against body in a glance; how far it moves about there, for √second.
  static let glance = 45.0
  static let glanceWalk = 8.0
  /// How likely there is one at first.
  static let initialGlance = 0.15
  /// How often glances begin, and end.
  static let glanceRate = 0.1
  static let glanceEndRate = 0.3
  /// Drift of the yaw's zero, degrees a second: at first, and in the long run with its correlation
  /// time. 0.04 is 2.4 degrees a minute.
  static let initialDrift = 0.01
  static let drift = 0.04
  static let driftTime = 200.0
  /// What the zero moves beyond its drift, for √second.
  static let offsetWalk = 0.05
  /// A phone held ahead against the body; how its bias moves, for √second.
  static let phoneBias = 6.0
  static let biasWalk = 0.3
  /// How often the phone's bias changes to any other: by a magnet, or into a pocket.
  static let phoneJumpRate = 1.0 / 120
  /// How likely a phone is not held ahead at first.
  static let phoneAstray = 0.04
  /// One heading of the phone; more than its scatter, as successive ones err alike.
  static let phoneNoise = 7.4
  /// One course of a receiver.
  static let courseNoise = 6.0
  /// How likely a course is astray after a good one, and after another that was; how far it is then.
  static let courseAstray = 0.05
  static let courseStaysAstray = 0.8
  static let courseError = 60.0
  /// How often everything was wrong, such as after a new zero that nobody told.
  static let mistakeRate = 1e-7
}

/// A standard deviation as a variance.
func squared(_ value: Double) -> Double { value * value }
