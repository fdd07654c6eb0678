public import Geometry

/// What a heading was taken from.
public enum HeadingSource: String, CaseIterable, Sendable {
  /// The calibrated head tracker.
  case head
  /// The direction of travel.
  case course
  /// The phone's compass.
  case phone
}

/// Where somebody is heading, and how that is known.
public struct PresentationHeading: Equatable, Sendable {
  /// Degrees clockwise from true north, [0, 360).
  public var degrees: Double
  /// What it was taken from.
  public var source: HeadingSource

  /// The heading of this value and source.
  public init(degrees: Double, source: HeadingSource) {
    self.degrees = degrees
    self.source = source
  }
}

/// Where a user is and which ways they face, as far as known. Headings and courses are degrees
/// clockwise from true north, [0, 360).
public struct UserGeometry: Equatable, Sendable {
  /// The place.
  public var location: GeodeticCoordinate?
  /// Where the nose points, from a calibrated head tracker.
  public var headHeading: Double?
  /// The direction of travel, while valid.
  public var course: Double?
  /// Where the phone's top edge points, while valid.
  public var phoneHeading: Double?

  /// The geometry of these values, taken as they are.
  public init(
    location: GeodeticCoordinate? = nil, headHeading: Double? = nil, course: Double? = nil,
    phoneHeading: Double? = nil
  ) {
    self.location = location
    self.headHeading = headHeading
    self.course = course
    self.phoneHeading = phoneHeading
  }

  /// The heading by which sound is presented: the head's, else the course, else the phone's; nil if
  /// none is known.
  public var presentationHeading: PresentationHeading? {
    if let headHeading { return PresentationHeading(degrees: headHeading, source: .head) }
    if let course { return PresentationHeading(degrees: course, source: .course) }
    return phoneHeading.map { PresentationHeading(degrees: $0, source: .phone) }
  }
}
