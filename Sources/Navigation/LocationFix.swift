public import Files
public import Geometry

/// One position that a satellite receiver or a phone gave, with what it said about its motion.
///
/// What the receiver did not know is nil, never a negative number.
public struct LocationFix: Equatable, Sendable {
  /// When the position held, or nil for a point of a map, such as a waypoint.
  public var time: Timestamp?
  /// The place on the WGS84 ellipsoid.
  public var coordinate: GeodeticCoordinate
  /// Height as the file has it, metres; GPX means above sea level.
  public var altitude: Double?
  /// Speed over the ground, metres a second, not negative.
  public var speed: Double?
  /// Direction of travel, degrees clockwise from true north, [0, 360).
  public var course: Double?
  /// Uncertainty of the course, degrees, not negative.
  public var courseAccuracy: Double?
  /// Radius of uncertainty of the place, metres, not negative.
  public var horizontalAccuracy: Double?

  /// The fix of these values, taken as they are.
  public init(
    time: Timestamp? = nil, coordinate: GeodeticCoordinate, altitude: Double? = nil,
    speed: Double? = nil, course: Double? = nil, courseAccuracy: Double? = nil,
    horizontalAccuracy: Double? = nil
  ) {
    self.time = time
    self.coordinate = coordinate
    self.altitude = altitude
    self.speed = speed
    self.course = course
    self.courseAccuracy = courseAccuracy
    self.horizontalAccuracy = horizontalAccuracy
  }
}

/// The numbers about motion as a file holds them, where some values stand for 'unknown'.
struct LoggedMotion {
  var speed: Double?
  /// Named so by Core Location and GPX 1.0.
  var course: Double?
  /// Named so by Android.
  var bearing: Double?
  var courseAccuracy: Double?
  var horizontalAccuracy: Double?
}

extension LocationFix {
  /// Takes over what a file says about the motion, without the values that stand for 'unknown'.
  ///
  /// A negative number means none, as in Core Location (`CLLocation.course`, `speed`). Android's
  /// `Location.getBearing` gives exactly 0 where there is no bearing, and loggers write that down: a
  /// `bearing` of exactly 0 is none where its accuracy or the speed is exactly 0 too. A `course` of
  /// 0 stays north, and goes before a bearing.
  mutating func take(_ logged: LoggedMotion) {
    func known(_ value: Double?) -> Double? { value.flatMap { $0 < 0 ? nil : $0 } }
    speed = known(logged.speed)
    horizontalAccuracy = known(logged.horizontalAccuracy)
    let isBearingUnknown =
      logged.bearing == 0 && (logged.courseAccuracy == 0 || logged.speed == 0)
    course = known(logged.course ?? (isBearingUnknown ? nil : logged.bearing))
      .map(positiveDegrees)
    courseAccuracy = course == nil ? nil : known(logged.courseAccuracy)
  }
}
