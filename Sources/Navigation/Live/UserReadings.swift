public import Files
public import Geometry
public import HeadTracking

/// The newest reading of each source of a user's place and headings, and how old each is.
///
/// A value for both live and offline use: it is told readings with the times at which they came, and
/// asked for a moment, of the same clock.
public struct UserReadings: Equatable, Sendable {
  /// Seconds after which readings no longer count.
  public struct Limits: Equatable, Sendable {
    /// Of a course. A walker turns within that time.
    public var course: Double
    /// Of a phone's heading.
    public var phone: Double
    /// Of the head's heading; a connection is lost after the same time.
    public var head: Double
    /// Of a place. An old one is kept, but said to be stale.
    public var location: Double

    /// These limits, more than 0.
    public init(
      course: Double = 3, phone: Double = 3, head: Double = HeadTracker.longestGap,
      location: Double = 10
    ) {
      self.course = course
      self.phone = phone
      self.head = head
      self.location = location
    }
  }

  /// Seconds since each source's newest reading; nil for one that has had none.
  public struct Ages: Equatable, Sendable {
    /// Of the newest place.
    public var location: Double?
    /// Of the newest fix that has a course.
    public var course: Double?
    /// Of the newest valid phone heading.
    public var phone: Double?
    /// Of the newest heading of the head.
    public var head: Double?

    /// These ages.
    public init(
      location: Double? = nil, course: Double? = nil, phone: Double? = nil, head: Double? = nil
    ) {
      self.location = location
      self.course = course
      self.phone = phone
      self.head = head
    }
  }

  private struct Dated<Value: Equatable & Sendable>: Equatable, Sendable {
    var value: Value
    var time: Timestamp
  }

  /// When readings no longer count.
  public var limits: Limits
  private var location: Dated<GeodeticCoordinate>?
  private var course: Dated<Double>?
  private var courseAccuracy: Double?
  private var phone: Dated<Double>?
  private var phoneAccuracy: Double?
  private var head: Dated<Double>?

  /// No readings yet.
  public init(limits: Limits = Limits()) { self.limits = limits }

  /// Takes a fix that came at a time. One without a course says that there is none any more.
  public mutating func take(_ fix: LocationFix, at time: Timestamp) {
    location = Dated(value: fix.coordinate, time: time)
    take(course: fix.course, accuracy: fix.courseAccuracy, at: time)
  }

  /// Takes a course that came at a time, and its uncertainty, degrees; nil says that there is none any more.
  public mutating func take(course: Double?, accuracy: Double?, at time: Timestamp) {
    self.course = course.map { Dated(value: $0, time: time) }
    courseAccuracy = accuracy
  }

  /// Takes that the receiver does not know its place or has gone: there is no course any more.
  public mutating func loseLocation() { course = nil }

  /// Takes a phone's heading; an invalid one says that there is none any more.
  public mutating func take(_ heading: PhoneHeading) {
    phone = heading.heading.map { Dated(value: $0, time: heading.time) }
    phoneAccuracy = heading.headingAccuracy
  }

  /// Takes the head's heading; nil says that it is not calibrated or has gone.
  public mutating func takeHead(_ heading: Double?, at time: Timestamp) {
    head = heading.map { Dated(value: $0, time: time) }
  }

  /// How old the readings are at a moment.
  public func ages(at time: Timestamp) -> Ages {
    Ages(
      location: location.map { time.seconds(since: $0.time) },
      course: course.map { time.seconds(since: $0.time) },
      phone: phone.map { time.seconds(since: $0.time) },
      head: head.map { time.seconds(since: $0.time) })
  }

  /// Whether the place at a moment is too old to be trusted, or there is none.
  public func isLocationStale(at time: Timestamp) -> Bool {
    Self.isStale(location, limits.location, at: time)
  }

  /// What counts at a moment: the newest place however old, and the headings that are not too old. One
  /// exactly as old as its limit counts.
  public func geometry(at time: Timestamp) -> UserGeometry {
    func fresh(_ reading: Dated<Double>?, _ limit: Double) -> Double? {
      Self.isStale(reading, limit, at: time) ? nil : reading?.value
    }
    return UserGeometry(
      location: location?.value, headHeading: fresh(head, limits.head),
      course: fresh(course, limits.course), phoneHeading: fresh(phone, limits.phone))
  }

  /// The newest course, if it is not too old at a moment.
  public func courseReading(at time: Timestamp) -> ReferenceSeries.Reading? {
    Self.reading(course, courseAccuracy, limits.course, at: time)
  }

  /// The phone's newest heading, if it is not too old at a moment.
  public func phoneReading(at time: Timestamp) -> ReferenceSeries.Reading? {
    Self.reading(phone, phoneAccuracy, limits.phone, at: time)
  }

  /// The newest place, however old.
  public var newestLocation: GeodeticCoordinate? { location?.value }

  private static func reading(
    _ reading: Dated<Double>?, _ accuracy: Double?, _ limit: Double, at time: Timestamp
  ) -> ReferenceSeries.Reading? {
    guard let reading, !isStale(reading, limit, at: time) else { return nil }
    return ReferenceSeries.Reading(
      time: reading.time, direction: reading.value, accuracy: accuracy)
  }

  private static func isStale<Value>(
    _ reading: Dated<Value>?, _ limit: Double, at time: Timestamp
  ) -> Bool {
    guard let reading else { return true }
    return time.seconds(since: reading.time) > limit
  }
}
