import Files
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import aurient

/// The program with its output in a pipe or on a terminal, while it runs.
private final class RunningWatch {
  private let process: pid_t
  private let output: Int32
  private let folder = TemporaryFolder()
  private var read = ""

  /// - Parameter terminal: where it writes; nil for a pipe.
  init(_ words: String, terminal: PseudoTerminal? = nil) throws {
    let itself = try #require(realpath("/proc/self/exe", nil))
    defer { free(itself) }
    let path = String(cString: itself)
    let program = path[...(path.lastIndex(of: "/") ?? path.startIndex)] + "aurient"
    var ends: [Int32] = [-1, -1]
    if let terminal {
      ends = [dup(terminal.controller), dup(terminal.descriptor)]
    } else {
      try #require(pipe(&ends) == 0)
    }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addopen(
      &actions, STDERR_FILENO, folder.path + "/err", O_WRONLY | O_CREAT, 0o600)
    var arguments =
      ([String(program)] + words.split(separator: " ").map(String.init)).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    try #require(posix_spawn(&process, String(program), &actions, nil, &arguments, environ) == 0)
    close(ends[1])
    self.process = process
    output = ends[0]
    _ = fcntl(output, F_SETFL, O_NONBLOCK)
  }

  deinit {
    kill(process, SIGKILL)
    close(output)
  }

  /// All that it has written so far.
  var text: String {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = Glibc.read(output, &bytes, bytes.count), count > 0 {
      read += String(decoding: bytes.prefix(count), as: UTF8.self)
    }
    return read
  }

  var lines: [Substring] { text.split(separator: "\n") }

  /// Lets time pass, doing something each 10 ms, until a condition holds; whether it did in 10 s.
  func wait(until condition: () throws -> Bool, doing work: () -> Void = {}) rethrows -> Bool {
    for _ in 0..<1000 {
      if try condition() { return true }
      work()
      usleep(10_000)
    }
    return false
  }

  func interrupt() { kill(process, SIGINT) }

  /// Waits for its end; code as a shell reports it, and what it wrote to standard error.
  func end() throws -> (code: Int32, error: String) {
    var status: Int32 = 0
    var hasEnded = false
    let inTime = wait(until: {
      _ = text
      hasEnded = waitpid(process, &status, WNOHANG) == process
      return hasEnded
    })
    try #require(inTime, "the program doesn't end")
    let error = try InputFile.bytes(path: folder.path + "/err", limit: 1 << 20)
    let signal = status & 0x7F
    return (
      signal == 0 ? (status >> 8) & 0xFF : 128 + signal, String(decoding: error, as: UTF8.self)
    )
  }
}

/// A line of `--json`.
private struct Line: Decodable {
  var time_s: Double
  var status: String
  var yaw_deg: Double?
  var pitch_deg: Double?
  var roll_deg: Double?
  var offset_deg: Double?
  var head_deg: Double?
  var rate_hz: Double?
  var frames: Int
  var dropped: [String: Int]

  init(_ text: Substring) throws {
    self = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
  }
}

