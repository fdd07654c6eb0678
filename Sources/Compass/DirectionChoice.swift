import Geometry

/// Chooses where somebody goes from what a phone reports: the course while they are fast enough for one
/// and it is accurate, else the compass heading if that is, else nothing.
///
/// Negative values are invalid, as Core Location has it. Each limit, once met, holds until its value is a
/// third beyond: of 2 m/s down to 1.5, of 15° up to 20, of 30° up to 40.
public struct DirectionChoice: Equatable, Sendable {
  /// What must be met.
  public struct Limits: Equatable, Sendable {
    /// Speed from which a course counts, m/s.
    public var speed: Double
    /// Worst accuracy of a course, degrees.
    public var courseAccuracy: Double
    /// Worst accuracy of a compass heading, degrees.
    public var headingAccuracy: Double

    /// The limits.
    public init(speed: Double = 2, courseAccuracy: Double = 15, headingAccuracy: Double = 30) {
      self.speed = speed
      self.courseAccuracy = courseAccuracy
      self.headingAccuracy = headingAccuracy
    }
  }

  /// A direction and where it comes from, degrees clockwise from north, [0, 360).
  public enum Direction: Equatable, Sendable {
    /// The direction of travel.
    case course(Double)
    /// The compass's.
    case heading(Double)
  }

  private let limits: Limits
  private var isFast = false
  private var courseGate: AccuracyGate
  private var headingGate: AccuracyGate

  /// A choice that has seen nothing.
  public init(limits: Limits = Limits()) {
    self.limits = limits
    courseGate = AccuracyGate(limit: limits.courseAccuracy)
    headingGate = AccuracyGate(limit: limits.headingAccuracy)
  }

  /// The direction by the newest reports; nil or negative where there is none. A course or heading without
  /// accuracy counts for nothing.
  public mutating func direction(
    speed: Double?, course: Double?, courseAccuracy: Double?, heading: Double?,
    headingAccuracy: Double?
  ) -> Direction? {
    isFast = (speed ?? -1) >= limits.speed * (isFast ? 0.75 : 1)
    let isCourseGood = courseGate.passes(courseAccuracy ?? -1)
    let isHeadingGood = headingGate.passes(headingAccuracy ?? -1)
    if isFast, isCourseGood, let course, course >= 0 { return .course(positiveDegrees(course)) }
    if isHeadingGood, let heading, heading >= 0 { return .heading(positiveDegrees(heading)) }
    return nil
  }
}
