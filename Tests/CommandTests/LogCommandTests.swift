import Files
import Glibc
import MotionLog
import TestSupport
import Testing

@testable import aurient

/// `aurient log`, as its users call it.
@Suite struct LogCommandTests {
  private static let walk = "\(projectFolder)/Examples/walk"

  private func count(_ path: String) throws -> Int {
    let reader = try openMotionLog(path: path)
    return try copyRecords(from: reader) { (_: MotionRecord) throws(FileError) in }.count
  }

  @Test func thereAndBack() throws {
    let folder = TemporaryFolder()
    for words in [
      "log import \(Self.walk)/head.csv -o a.sqlite", "log export a.sqlite -o a.csv",
      "log import a.csv -o b.sqlite", "log export b.sqlite -o b.jsonl",
      "log import b.jsonl -o c.sqlite", "log export c.sqlite -o c.csv",
      "log export c.csv --format sensor-logger -o d.csv", "log export d.csv -o e.sqlite",
    ] {
      let result = try start(words, in: folder.path)
      #expect(result.code == 0 && result.error == "")
      #expect(result.output.hasSuffix(": 9702 records\n"))
    }
    let first = try InputFile.bytes(path: folder.path + "/a.csv", limit: 1 << 26)
    #expect(try InputFile.bytes(path: folder.path + "/c.csv", limit: 1 << 26) == first)
    // Nothing but the files that were asked for.
    #expect(
      folder.names() == [
        "a.csv", "a.sqlite", "b.jsonl", "b.sqlite", "c.csv", "c.sqlite", "d.csv", "e.sqlite",
      ])
  }

  @Test func importAddsAndTheSelectionCounts() throws {
    let folder = TemporaryFolder()
    let from = "--from 2026-09-21T14:13:30Z --to 2026-09-21T14:13:40Z"
    for expected in [250, 500] {
      let result = try start(
        "log import \(Self.walk)/head.csv \(from) --set-device me -o log.sqlite --json",
        in: folder.path)
      #expect(
        result.output
          == "{\"output\": \"log.sqlite\", \"records\": 250, \"faulty\": 0, \"late\": 0}\n")
      #expect(try count(folder.path + "/log.sqlite") == expected)
    }
    let device = try start(
      "log export log.sqlite --device me --format csv -o /dev/stdout", in: folder.path)
    #expect(device.output.split(separator: "\n").count == 501)
    let none = try start("log export log.sqlite --device you -o x.csv", in: folder.path)
    #expect(none.code == 2 && none.error == "aurient: log.sqlite: no records are selected\n")
    #expect(folder.names() == ["log.sqlite"])
  }

  @Test func recordsALog() throws {
    let folder = TemporaryFolder()
    let result = try start(
      "log record --replay \(Self.walk)/Headphone.csv --label 'a \"b\"' --device ear -o log.sqlite",
      in: folder.path)
    #expect(result.code == 0 && result.output == "log.sqlite: 9702 records of 388.0 s\n")
    let info = try start("log info log.sqlite", in: folder.path)
    for line in [
      "records       9702", "from          2026-09-21T14:13:20Z", "rate          25.0 Hz",
      "gaps          0, the longest interval 0.04 s", "duplicates    0",
      "earbuds       right 9702", "label         a \"b\", 9702 records", "device        ear",
      "connections   1, 1 disconnections",
    ] { #expect(info.output.contains(line + "\n"), "\(info.output)") }
    #expect(info.output.contains("tracking      started at 2026-09-21T14:13:20Z by the wall clock"))
    // The same device goes on recording unless told otherwise.
    _ = try start("log record --replay \(Self.walk)/head.csv -o log.sqlite", in: folder.path)
    #expect(
      try start("log info log.sqlite --json", in: folder.path).output
        .contains("\"devices\": {\"ear\": 19404}"))
  }

  /// A database gives the same headings and the same sound as the CSV that it was made of.
  @Test(arguments: ["sqlite", "jsonl"])
  func everyFormatServesAsHeadLog(ending: String) throws {
    let walk = try ShortWalk()
    let made = try start(
      ending == "sqlite" ? "log import head.csv -o log.sqlite" : "log export head.csv -o log.jsonl",
      in: walk.path)
    #expect(made.code == 0)
    for (name, head) in [("a", "head.csv"), ("b", "log.\(ending)")] {
      let replay = try start("head replay \(head) --phone phone.csv -o \(name).csv", in: walk.path)
      #expect(replay.code == 0 && replay.error == "")
      let render = try start(
        "render --track walk.gpx --head \(head) \(ShortWalk.beacon) -o \(name).wav", in: walk.path)
      #expect(render.code == 0, "\(render.error)")
      let watch = try start("head watch --replay \(head) --speed max --json", in: walk.path)
      try walk.write("\(name).watch", watch.output.utf8)
    }
    for kind in ["csv", "wav", "watch"] {
      #expect(try walk.bytes("a.\(kind)") == walk.bytes("b.\(kind)"))
    }
  }

  /// All that was stored in batches is there after kill −9, whole and without gaps.
  @Test func survivesBeingKilled() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/log.sqlite"
    let process = try spawn([
      "log", "record", "--replay", "\(Self.walk)/head.csv", "--speed", "20", "--period", "0.05",
      "-o",
      path,
    ])
    var accepted = 0
    for _ in 0..<1000 where accepted < 500 {
      usleep(10_000)
      accepted = (try? count(path)) ?? 0
    }
    #expect(accepted >= 500)
    kill(process, SIGKILL)
    #expect(end(of: process) == 128 + SIGKILL)
    let left = try count(path)
    #expect(left >= accepted)
    let reader = try openMotionLog(path: path)
    var (record, expected) = (MotionRecord(), 1_790_000_000_000 as Int64)
    while try reader.next(&record) {
      #expect(record.timestamp == expected)
      expected += 40
    }
    // And it can be added to at once.
    let result = try start(
      "log record --replay \(Self.walk)/head.csv -o log.sqlite", in: folder.path)
    #expect(result.code == 0)
    #expect(try count(path) == left + 9702)
  }

  @Test func aSecondWriterIsRefused() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/log.sqlite"
    let process = try spawn([
      "log", "record", "--replay", "\(Self.walk)/head.csv", "--speed", "1", "--period", "0.05",
      "-o",
      path,
    ])
    for _ in 0..<1000 where ((try? count(path)) ?? 0) == 0 { usleep(10_000) }
    for words in ["record --replay", "import"] {
      let result = try start("log \(words) \(Self.walk)/head.csv -o log.sqlite", in: folder.path)
      #expect(result.code == 1)
      #expect(
        result.error
          == "aurient: log.sqlite: another program is recording or importing into it\n")
    }
    kill(process, SIGINT)
    #expect(end(of: process) == 0)
    #expect(try count(path) > 0)
  }

  /// A file system of 1 MiB, where this may be made; a limit of the process, everywhere.
  @Test(arguments: [true, false]) func aFullDisk(isMounted: Bool) throws {
    let folder = TemporaryFolder()
    var before = "trap '' XFSZ; ulimit -f 1000;"
    if isMounted {
      let mounted = system("mount -t tmpfs -o size=1m tmpfs '\(folder.path)' 2>/dev/null")
      guard mounted == 0 else { return }
      before = ""
    }
    defer { if isMounted { _ = system("umount -l '\(folder.path)'") } }
    let head = "\(Self.walk)/head.csv"
    let short = "--to 2026-09-21T14:13:30Z"
    let first = try start("log import \(head) \(short) -o log.sqlite", in: folder.path)
    #expect(first.code == 0)
    for words in [
      "log import \(head) -o log.sqlite", "log import \(head) -o new.sqlite",
      "log export \(head) -o new.csv", "log record --replay \(head) -o log.sqlite",
    ] {
      let result = try start(words, in: folder.path, before: before)
      #expect(result.code == 1, "\(words): \(result.output)\(result.error)")
      let causes = [
        "no space left on device", "file too large", "cannot be written: disk I/O error",
      ]
      #expect(causes.contains { result.error.contains($0) }, "\(words): \(result.error)")
      #expect(result.error.split(separator: "\n").count == 1)
      // What was stored is there, and nothing is left of what could not be.
      #expect(folder.names().contains { $0.hasPrefix("new") || $0.hasPrefix(".aurient") } == false)
      #expect(try count(folder.path + "/log.sqlite") >= 250)
    }
    let other = try start("log info log.sqlite", in: folder.path)
    #expect(other.code == 0)
  }

  /// A gigabyte without a line end, in 300 MB of address space.
  @Test(arguments: ["", "{\"label\":\"", "timestamp,yaw\n1,\""])
  func aGigabyteWithoutALineEnd(beginning: String) throws {
    let folder = TemporaryFolder()
    let path = folder.file("huge", beginning)
    #expect(truncate(path, 1 << 30) == 0)
    for words in ["log import huge -o log.sqlite", "log info huge", "head replay huge -o x.csv"] {
      let result = try start(words, in: folder.path, before: "ulimit -v 300000;")
      #expect(result.code == 2)
      #expect(result.error.contains("longer than a mebibyte"), "\(result.error)")
      #expect(folder.names() == ["huge"])
    }
  }

  /// Packets of opentrack over UDP, with a terminal to watch and Ctrl-C to end.
  @Test func recordsWhatIsSent() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/log.sqlite"
    let probe = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutableBytes(of: &address) { bytes in
      let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      #expect(bind(probe, pointer, length) == 0 && getsockname(probe, pointer, &length) == 0)
    }
    close(probe)
    let port = UInt16(bigEndian: address.sin_port)
    let terminal = PseudoTerminal(columns: 80)
    let process = try spawn(
      [
        "log", "record", "--opentrack", "\(port)", "--label", "live", "--period", "0.1", "-o", path,
      ], output: terminal.descriptor, error: terminal.descriptor)
    let sender = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(sender) }
    var sent = 0.0
    for _ in 0..<1000 where ((try? count(path)) ?? 0) < 50 {
      // Turned left by so many degrees; opentrack's yaw is positive to the right.
      let packet = [0, 0, 0, -sent.truncatingRemainder(dividingBy: 90), 0, 0]
      withUnsafeBytes(of: &address) { bytes in
        let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
        _ = sendto(sender, packet, 48, 0, pointer, length)
      }
      sent += 1
      usleep(10_000)
    }
    kill(process, SIGINT)
    #expect(end(of: process) == 0)
    let reader = try openMotionLog(path: path)
    var (record, yaws) = (MotionRecord(), [Double]())
    while try reader.next(&record) {
      #expect(
        record.label == "live" && record[.gravityX] == nil && record.headphonePlacement == nil)
      yaws.append(try #require(record[.yaw]) * 180 / .pi)
    }
    #expect(yaws.count >= 50)
    // One after another, whichever was the first that was heard.
    #expect(zip(yaws, yaws.dropFirst()).allSatisfy { abs($1 - $0 - 1) < 1e-9 || $1 < $0 })
    let events = try reader.trackingEvents()
    #expect(events.map(\.kind) == [.started, .connected, .stopped])
    #expect(events[0].source == "opentrack 127.0.0.1 port \(port)")
  }

  @Test func noMotionLeavesNoLog() throws {
    let folder = TemporaryFolder()
    let result = try start("log record --osc 61234 --duration 0.1 -o log.sqlite", in: folder.path)
    #expect(result.code == 1)
    #expect(result.error == "aurient: OSC 127.0.0.1 port 61234: no head motion came\n")
    #expect(folder.names() == [])
  }

  @Test func aLabelIsAText() throws {
    let folder = TemporaryFolder()
    let label = "x'); DROP TABLE airpods_motion; --"
    let result = try start(
      "log record --replay \(Self.walk)/head.csv --label \"\(label)\" -o log.sqlite",
      in: folder.path)
    #expect(result.code == 0)
    #expect(
      try start("log export log.sqlite --label \"\(label)\" -o x.csv", in: folder.path).output
        == "x.csv: 9702 records\n")
    // Nor is a column's name more than that.
    let column = "yaw FROM airpods_motion; DROP TABLE airpods_motion; --"
    _ = folder.file("y.csv", "timestamp,yaw,\(column)\n1,0,0\n")
    #expect(try start("log import y.csv -o log.sqlite", in: folder.path).code == 0)
    #expect(try count(folder.path + "/log.sqlite") == 9703)
  }

  @Test(arguments: [
    ("record -o x", "needs one of --osc PORT, --opentrack PORT, --replay LOG"),
    ("record --replay a --osc 1 -o x", "needs one of --osc PORT, --opentrack PORT, --replay LOG"),
    ("record --osc 9000 --speed 1 -o x", "--speed: is of no use with --osc"),
    ("export head.csv -o x.txt", "--output: \"x.txt\" does not end in .csv, .jsonl or .sqlite"),
    ("export head.csv --format xml -o x", "--format: \"xml\" is not sqlite, csv, jsonl"),
    ("export head.csv --from noon -o x.csv", "--from: \"noon\" is not a time"),
    ("import head.csv -o head.csv", "--output: \"head.csv\" is an input, too"),
    ("sync log.sqlite", "needs --host URL"),
    (
      "sync log.sqlite --host http://example.org", "--host: http://example.org: records are private"
    ),
  ])
  func usage(words: String, error: String) throws {
    let folder = TemporaryFolder()
    _ = folder.file("head.csv", "timestamp,yaw\n1,0\n")
    let result = try start("log \(words)", in: folder.path)
    #expect(result.code == 2)
    #expect(result.error.contains(error), "\(result.error)")
    #expect(folder.names() == ["head.csv"])
  }

  @Test(arguments: ["nope", ".", "empty", "other.sqlite", "text"])
  func logsThatAreNone(name: String) throws {
    let folder = TemporaryFolder()
    _ = folder.file("empty", "")
    _ = folder.file("text", "Dear diary\n")
    let python = "import sqlite3; sqlite3.connect(\"other.sqlite\").execute(\"CREATE TABLE a (b)\")"
    #expect(system("cd '\(folder.path)' && python3 -c '\(python)'") == 0)
    let names = folder.names()
    for words in ["import \(name) -o x.sqlite", "info \(name)", "export \(name) -o x.csv"] {
      let result = try start("log \(words)", in: folder.path)
      #expect(result.code == 2)
      #expect(result.error.hasPrefix("aurient: \(name): "), "\(result.error)")
      #expect(result.error.split(separator: "\n").count == 1)
      #expect(folder.names() == names)
    }
  }

  @Test func whatIsFaultyCanBeLeftOut() throws {
    let folder = TemporaryFolder()
    _ = folder.file("log", "timestamp,yaw\n1000,0\n1010,x\n1005,0\n")
    let refused = try start("log import log -o x.sqlite", in: folder.path)
    #expect(
      refused.code == 2
        && refused.error == "aurient: log: line 3, column yaw: \"x\" is not a finite number\n")
    #expect(folder.names() == ["log"])
    let result = try start("log import log --skip-faulty -o x.sqlite", in: folder.path)
    #expect(result.code == 0 && result.output == "x.sqlite: 2 records\n")
    #expect(result.error.hasSuffix("; left out, 1 records in all\n"))
  }
}
