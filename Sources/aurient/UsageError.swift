/// A command line that cannot be followed, as the one line that its user sees:
/// `aurient render: --rate: "abc" is not a number`.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let description: String

  /// A fault of a command's arguments; `command` is its full name, as in `aurient hrtf info`.
  init(_ command: String, _ cause: String) { description = "\(command): \(cause)" }

  /// A fault that the command's help would have prevented.
  static func seeHelp(_ command: String, _ cause: String) -> UsageError {
    UsageError(command, "\(cause); try '\(command) --help'")
  }
}
