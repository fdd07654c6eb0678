public import Files

/// What the zero of yaw depends on: tracking that starts, headphones that come and go, and the other
/// earbud taking over.
public struct TrackingEvent: Equatable, Sendable {
  /// What happens.
  public enum Kind: String, Sendable {
    /// Tracking starts; the time is the wall clock's.
    case started
    /// Headphones begin to deliver motion.
    case connected
    /// They stop.
    case disconnected
    /// The sensor of another earbud measures from now on.
    case placement
    /// Tracking ends.
    case stopped
  }

  /// What happens.
  public var kind: Kind
  /// When.
  public var time: Timestamp
  /// The database's number of the first record after it.
  public var record: Int64
  /// The earbud that measures from now on: 0 default, 1 left, 2 right.
  public var placement: Int64?
  /// Which clock the samples' times are of, for a start.
  public var sampleClock: String?
  /// Where the motion comes from, for a start.
  public var source: String?

  /// An event before a record.
  public init(
    _ kind: Kind, at time: Timestamp, record: Int64 = 0, placement: Int64? = nil,
    sampleClock: String? = nil, source: String? = nil
  ) {
    self.kind = kind
    self.time = time
    self.record = record
    self.placement = placement
    self.sampleClock = sampleClock
    self.source = source
  }
}
