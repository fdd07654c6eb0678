/// A command: what its users read about it, what it takes, and what it does.
///
/// Parsing, help, usage, completion and manual all come from this one description.
struct Command: Sendable {
  /// The word that calls it.
  var name: String
  /// What it does, in one line.
  var summary: String
  /// The words that it takes besides options.
  var operands: [Operand] = []
  /// Its options, in the order of its help; `--help` and `--usage` come of themselves.
  var options: [CommandOption] = []
  /// What else its users should know; empty lines part paragraphs.
  var discussion = ""
  /// Whole command lines that work.
  var examples: [String] = []
  /// The commands that its first word chooses from; such a command does nothing itself.
  var subcommands: [Command] = []
  /// Does the work.
  var run: @Sendable (Arguments) throws -> Void = { _ in }

  /// All of its options, those that every command has last.
  var allOptions: [CommandOption] { options + [.help, .usage] }
}

/// An option: `--name VALUE`, or `--name` alone.
struct CommandOption: Sendable {
  /// The long name, without hyphens.
  var name: String
  /// A single letter that stands for it.
  var short: Character?
  /// What its value is, as in `FILE`; nil for an option that has none.
  var value: String?
  /// The values that there are, where they are few and known; a completion offers them.
  var choices: [String]
  /// What it means.
  var help: String
  /// Whether it may be given more than once.
  var repeats = false
  /// Whether the command needs it.
  var isRequired = false

  init(
    _ name: String, short: Character? = nil, _ value: String? = nil, choices: [String] = [],
    repeats: Bool = false, required: Bool = false, help: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.choices = choices
    self.help = help
    self.repeats = repeats
    isRequired = required
  }

  static let help = CommandOption("help", short: "h", help: "print this help")
  static let usage = CommandOption("usage", help: "print how the command is called, in short")
  static let version = CommandOption("version", help: "print the program's version")

  /// How it is written on a command line, as in `--output OUT`.
  var synopsis: String {
    "--\(name)" + (value.map { " \($0)" } ?? "")
  }
}

/// A word that a command takes besides options, such as the name of its input.
struct Operand: Sendable {
  /// What it is, as in `FILE`.
  var name: String
  /// How many are taken.
  var count: ClosedRange<Int>

  static func one(_ name: String) -> Operand { Operand(name: name, count: 1...1) }
  static func optional(_ name: String) -> Operand { Operand(name: name, count: 0...1) }
  static func oneOrMore(_ name: String) -> Operand { Operand(name: name, count: 1...Int.max) }

  /// How it is written in a usage line.
  var synopsis: String {
    (count.lowerBound == 0 ? "[\(name)]" : name) + (count.upperBound > 1 ? "..." : "")
  }
}
