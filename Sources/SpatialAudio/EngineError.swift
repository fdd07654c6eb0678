/// What the audio engine could not do, and why.
public struct EngineError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of fault, for programs.
  public struct Code: Equatable, Sendable, CustomStringConvertible {
    private enum Kind: String { case device, context, hrtf, buffer, source, rendering }
    private let kind: Kind

    /// No device could be opened.
    public static let device = Code(kind: .device)
    /// The device refuses the format asked for.
    public static let context = Code(kind: .context)
    /// The data set asked for is not the one that OpenAL uses.
    public static let hrtf = Code(kind: .hrtf)
    /// A sound could not be loaded into OpenAL.
    public static let buffer = Code(kind: .buffer)
    /// OpenAL has no source left, or refuses one.
    public static let source = Code(kind: .source)
    /// OpenAL reported an error while it was rendering.
    public static let rendering = Code(kind: .rendering)

    /// The code's name.
    public var description: String { kind.rawValue }
  }

  /// The kind of fault.
  public var code: Code
  /// What is wrong, in one line.
  public var cause: String

  /// A fault of the engine.
  public init(_ code: Code, _ cause: String) {
    self.code = code
    self.cause = cause
  }

  /// The one line that a user sees.
  public var description: String { cause }
}
