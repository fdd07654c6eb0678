public import Files

/// Something that head motion comes from: a log, a socket, the headphones' own framework.
///
/// Its events are taken one at a time, in order, by one consumer. Whoever renders offline takes them
/// until `ended`; whoever plays takes what has come before each block of sound. Either way the same
/// loop feeds a `HeadTracker`.
public protocol MotionSource: ~Copyable {
  /// The next event, or nil where none has come yet.
  ///
  /// - Throws: `FileError` for a log that is faulty.
  mutating func next() throws(FileError) -> MotionEvent?

  /// What has come so far and what of it was no use.
  var counts: MotionSourceCounts { get }

  /// What the first thing dropped for a cause was called, where it had a name.
  func example(of fault: MotionFault) -> String?
}

extension MotionSource where Self: ~Copyable {
  /// Nothing, for sources whose data have no names.
  public func example(of fault: MotionFault) -> String? { nil }
}

/// What a source of head motion tells. Times never go backwards from event to event.
public enum MotionEvent: Equatable, Sendable {
  /// Headphones deliver motion, from the frame that follows. That a port is open or a framework is
  /// there is no such event.
  case connected(Timestamp)
  /// A frame of motion; it comes only while connected.
  case frame(MotionFrame)
  /// No motion has come for the source's time of silence, or the headphones have gone.
  case disconnected(Timestamp)
  /// Nothing will come any more.
  case ended

  /// When it happened; nil for the end.
  public var time: Timestamp? {
    switch self {
    case .connected(let time), .disconnected(let time): time
    case .frame(let frame): frame.time
    case .ended: nil
    }
  }
}

/// Why a source drops what has come.
public enum MotionFault: Int, CaseIterable, Sendable {
  /// A number that is infinite or none.
  case notFinite
  /// A quaternion whose length is not between 0.5 and 2.
  case notARotation
  /// An angle of more than a full turn.
  case outOfRange
  /// Arguments of an OSC message that are too few, too many or no numbers.
  case wrongArguments
  /// An OSC address that no dialect has.
  case unknownAddress
  /// A datagram that is no packet of the protocol, or is cut short.
  case malformed
  /// A packet that has come after a later one.
  case late
  /// A packet that has come before.
  case duplicate
  /// A frame for which the consumer had left no room.
  case overrun
  /// A datagram for which the system's own buffer had no room.
  case lost

  /// The cause in words, to be put after a count or a name.
  public var cause: String {
    switch self {
    case .notFinite: "a number that is not finite"
    case .notARotation: "a quaternion that is not of length 1"
    case .outOfRange: "an angle of more than 360 degrees"
    case .wrongArguments: "arguments of the wrong type or number"
    case .unknownAddress: "an unknown OSC address"
    case .malformed: "a malformed or truncated packet"
    case .late: "a packet later than its successor"
    case .duplicate: "a packet that has come before"
    case .overrun: "a frame that was not fetched in time"
    case .lost: "a packet that the system had no room for"
    }
  }
}

/// How much has come from a source.
public struct MotionSourceCounts: Equatable, Sendable {
  /// Frames delivered.
  public var frames = 0
  /// Readings of a phone's compass that came beside them.
  public var phoneHeadings = 0
  /// What was dropped, by cause; causes that never occurred are absent.
  public var dropped: [MotionFault: Int] = [:]

  /// No frames.
  public init() {}

  /// All that was dropped.
  public var droppedTotal: Int { dropped.values.reduce(0, +) }
}
