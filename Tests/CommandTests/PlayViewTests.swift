import Glibc
import TestSupport
import Testing

/// What `aurient play` shows on a terminal.
@Suite struct PlayViewTests {
  private static let sink = NullSinkServer.Sink("sink", sampleRate: 48_000)

  /// Plays the walk for a second; what was on the screen.
  private func screen(columns: UInt16, _ options: String = "") throws -> String {
    convertShippedSets()
    let server = try NullSinkServer([Self.sink])
    let terminal = PseudoTerminal(columns: columns)
    let words =
      "play \(projectFolder)/Examples/walk/scene.json --style wood --duration 1\(options)"
    let child = try ChildProgram(
      [program] + words.split(separator: " ").map(String.init),
      environment: PlayedSession.environment(server), output: terminal.path)
    // Read as it comes: a terminal holds some kilobytes.
    var text = ""
    _ = waitUntil(10) {
      text += terminal.output()
      return child.hasEnded
    }
    #expect(child.wait() == 0)
    return text + terminal.output()
  }

  @Test(arguments: [UInt16(40), 80]) func fits(columns: UInt16) throws {
    let text = try screen(columns: columns)
    // The device first; then drawings of four lines, each over the one before.
    let drawings = text.split(separator: "\u{1B}[4A")
    #expect(drawings.count > 1, "\(text)")
    for line in text.split(separator: "\r\n") {
      let shown = line.replacing("\u{1B}[4A", with: "").replacing("\r\u{1B}[K", with: "")
      #expect(shown.count < Int(columns), "\(shown)")
    }
    #expect(text.hasPrefix("sink, 48000 Hz, "))
    let last = try #require(drawings.last).split(
      separator: "\r\n", omittingEmptySubsequences: false
    ).map { $0.replacing("\r\u{1B}[K", with: "") }
    #expect(last[0].hasPrefix("heading ") && last[0].contains("° from phone"), "\(last)")
    // Ahead is in the middle, and the beacon by 14 to 20 degrees to the right of it, south by about that.
    let dial = Array(last[1])
    #expect(dial.count == (columns == 40 ? 39 : 61))
    #expect(dial[dial.count / 2] == "^" || dial[dial.count / 2] == "1")
    let place = try #require(dial.firstIndex(of: "1"))
    #expect(0...5 ~= place - dial.count / 2)
    #expect(dial.contains("N") && dial.contains("E") && dial.contains("W"))
    #expect(last[2].hasPrefix("1 Fountain  200."))
  }

  @Test func quiet() throws {
    #expect(try screen(columns: 80, " --quiet") == "")
  }

  /// Without a terminal, a line a second.
  @Test func lines() throws {
    let server = try NullSinkServer([Self.sink])
    let session = try PlayedSession(
      "\(projectFolder)/Examples/walk/scene.json --duration 2.2", on: server)
    #expect(session.wait() == 0)
    let lines = session.output.split(separator: "\n")
    // The device, and the state at the beginning and after one second and two; later on a busy machine.
    #expect(3...4 ~= lines.count && !session.output.contains("\u{1B}"))
    try #require(lines.count > 2)
    #expect(lines[2].contains(" s  heading ") && lines[2].contains("1 Fountain  200."))
  }
}
