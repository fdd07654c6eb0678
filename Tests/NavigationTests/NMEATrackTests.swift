import Files
import Geometry
import HeadTracking
import Navigation
import TestSupport
import Testing

struct NMEATrackTests: ~Copyable {
  private let folder = TemporaryFolder()

  private static func rmc(_ time: String, _ date: String = "", course: String = "10") -> String {
    nmea("GPRMC,\(time),A,5130.0,N,00007.5,W,2.0,\(course),\(date),,,A")
  }

  private static func gga(_ time: String) -> String {
    nmea("GPGGA,\(time),5130.0,N,00007.5,W,1,08,0.9,20.5,M,46.9,M,,")
  }

  private func log(_ lines: [String]) throws -> NMEALog {
    try NMEALog(path: folder.file("a.nmea", lines.joined(separator: "\r\n") + "\r\n"))
  }

  private static func times(_ log: NMEALog) -> [String] {
    log.fixes.map { $0.time.map(\.description) ?? "none" }
  }

  /// The example's NMEA log, which a script of its own made of the GPX file, is the same walk to the
  /// digits that it has.
  @Test func theWalkIsThatOfTheGPXFile() throws {
    let walk = projectFolder + "/Examples/walk/walk"
    let (read, original) = (try Track(path: walk + ".nmea"), try Track(path: walk + ".gpx"))
    #expect(read.warnings.isEmpty)
    #expect(read.fixes.count == original.fixes.count && read.times == original.times)
    for (fix, expected) in zip(read.fixes, original.fixes) {
      // Half of 1e-5 minutes of latitude is 9 mm.
      #expect(fix.coordinate.geodesic(to: expected.coordinate).distance < 0.012)
      #expect(fix.altitude == expected.altitude)
      #expect(abs((fix.speed ?? -1) - (expected.speed ?? -2)) < 0.0003)
      #expect((fix.course == nil) == (expected.course == nil))
      if let course = fix.course, let other = expected.course {
        #expect(abs(signedDegrees(course - other)) < 0.0051)
      }
    }
  }

  @Test func sentencesOfAnEpochMakeOneFix() throws {
    let log = try log([
      Self.gga("120000.00"), Self.rmc("120000.00", "210926", course: ""),
      nmea("GPVTG,33.5,T,,M,2.0,N,3.7,K,A"), nmea("HEHDT,271.5,T"), nmea("GPGSV,1,1,00"),
      Self.gga("120001.00"),
    ])
    let time = Timestamp(text: "2026-09-21T12:00:00Z")
    let place = GeodeticCoordinate(latitude: 51.5, longitude: -0.125)
    #expect(
      log.fixes == [
        LocationFix(
          time: time, coordinate: place, altitude: 20.5, speed: 2.0 * (1852.0 / 3600), course: 33.5),
        LocationFix(time: time.map { $0 + 1 }, coordinate: place, altitude: 20.5),
      ])
    #expect(log.headings.map(\.trueHeading) == [271.5] && log.headings.first?.time == time)
    #expect(log.counts.understood == 5 && log.counts.others == 1 && log.counts.droppedTotal == 0)
  }

  /// The date goes on at midnight by itself, and comes before its first sentence too.
  @Test(
    arguments: [
      (
        [gga("235959"), gga("000000"), rmc("000001", "010126")],
        ["2025-12-31T23:59:59Z", "2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"]
      ),
      (
        [rmc("235959", "311225"), gga("000000"), gga("000001")],
        ["2025-12-31T23:59:59Z", "2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"]
      ),
      (
        [rmc("235959", "311225"), gga("000000"), rmc("000000", "010126")],
        ["2025-12-31T23:59:59Z", "2026-01-01T00:00:00Z"]
      ),
      (
        [rmc("120000", "280299"), rmc("110000", "010100")],
        ["1999-02-28T12:00:00Z", "2000-01-01T11:00:00Z"]
      ),
      (
        [nmea("GPZDA,120000,04,07,2002,00,00"), gga("120001")], ["2002-07-04T12:00:01Z"]
      ),
    ] as [([String], [String])])
  func dates(_ lines: [String], _ expected: [String]) throws {
    let log = try log(lines)
    #expect(Self.times(log) == expected)
    #expect(log.warnings.isEmpty)
  }

  @Test func withoutADate() throws {
    let log = try log([Self.gga("235959"), Self.gga("000001")])
    #expect(Self.times(log) == ["1970-01-01T23:59:59Z", "1970-01-02T00:00:01Z"])
    #expect(
      log.warnings.map(\.cause) == ["no sentence has a date; taken as of 1970-01-01"])
  }

  @Test func whatIsDroppedIsTold() throws {
    let path = folder.file(
      "a.nmea",
      "hello\n" + Self.rmc("120000", "210926") + "\n" + Self.rmc("120001", "210926").dropLast()
        + "0\n$GPRMC,1\u{1}\n")
    let track = try Track(path: path)
    #expect(track.fixes.count == 1)
    #expect(
      track.warnings.map(\.description) == [
        "\(path): line 1: a line that is no sentence; left out",
        "\(path): line 3: a missing or wrong checksum; left out",
        "\(path): line 4: a malformed or truncated sentence; left out",
      ])
  }

  @Test(
    arguments: [
      (
        [nmea("GPGSV,1,1,00"), "$GPRMC,1,*00"],
        "no place in it: 0 NMEA sentences understood, 1 others, 1 dropped"
      ),
      (
        [nmea("GPRMC,120000,V,,,,,,,210926,,")],
        "no place in it: 1 NMEA sentences understood, 0 others, 0 dropped"
      ),
      (
        [rmc("120005", "210926"), gga("120005"), rmc("120003", "210926")],
        "line 3: the time is 2.0 s before that of the fix before"
      ),
    ] as [([String], String)])
  func faults(_ lines: [String], _ message: String) {
    let path = folder.file("a.txt", lines.joined(separator: "\n"))
    let error = #expect(throws: FileError.self) { try Track(path: path) }
    #expect(error?.description == "\(path): \(message)")
  }

  /// After a mark, noise or a logger's own heading it is still NMEA; CSV with such signs is not.
  @Test func isKnownByItsContent() throws {
    for start in ["\u{FEFF}", "\u{1}\u{2}\u{7F}", "# logger 1.0\n", "\r\n\r\n", "12:00:00;"] {
      let path = folder.file("a.csv", start + Self.rmc("120000", "210926") + "\r\n")
      #expect(try Track(path: path).fixes.count == 1)
    }
    let path = folder.file("b.csv", "time,latitude,longitude,note\n1,2,3,$5.00!\n")
    #expect(try Track(path: path).fixes.count == 1)
  }
}
