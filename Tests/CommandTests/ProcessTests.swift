import Files
import Glibc
import TestSupport
import Testing

@testable import aurient

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
    ("hrtf info", "aurient hrtf info: needs NAME|FILE.sofa; try 'aurient hrtf info --help'\n"),
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
    // Not inherited by what other tests start meanwhile, which would be readers too.
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    close(ends[0])
    let folder = TemporaryFolder()
    let error = open(folder.path + "/err", O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    let process = try spawn(["--help"], output: ends[1], error: error)
    #expect(end(of: process) == 128 + SIGPIPE)
    #expect(lseek(error, 0, SEEK_END) == 0)
    close(ends[1])
    close(error)
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
