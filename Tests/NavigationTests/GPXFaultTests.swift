import Files
import Glibc
import Navigation
import TestSupport
import Testing

/// What a malformed GPX file says, after its name.
private let faults: [(content: String, message: String)] = [
  ("", "the file is empty"),
  ("no XML", "line 1: no valid XML: syntax error"),
  ("<gpx><trk></gpx>", "line 1: no valid XML: mismatched tag"),
  ("<gpx>\n<trk>", "line 2: the XML stops before its end"),
  ("<gpx>\n<wpt lat=\"1", "line 2: the XML stops before its end"),
  ("<gpx/><gpx/>", "line 1: no valid XML: junk after document element"),
  ("<kml></kml>", "line 1: the root element is \"kml\", not gpx: no GPX file"),
  ("<gpx>\n<wpt lon='2'/></gpx>", "line 2: wpt has no lat"),
  ("<gpx>\n<wpt lat='2'/></gpx>", "line 2: wpt has no lon"),
  ("<gpx><wpt lat='x' lon='2'/></gpx>", "line 1: latitude \"x\" is not a finite number"),
  ("<gpx><wpt lat='nan' lon='2'/></gpx>", "line 1: latitude \"nan\" is not a finite number"),
  ("<gpx><wpt lat='0' lon='inf'/></gpx>", "line 1: longitude \"inf\" is not a finite number"),
  ("<gpx><wpt lat='' lon='2'/></gpx>", "line 1: latitude \"\" is not a finite number"),
  ("<gpx><wpt lat='90.1' lon='2'/></gpx>", "line 1: latitude \"90.1\" is outside −90 to 90"),
  ("<gpx><wpt lat='0' lon='-181'/></gpx>", "line 1: longitude \"-181\" is outside −180 to 180"),
  (
    "<gpx><wpt lat='0' lon='0'>\n<time>noon</time></wpt></gpx>",
    "line 2: time \"noon\" is not a time"
  ),
  ("<gpx><trkpt lat='0' lon='0'/></gpx>", "line 1: trkpt inside gpx"),
  (
    "<!DOCTYPE gpx [\n<!ENTITY a \"ha\">]>\n<gpx><name>&a;</name></gpx>",
    "line 2: an entity declaration, which is not read"
  ),
]

/// What a file without a usable track says, after its name.
private let trackFaults: [(content: String, message: String)] = [
  ("<gpx/>", "no track: 0 waypoints and 0 routes"),
  (
    "<gpx><wpt lat='1' lon='1'/><rte/><rte/><trk><trkseg/></trk></gpx>",
    "no track: 1 waypoint and 2 routes"
  ),
  (
    "<gpx><trk><trkseg>\n<trkpt lat='1' lon='1'><time>9</time></trkpt>\n<trkpt lat='1' lon='1'/>"
      + "</trkseg></trk></gpx>",
    "line 3: the track point has no time"
  ),
  (
    "<gpx><trk><trkseg>\n<trkpt lat='1' lon='1'><time>9</time></trkpt></trkseg><trkseg>\n"
      + "<trkpt lat='1' lon='1'><time>1970-01-01T00:00:07.5Z</time></trkpt></trkseg></trk></gpx>",
    "line 3: the time is 1.5 s before that of the track point before"
  ),
]

struct GPXFaultTests: ~Copyable {
  private let folder = TemporaryFolder()

  @Test(arguments: faults) func faultOfAFile(_ content: String, _ message: String) {
    let path = folder.file("a.gpx", content)
    let error = #expect(throws: FileError.self) { try GPX(path: path) }
    #expect(error?.description == "\(path): \(message)")
  }

  @Test(arguments: trackFaults) func faultOfATrack(_ content: String, _ message: String) throws {
    let path = folder.file("a.gpx", content)
    _ = try GPX(path: path)
    let error = #expect(throws: FileError.self) { try Track(path: path) }
    #expect(error?.description == "\(path): \(message)")
  }

  @Test func missingFileAndFolder() {
    let error = #expect(throws: FileError.self) { try GPX(path: "/no/such.gpx") }
    #expect(error?.description == "/no/such.gpx: no such file or directory")
    #expect(error?.code == .notFound)
    let other = #expect(throws: FileError.self) { try Track(path: folder.path) }
    #expect(other?.description == "\(folder.path): is a directory")
  }

  /// Nine levels of tenfold entities would be a gigabyte of text.
  @Test func entityBombIsRefused() {
    let entities = (1...9).map { level in
      "<!ENTITY e\(level) \"" + String(repeating: "&e\(level - 1);", count: 10) + "\">"
    }
    let content =
      "<!DOCTYPE gpx [<!ENTITY e0 \"ha\">" + entities.joined() + "]><gpx><name>&e9;</name></gpx>"
    let path = folder.file("a.gpx", content)
    let error = #expect(throws: FileError.self) { try GPX(path: path) }
    #expect(error?.code == .unsupported)
  }

  @Test(.enabled(if: testDataFolder != nil)) func everyTruncationIsAFault() throws {
    let source = (testDataFolder ?? "") + "/gpx/gpx1.1_with_all_fields.gpx"
    let content = try #require(readText(source))
    let whole = content.utf8.count - (content.hasSuffix("\n") ? 1 : 0)
    for length in stride(from: 0, to: whole, by: 7) {
      let path = folder.file(
        "cut.gpx", String(decoding: content.utf8.prefix(length), as: UTF8.self))
      #expect(throws: FileError.self) { try GPX(path: path) }
    }
  }
}

private func readText(_ path: String) -> String? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 20)
  let count = fread(&bytes, 1, bytes.count, file)
  return String(decoding: bytes[..<count], as: UTF8.self)
}
