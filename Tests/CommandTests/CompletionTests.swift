import Glibc
import TestSupport
import Testing

@testable import aurient

/// What shells may offer; that the shells themselves do is tested by Tests/Installation.
@Suite struct CompletionTests {
  /// A line up to the cursor, what is offered, and whether files are.
  static let cases: [(String, [String], Bool)] = [
    ("com", ["compass", "completions"], false),
    ("hrtf con", ["convert"], false),
    ("hrtf nothing ", [], false),
    ("nothing ", [], false),
    ("render --ye", [], false),
    ("render --ya", ["--yaw-only"], false),
    ("render --yaw-only --ya", [], false),
    // May be repeated.
    ("render --beacon 1,2 --be", ["--beacon"], false),
    ("play --latency ", ["low", "normal", "safe"], false),
    ("play --latency=s", ["--latency=safe"], false),
    // As bash parts it.
    ("play --latency = s", ["safe"], false),
    ("play --latency =", ["low", "normal", "safe"], false),
    // A name cut short, as the parser takes it.
    ("play --lat l", ["low"], false),
    ("render --gain ", [], false),
    ("render --trace ", [], true),
    ("render -o ", [], true),
    ("render -o a.wav --out", [], false),
    ("render ", [], true),
    ("render -- --ya", [], true),
    ("devices ", [], false),
    ("render --style w", ["wood"], true),
    ("log export --format s", ["sqlite", "sensor-logger"], false),
    ("play -q --qui", [], false),
    ("--vers", ["--version"], false),
  ]

  @Test(arguments: cases)
  func offered(line: String, words: [String], takesFile: Bool) {
    let parts = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let completion = Command.aurient.completion(of: parts)
    #expect(completion.candidates.map(\.word) == words)
    #expect(completion.takesFile == takesFile)
  }

  @Test func nothingTyped() {
    let completion = Command.aurient.completion(of: [""])
    #expect(completion.candidates.map(\.word) == Command.aurient.subcommands.map(\.name))
    #expect(completion.candidates[0].meaning == Command.aurient.subcommands[0].summary)
    #expect(Command.aurient.completion(of: []) == completion)
  }

  @Test func asTheScriptsReadIt() throws {
    let outcome = try start("--complete render --style wo")
    #expect(outcome.output == "wood\t\n:files\n")
    #expect(outcome.code == 0)
    #expect(try start("completions tcsh").code == 2)
  }
}

@Suite struct ManualTests {
  @Test func pages() throws {
    let folder = TemporaryFolder()
    #expect(try start("--manual '\(folder.path)'").code == 0)
    #expect(folder.names().contains("aurient.1"))
    #expect(folder.names().contains("aurient-hrtf-info.1"))
    // groff says what it does not understand, and nothing else.
    for page in folder.names() {
      let status = system(
        "LC_ALL=C.UTF-8 man --warnings -l -Tutf8 -Z '\(folder.path)/\(page)' "
          + "2>&1 >/dev/null | { ! grep . ; }")
      #expect(status == 0, "\(page)")
    }
  }

  /// Neither requests nor escapes of troff come from texts.
  @Test func textsAreEscaped() {
    let command = Command(
      name: "tool", summary: "Makes \\*x of 'y'.", discussion: ".PP is no request - it's text.",
      examples: [".x -y"])
    let page = command.manualPage("tool")
    #expect(page.contains("\n\\&.PP is no request \\- it\\(aqs text.\n"))
    #expect(page.contains("\nMakes \\e*x of \\(aqy\\(aq.\n"))
    #expect(page.contains("\n\\&.x \\-y\n"))
  }

  @Test func aFolderThatIsNotThere() throws {
    let outcome = try start("--manual /nonexistent/folder")
    #expect(outcome.code == 1)
    #expect(outcome.error.hasPrefix("aurient: /nonexistent/folder/aurient.1: "))
  }
}
