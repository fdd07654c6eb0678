import Files
import TestSupport
import Testing

@testable import aurient

/// Every command of the program with its full name.
private func allCommands(
  _ command: Command = .aurient, parent: String? = nil
) -> [(name: String, command: Command)] {
  let name = parent.map { "\($0) \(command.name)" } ?? command.name
  return [(name, command)] + command.subcommands.flatMap { allCommands($0, parent: name) }
}

/// What holds for the description of each command, so that help, usage and parsing agree.
@Suite struct DescriptionTests {
  @Test func theCommandsThatThereAre() {
    #expect(
      allCommands().map(\.name) == [
        "aurient", "aurient render", "aurient play", "aurient serve", "aurient devices",
        "aurient hrtf", "aurient hrtf list", "aurient hrtf info",
        "aurient hrtf convert", "aurient hrtf merge", "aurient hrtf verify", "aurient hrtf compare",
        "aurient hrtf impulse", "aurient head", "aurient head replay", "aurient head watch",
        "aurient compass", "aurient compass heading", "aurient compass calibrate",
        "aurient compass check", "aurient compass declination", "aurient log", "aurient log record",
        "aurient log info", "aurient log import", "aurient log export", "aurient log sync",
        "aurient listen", "aurient listen build", "aurient listen merge", "aurient listen analyse",
        "aurient listen simulate", "aurient completions",
      ])
  }

  /// The same version everywhere.
  @Test func versionOfThisDay() throws {
    func text(_ path: String) throws -> String {
      String(
        decoding: try InputFile.bytes(path: "\(projectFolder)/\(path)", limit: 1 << 20),
        as: UTF8.self)
    }
    #expect(try text("CHANGELOG.md").contains("\n## [\(version)] - \(versionDate)\n"))
    #expect(try text("debian/changelog").hasPrefix("aurient (\(version)-1) "))
  }

  @Test(arguments: allCommands().map(\.name))
  func isComplete(name: String) throws {
    let command = try #require(allCommands().first { $0.name == name }?.command)
    #expect(command.summary.hasSuffix("."))
    #expect(!command.summary.dropLast().contains("\n"))
    #expect(!command.examples.isEmpty)
    #expect(Set(command.allOptions.map(\.name)).count == command.allOptions.count)
    let letters = command.allOptions.compactMap(\.short)
    #expect(Set(letters).count == letters.count)
    for option in command.allOptions {
      #expect(option.name.count > 1 && !option.help.isEmpty)
      #expect(option.help.last != ".", "\(option.name)")
      #expect(option.short?.isASCII != false)
    }
  }

  @Test(arguments: allCommands().map(\.name))
  func helpSaysAllOfIt(name: String) throws {
    let command = try #require(allCommands().first { $0.name == name }?.command)
    let words = Array(name.split(separator: " ").dropFirst().map(String.init))
    guard case .text(let help) = try Command.aurient.invocation(words + ["--help"]) else {
      Issue.record("no help")
      return
    }
    #expect(help.hasPrefix("Usage: \(name)"))
    #expect(help.hasSuffix("\n"))
    for option in command.allOptions {
      #expect(help.contains("    --\(option.name)") || help.contains(", --\(option.name)"))
    }
    for subcommand in command.subcommands { #expect(help.contains("\n  \(subcommand.name) ")) }
    for example in command.examples { #expect(help.contains("\n  \(example)\n")) }
    let lines = help.split(separator: "\n").filter { !$0.hasPrefix("  aurient ") }
    #expect(lines.allSatisfy { $0.count <= 80 && $0.last != " " })
  }

  @Test(arguments: allCommands().flatMap(\.command.examples))
  func examplesAreCommandLinesThatWork(example: String) throws {
    let words = example.split(separator: " ").map(String.init)
    #expect(words.first == "aurient")
    _ = try Command.aurient.invocation(Array(words.dropFirst()))
  }

  @Test func wholeHelp() {
    let command = Command(
      name: "info",
      summary: "Says what a file holds, in so many words that the line has to be broken in two.",
      operands: [.oneOrMore("FILE")],
      options: [
        CommandOption("a-long-option", "WITH-VALUE", help: "starts on its own line"),
        CommandOption(
          "output", short: "o", "OUT", required: true,
          help: "the file to write, which is explained at more length than one line has"),
      ],
      discussion: "One paragraph.\n\nAnother.", examples: ["tool info a"])
    #expect(
      command.help("tool info") == """
        Usage: tool info [--a-long-option WITH-VALUE] FILE... -o OUT

        Says what a file holds, in so many words that the line has to be broken in two.

        One paragraph.

        Another.

        Options:
              --a-long-option WITH-VALUE
                                    starts on its own line
          -o, --output OUT          the file to write, which is explained at more length
                                    than one line has
          -h, --help                print this help
              --usage               print how the command is called, in short

        Example:
          tool info a

        """)
  }
}
