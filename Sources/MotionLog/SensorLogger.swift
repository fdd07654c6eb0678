/// What the app Sensor Logger calls the quantities of headphones, and their units
/// (github.com/tszheichoi/awesome-sensor-logger, UNITS.md, "Headphone").
enum SensorLogger {
  /// Its columns, in the order in which they are written.
  static let names = [
    "time", "seconds_elapsed", "rotationRateX", "rotationRateY", "rotationRateZ", "gravityX",
    "gravityY", "gravityZ", "accelerationX", "accelerationY", "accelerationZ", "quaternionW",
    "quaternionX", "quaternionY", "quaternionZ", "roll", "pitch", "yaw", "devicelocation",
  ]

  /// What they mean, by name. The elapsed seconds follow from the time.
  static let columns: [String: MotionColumn] = [
    "time": .attribute(.timestamp), "devicelocation": .attribute(.headphonePlacement),
    "rotationRateX": .field(.rotationX), "rotationRateY": .field(.rotationY),
    "rotationRateZ": .field(.rotationZ), "gravityX": .field(.gravityX),
    "gravityY": .field(.gravityY), "gravityZ": .field(.gravityZ),
    "accelerationX": .field(.userAccX), "accelerationY": .field(.userAccY),
    "accelerationZ": .field(.userAccZ), "quaternionW": .field(.quaternionW),
    "quaternionX": .field(.quaternionX), "quaternionY": .field(.quaternionY),
    "quaternionZ": .field(.quaternionZ), "roll": .field(.roll), "pitch": .field(.pitch),
    "yaw": .field(.yaw),
  ]

  /// Gravity is in m/s² there; acceleration is in units of gravity.
  static let gravity = MotionFields(.gravityX, .gravityY, .gravityZ)
  private static let standardGravity = 9.80665

  /// m/s² of a number of standard gravities.
  static func metresPerSecondSquared(_ gravities: Double) -> Double { gravities * standardGravity }

  /// Standard gravities of m/s²: the number that gives the same Double on the way back, as long as
  /// there is one.
  static func standardGravities(_ metres: Double) -> Double {
    let nearest = metres / standardGravity
    let candidates = [nearest, nearest.nextUp, nearest.nextDown]
    return candidates.first { $0 * standardGravity == metres } ?? nearest
  }

  /// The number of an earbud's name; nil if it is none.
  static func placement(_ name: String) -> Int64? {
    switch name.lowercased() {
    case "unknown", "default": 0
    case "left", "headphoneleft": 1
    case "right", "headphoneright": 2
    default: nil
    }
  }

  /// The name of an earbud's number.
  static func name(placement: Int64?) -> String {
    switch placement {
    case 0: "unknown"
    case 1: "left"
    case 2: "right"
    default: ""
    }
  }
}