@Suite struct HeadWatchTests {
  @Test func jsonOfOSC() throws {
    let sender = try Sender()
    let watch = try RunningWatch("head watch --osc \(sender.port) --json")
    let came = watch.wait(until: { watch.lines.count >= 50 }) {
      sender.send("/adm/lis/ypr", [90, 20, -10])
      for _ in 0..<3 {
        sender.send("/foo/bar", [1])
        sender.send([1, 2, 3])
      }
    }
    #expect(came)
    watch.interrupt()
    let (code, error) = try watch.end()
    #expect(code == 0)
    // Once for each cause, however often it occurs.
    let place = "aurient: 127.0.0.1 port \(sender.port): dropped"
    #expect(
      Set(error.split(separator: "\n")) == [
        "\(place) an unknown OSC address, /foo/bar; others are counted",
        "\(place) a malformed or truncated packet; others are counted",
      ])
    #expect(error.split(separator: "\n").count == 2)
    let lines = try watch.lines.map { try Line($0) }
    for (line, next) in zip(lines, lines.dropFirst()) {
      // On a busy machine nothing may come between two lines.
      #expect(line.time_s < next.time_s && line.frames <= next.frames)
    }
    #expect(lines.first?.frames ?? 0 < lines.last?.frames ?? 0)
    let last = try #require(lines.last)
    #expect(last.status == "connected")
    #expect(abs(try #require(last.yaw_deg) - 90) < 1e-5)
    #expect(abs(try #require(last.pitch_deg) - 20) < 1e-5)
    #expect(abs(try #require(last.roll_deg) + 10) < 1e-5)
    #expect(last.offset_deg == nil && last.head_deg == nil)
    #expect(last.dropped["unknown_address", default: 0] > 100)
    #expect(last.dropped["malformed", default: 0] > 100)
  }

  @Test func aLineASecondWhereThereIsNoTerminal() throws {
    let sender = try Sender()
    let watch = try RunningWatch("head watch --opentrack \(sender.port) --duration 2.5")
    var pitch = 0.0
    _ = watch.wait(until: { watch.lines.count == 3 }) {
      pitch += 0.01
      sender.sendOpentrack(30, pitch, 5)
    }
    let (code, error) = try watch.end()
    #expect(code == 0 && error == "")
    #expect(watch.lines.count == 3)
    let last = try #require(watch.lines.last)
    #expect(last.hasPrefix("connected    head     - ±   - yaw 210.0 pitch "))
    #expect(last.contains(" roll    5.0 off     - "))
    // Sent each 10 ms, or more slowly on a busy machine.
    let rate = last.split(separator: " ").last.flatMap { Double($0.dropLast(2)) }
    #expect(try 20...101 ~= #require(rate))
  }

  @Test(arguments: [UInt16(100), 40]) func oneLineOnATerminal(_ columns: UInt16) throws {
    let sender = try Sender()
    let terminal = PseudoTerminal(columns: columns)
    let watch = try RunningWatch(
      "head watch --osc \(sender.port) --duration 1", terminal: terminal)
    _ = watch.wait(until: { watch.text.unicodeScalars.last == "\n" }) {
      sender.send("/ypr", [10, 0, 0])
    }
    let (code, error) = try watch.end()
    #expect(code == 0 && error == "")
    // The terminal makes \r\n of a line's end; there is but one.
    #expect(watch.text.unicodeScalars.filter { $0 == "\n" }.count == 1)
    let drawings = watch.text.split(separator: "\r\u{1B}[K")
    #expect(drawings.count > 5 && watch.text.hasPrefix("\r\u{1B}[K"))
    for drawing in drawings { #expect(drawing.filter { $0 != "\r\n" }.count <= Int(columns) - 1) }
    // Turned right by 10 degrees.
    #expect(drawings.last?.hasPrefix("connected    head     - ±   - yaw 190.0") == true)
  }

  @Test func aSilenceIsShown() throws {
    let sender = try Sender()
    let watch = try RunningWatch("head watch --osc \(sender.port) --json")
    _ = watch.wait(until: { !watch.lines.isEmpty }) { sender.send("/ypr", [10, 0, 0]) }
    let silent = try watch.wait(until: {
      try watch.lines.last.map { try Line($0).status == "disconnected" } ?? false
    })
    #expect(silent)
    watch.interrupt()
    #expect(try watch.end().code == 0)
  }

  /// As fast as possible, with the very numbers that `head replay` writes.
  @Test func aLogAgreesWithItsReplay() throws {
    let folder = TemporaryFolder()
    let walk = projectFolder + "/Examples/walk"
    let inputs = "\(walk)/head.csv --phone \(walk)/phone.csv --track \(walk)/walk.gpx"
    let replay = try RunningWatch("head replay \(inputs) -o \(folder.path)/out.csv")
    #expect(try replay.end().code == 0)
    let watch = try RunningWatch("head watch --replay \(inputs) --speed max --json")
    let (code, error) = try watch.end()
    #expect(code == 0 && error == "")
    let lines = watch.lines
    let reader = try CSVReader(path: folder.path + "/out.csv")
    var row = 0
    while try reader.next() {
      // Each hundredth is enough, and the first that is calibrated.
      if row % 100 == 0 || row == 287 {
        let line = try Line(lines[row])
        let (time, yaw) = (try reader.requiredNumber(0), try reader.requiredNumber(1))
        let (offset, heading) = (try reader.number(2), try reader.number(3))
        #expect(line.time_s == time && line.yaw_deg == yaw)
        #expect(line.offset_deg == offset && line.head_deg == heading)
        #expect(line.status == reader.text(4))
        #expect(line.frames == row + 1)
      }
      row += 1
    }
    #expect(row > 9000 && lines.count == row + 1)
    let last = try Line(try #require(lines.last))
    #expect(last.status == "disconnected" && last.rate_hz == 25)
  }

  @Test func referencesOfAnotherTimeAreTold() throws {
    let folder = TemporaryFolder()
    let log = folder.file("head.csv", "timestamp,yaw\n1790000000000,0.1\n1790000000040,0.1\n")
    let phone = folder.file("phone.csv", "timestamp,trueHeading\n1690000000000,10\n")
    let (code, error) = try RunningWatch("head watch --replay \(log) --phone \(phone)").end()
    #expect(code == 2)
    #expect(error.hasPrefix("aurient: \(phone): from 2023-07-22T04:26:40Z to "))
    #expect(error.split(separator: "\n").count == 1)
  }

  @Test func aLogKeepsItsSpeed() throws {
    let folder = TemporaryFolder()
    let rows = (0...100).map { "\(1_790_000_000_000 + 100 * $0),0.1\n" }
    let log = folder.file("head.csv", "timestamp,yaw\n" + rows.joined())
    let start = ContinuousClock.now
    let watch = try RunningWatch("head watch --replay \(log) --speed 20 --json --every 1")
    #expect(try watch.end().code == 0)
    // 10 s of log; lines at 0 to 10 s, and the end.
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    #expect(0.5...5 ~= seconds)
    #expect(
      try watch.lines.map { try Line($0).time_s.rounded() } == (0...10).map(Double.init) + [10])
  }

  @Test(arguments: [
    (
      "", "needs one of --osc PORT, --opentrack PORT, --replay LOG; try 'aurient head watch --help'"
    ),
    (
      "--osc 9000 --replay x",
      "needs one of --osc PORT, --opentrack PORT, --replay LOG; try 'aurient head watch --help'"
    ),
    ("--osc 0", "--osc: 0 is outside 1 to 65535"),
    ("--osc nine", "--osc: \"nine\" is not a whole number"),
    ("--osc 9000 --speed 2", "--speed: is of no use with --osc"),
    ("--replay x --listen 0.0.0.0", "--listen: is of no use with --replay"),
    ("--replay x --speed 0", "--speed: 0 is outside 0.001 to 1000000"),
    ("--replay x --every -1", "--every: -1 is outside 0 to 86400"),
  ])
  func wrongCommandLines(_ words: String, _ cause: String) throws {
    let (code, error) = try RunningWatch("head watch " + words).end()
    #expect(code == 2)
    #expect(error == "aurient head watch: \(cause)\n")
  }

  @Test func whatCannotBeDone() throws {
    let sender = try Sender()
    let place = "127.0.0.1 port \(sender.port)"
    let silence = try RunningWatch("head watch --osc \(sender.port) --duration 0.2").end()
    #expect(silence == (1, "aurient: \(place): no head motion came\n"))
    #expect(sender.occupy())
    let occupied = try RunningWatch("head watch --osc \(sender.port)").end()
    #expect(occupied == (1, "aurient: \(place): address already in use\n"))
    let absent = try RunningWatch("head watch --replay /no/such/log").end()
    #expect(absent == (2, "aurient: /no/such/log: no such file or directory\n"))
  }
}
