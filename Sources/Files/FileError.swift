import Glibc

/// What is wrong with a file: which one, where in it, and why.
///
/// Its description is the one line that a user sees, for example
/// `walk.gpx: line 12: latitude "91.2" is outside −90 to 90`.
public struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of fault, for programs.
  public struct Code: Equatable, Sendable, CustomStringConvertible {
    private enum Kind: String { case notFound, unreadable, malformed, unsupported, unwritable }
    private let kind: Kind

    /// There is no such file.
    public static let notFound = Code(kind: .notFound)
    /// The file exists but cannot be read.
    public static let unreadable = Code(kind: .unreadable)
    /// The content is not what this kind of file holds, or stops before its end.
    public static let malformed = Code(kind: .malformed)
    /// The content is valid but cannot be used for what was asked.
    public static let unsupported = Code(kind: .unsupported)
    /// The file cannot be written: no such folder, no permission, a full disk.
    public static let unwritable = Code(kind: .unwritable)

    /// The code's name.
    public var description: String { kind.rawValue }
  }

  /// The kind of fault.
  public var code: Code
  /// The file, as the user named it.
  public var file: String
  /// Where in the file: a line, a column, a variable; nil for the whole file.
  public var place: String?
  /// What is wrong there.
  public var cause: String

  /// A fault of `file` at `place`.
  public init(_ code: Code, file: String, place: String? = nil, _ cause: String) {
    self.code = code
    self.file = file
    self.place = place
    self.cause = cause
  }

  /// File, place and cause on one line, whatever bytes the file put into them.
  public var description: String {
    (place.map { "\(file): \($0): \(cause)" } ?? "\(file): \(cause)").onOneLine
  }
}

extension FileError {
  /// The fault that the C library's last call left in `errno`.
  public static func system(_ code: Code, file: String, errno number: Int32) -> FileError {
    let code = number == ENOENT && code == .unreadable ? .notFound : code
    return FileError(code, file: file, String(cString: strerror(number)).lowercasedFirst)
  }
}

extension FileError {
  /// Checks that two records have some time in common.
  ///
  /// - Throws: `FileError` naming the first file and both times.
  public static func checkOverlap(
    _ file: String, _ span: ClosedRange<Timestamp>, _ other: String,
    _ otherSpan: ClosedRange<Timestamp>
  ) throws(FileError) {
    guard !span.overlaps(otherSpan) else { return }
    throw FileError(
      .unsupported, file: file,
      "from \(span.lowerBound) to \(span.upperBound), which is of another time than \(other): "
        + "\(otherSpan.lowerBound) to \(otherSpan.upperBound)")
  }
}

extension String {
  /// The text with spaces for line ends and other control characters, so that nothing in it can break
  /// a line or change a terminal's state.
  public var onOneLine: String {
    String(
      UnicodeScalarView(
        unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
