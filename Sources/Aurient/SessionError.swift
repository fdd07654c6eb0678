import Files

/// Why a session does not do what it was told, as the one line that a user sees.
public struct SessionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of fault, for programs.
  public struct Code: Equatable, Sendable, CustomStringConvertible {
    private enum Kind: String { case unknownBeacon, invalid, full, busy, unavailable }
    private let kind: Kind

    /// There is no beacon of that name.
    public static let unknownBeacon = Code(kind: .unknownBeacon)
    /// A value is out of its range, or not a number.
    public static let invalid = Code(kind: .invalid)
    /// There is no room for another beacon or input.
    public static let full = Code(kind: .full)
    /// Another thread does the same just now.
    public static let busy = Code(kind: .busy)
    /// It cannot be done in this kind or state of a session.
    public static let unavailable = Code(kind: .unavailable)

    /// The code's name.
    public var description: String { kind.rawValue }
  }

  /// The kind of fault.
  public let code: Code
  /// What and why.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description.onOneLine
  }
}
