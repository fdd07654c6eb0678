/// Why something that a receiver sent, or a log of it holds, is dropped.
public enum LocationFault: Int, Error, CaseIterable, Sendable {
  /// A line, or bytes between lines, without the start of a sentence.
  case noise
  /// A sentence or a report that is longer than any.
  case tooLong
  /// A sentence cut short or broken by other bytes, or a report that is not JSON.
  case malformed
  /// A sentence without a checksum or with a wrong one.
  case checksum
  /// A field that can't be what the standard has there.
  case badField
  /// A reading for which the consumer had left no room.
  case overrun
  /// A datagram for which the system's own buffer had no room.
  case lost

  /// The cause in words.
  public var cause: String {
    switch self {
    case .noise: "a line that is no sentence"
    case .tooLong: "a line that is too long"
    case .malformed: "a malformed or truncated sentence"
    case .checksum: "a missing or wrong checksum"
    case .badField: "a field that is not as the standard has it"
    case .overrun: "a reading that was not fetched in time"
    case .lost: "a packet that the system had no room for"
    }
  }
}

/// How much has come from a receiver or its log.
public struct LocationCounts: Equatable, Sendable {
  /// Sentences or reports that were understood.
  public var understood = 0
  /// Sound ones of other kinds.
  public var others = 0
  /// What was dropped, by cause; causes that never occurred are absent.
  public var dropped: [LocationFault: Int] = [:]

  /// Nothing.
  public init() {}

  /// All that was dropped.
  public var droppedTotal: Int { dropped.values.reduce(0, +) }
}
