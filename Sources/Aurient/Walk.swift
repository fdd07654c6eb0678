public import Files
public import Geometry
public import HeadTracking
public import Navigation

/// What is known of a listener at a moment besides the head's motion.
public struct ListenerReadings: Equatable, Sendable {
  /// The place.
  public var location: GeodeticCoordinate?
  /// The newest course; its direction nil where it is not valid.
  public var course: ReferenceSeries.Reading?
  /// The newest heading of the phone; its direction nil where it is not valid.
  public var phone: ReferenceSeries.Reading?

  /// Readings of these values.
  public init(
    location: GeodeticCoordinate? = nil, course: ReferenceSeries.Reading? = nil,
    phone: ReferenceSeries.Reading? = nil
  ) {
    self.location = location
    self.course = course
    self.phone = phone
  }
}

/// A recorded walk: asked for in the order of time, it tells what was known at each moment, the place between
/// two fixes on the way from one to the other.
public struct Walk: Sendable {
  private var track: TrackCursor
  private var phone: ReferenceSeries

  /// A walk along a track, its courses those that count, with a phone's headings.
  public init(_ track: Track, phone: ReferenceSeries = ReferenceSeries()) {
    self.track = TrackCursor(track)
    self.phone = phone
  }

  /// What was known at a moment, not earlier than the one before.
  public mutating func readings(at time: Timestamp) -> ListenerReadings {
    let fix = track.fix(at: time)
    return ListenerReadings(
      location: track.position(at: time),
      course: fix.map {
        ReferenceSeries.Reading(
          time: $0.time ?? time, direction: $0.course, accuracy: $0.courseAccuracy)
      },
      phone: phone.reading(at: time))
  }
}
