import Files
import Glibc
import TestSupport
import Testing

@testable import aurient

/// The program as users start it. Its file lies beside the tests' own.
private let program: String = {
  guard let resolved = realpath("/proc/self/exe", nil) else { return "aurient" }
  defer { free(resolved) }
  let path = String(cString: resolved)
  return path[...(path.lastIndex(of: "/") ?? path.startIndex)] + "aurient"
}()

/// Runs the program through a shell; `redirection` follows its words.
private func start(
  _ words: String, redirection: String = ""
) throws -> (code: Int32, output: String, error: String) {
  let folder = TemporaryFolder()
  let (output, error) = (folder.path + "/out", folder.path + "/err")
  let status = system("'\(program)' \(words) >\(output) 2>\(error) </dev/null \(redirection)")
  func content(_ path: String) throws -> String {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
  // As a shell reports it: WEXITSTATUS, or 128 more than the signal that ended the process.
  let signal = status & 0x7F
  let code = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  return (code, try content(output), try content(error))
}

@Suite struct ProcessTests {
  @Test(arguments: ["--help", "render --help", "hrtf --help", "hrtf impulse -h", "render --usage"])
  func help(words: String) throws {
    let result = try start(words)
    #expect(result.code == 0)
    #expect(result.output.hasPrefix("Usage: aurient"))
    #expect(result.error == "")
  }

  @Test func versionIsPrinted() throws {
    let result = try start("--version")
    #expect(result.code == 0 && result.output == "aurient \(version)\n" && result.error == "")
  }

  @Test(arguments: [
    ("", "aurient: needs a command; try 'aurient --help'\n"),
    ("rendre", "aurient: unknown command rendre (did you mean render?); try 'aurient --help'\n"),
    ("render --rate", "aurient render: --rate needs a value, HZ; try 'aurient render --help'\n"),
    ("hrtf info", "aurient hrtf info: needs FILE; try 'aurient hrtf info --help'\n"),
    ("'a\nb\u{1B}[31m'", "aurient: unknown command a b [31m; try 'aurient --help'\n"),
  ])
  func wrongCommandLines(words: String, error: String) throws {
    let result = try start(words)
    #expect(result.code == 2)
    #expect(result.output == "")
    #expect(result.error == error)
  }

  @Test func outputThatCannotBeWritten() throws {
    let result = try start("--help", redirection: ">/dev/full")
    #expect(result.code == 1)
    #expect(result.error == "aurient: standard output: No space left on device\n")
  }

  /// `aurient … | head` ends like any other program there: by the signal, without a word.
  @Test func readerThatGoesAway() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    close(ends[0])
    let result = try start("--help", redirection: ">&\(ends[1])")
    close(ends[1])
    #expect(result.code == 128 + SIGPIPE)
    #expect(result.error == "")
  }

  @Test func exitCodes() {
    #expect(exitCode(UsageError("aurient", "x")) == 2)
    #expect(exitCode(FileError(.notFound, file: "x", "x")) == 2)
    #expect(exitCode(FileError(.malformed, file: "x", "x")) == 2)
    #expect(exitCode(FileError(.unsupported, file: "x", "x")) == 2)
    #expect(exitCode(FileError(.unwritable, file: "x", "x")) == 1)
    #expect(exitCode(CancellationError()) == 1)
    #expect(
      errorLine(FileError(.malformed, file: "walk.gpx", place: "line 12", "no time"))
        == "aurient: walk.gpx: line 12: no time")
  }
}
