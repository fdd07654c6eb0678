public import Files
import Geometry

/// A reading of a phone's compass: where its top edge points. Values are `CLHeading`'s, degrees
/// clockwise, negative where invalid.
public struct PhoneHeading: Equatable, Sendable {
  /// When it was measured.
  public var time: Timestamp
  /// From magnetic north; nil where the source has none.
  public var magneticHeading: Double?
  /// From true north; nil where the source has none.
  public var trueHeading: Double?
  /// The largest expected error; negative says that no heading is valid, nil that nothing is known.
  public var headingAccuracy: Double?

  /// A reading with these values.
  public init(
    time: Timestamp, magneticHeading: Double? = nil, trueHeading: Double? = nil,
    headingAccuracy: Double? = nil
  ) {
    self.time = time
    self.magneticHeading = magneticHeading
    self.trueHeading = trueHeading
    self.headingAccuracy = headingAccuracy
  }

  /// The best heading of the reading, [0, 360): from true north where that is valid, else from
  /// magnetic north, else nil.
  public var heading: Double? {
    if let headingAccuracy, headingAccuracy < 0 { return nil }
    if let trueHeading, trueHeading >= 0 { return positiveDegrees(trueHeading) }
    if let magneticHeading, magneticHeading >= 0 { return positiveDegrees(magneticHeading) }
    return nil
  }
}
