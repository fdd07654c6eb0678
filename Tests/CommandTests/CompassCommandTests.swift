import Files
import FoundationEssentials
import Geometry
import Glibc
import TestSupport
import Testing

/// `aurient compass` from files to files.
@Suite struct CompassCommandTests {
  /// Raw logs in a folder: `turn.csv`, a phone turned about all axes in 48 µT that dip 66°, with hard iron
  /// (22, −27, 14) µT; `side.csv` of one that lay with its screen up; `held.csv` of one held at heading
  /// 200°, pitch 25°, near which 30 µT come from the east from the second to the third second.
  private struct Logs: ~Copyable {
    let folder = TemporaryFolder()

    init() throws {
      let turned = (0..<1500).map { index -> (Double, Double, Double) in
        let turn = 2 * .pi * Double(index) / 1500
        return (turn, 1.3 * sin(7 * turn), 3.7 * sin(3.5 * turn))
      }
      try write("turn.csv", turned.map { ($0, 0) })
      try write("side.csv", turned.map { (($0.0, 0.3 * $0.1, 0.1 * $0.2), 0) })
      let held = (radians(degrees: 200), radians(degrees: 25), 0.0)
      try write("held.csv", (0..<200).map { (held, 100..<150 ~= $0 ? 30 : 0) })
    }

    /// Rows of heading, pitch and roll in radians, and of what comes from the east.
    private func write(_ name: String, _ rows: [((Double, Double, Double), Double)]) throws {
      var text = "timestamp,mag_x,mag_y,mag_z,gravityX,gravityY,gravityZ\n"
      for (index, ((heading, pitch, roll), east)) in rows.enumerated() {
        let attitude = CoreMotionAngles(yaw: -heading, pitch: pitch, roll: roll).quaternion
        let dip = radians(degrees: 66)
        let field =
          attitude.conjugate.rotate(Vector3(east, 48 * cos(dip), -48 * sin(dip)))
          + Vector3(22, -27, 14)
        let gravity = attitude.conjugate.rotate(Vector3(0, 0, -1))
        text += "\(1_790_000_000_000 + 20 * index),\(field.x),\(field.y),\(field.z),"
        text += "\(gravity.x),\(gravity.y),\(gravity.z)\n"
      }
      try OutputFile.write(text.utf8, to: "\(folder.path)/\(name)")
    }

    func text(_ name: String) throws -> String {
      String(
        decoding: try InputFile.bytes(path: "\(folder.path)/\(name)", limit: 1 << 24), as: UTF8.self
      )
    }
  }

  private struct Calibration: Decodable {
    var model: String
    var offset_ut: [Double]
    var strength_ut, dip_deg, residual_ut, coverage, outliers: Double
    var readings: Int
  }

  @Test func fromCalibrationToHeadings() throws {
    let logs = try Logs()
    let calibrate = try start(
      "compass calibrate turn.csv --plot cal.svg -o cal.json", in: logs.folder.path)
    #expect(calibrate.code == 0 && calibrate.error == "")
    #expect(calibrate.output.hasPrefix("ellipsoid through 1500 readings, residual 0.0"))
    let calibration = try JSONDecoder().decode(
      Calibration.self, from: Data(try logs.text("cal.json").utf8))
    for (value, expected) in zip(calibration.offset_ut, [22.0, -27, 14]) {
      #expect(abs(value - expected) < 0.1)
    }
    #expect(abs(calibration.strength_ut - 48) < 0.1 && abs(calibration.dip_deg - 66) < 0.1)
    #expect(calibration.readings == 1500 && calibration.outliers == 0)
    let plot = try logs.text("cal.svg")
    #expect(plot.hasPrefix("<?xml") && plot.contains("corrected") && plot.contains("</svg>"))

    let heading = try start(
      "compass heading held.csv --calibration cal.json --location 51,0", in: logs.folder.path)
    #expect(heading.code == 0 && heading.error == "")
    let rows = heading.output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(
      rows[0] == [
        "timestamp", "magneticHeading", "trueHeading", "headingAccuracy", "disturbed", "faults",
      ])
    #expect(rows.count == 201)
    for (index, row) in rows.dropFirst().enumerated() {
      let isDisturbed = 100..<150 ~= index
      #expect(row[0] == "\(1_790_000_000_000 + 20 * index)")
      let magnetic = try #require(Double(row[1]))
      #expect((abs(magnetic - 200) < 0.5) != isDisturbed)
      // By pygeomag at 51° N 0° E, 2026.72: declination 1.2741°.
      #expect(abs(try #require(Double(row[2])) - magnetic - 1.274) < 0.005)
      #expect(row[4] == (isDisturbed ? "1" : "0"))
      #expect(row[5] == (isDisturbed ? "strength dip" : ""))
      #expect((try #require(Double(row[3])) < 10) != isDisturbed)
    }

    // Written to a file it is a log of a phone.
    _ = try start(
      "compass heading held.csv --calibration cal.json -o headings.csv", in: logs.folder.path)
    #expect(try logs.text("headings.csv").split(separator: "\n").count == 201)

    struct Report: Decodable {
      struct Interval: Decodable {
        var start_s, end_s: Double
        var faults: [String]
      }
      var readings: Int
      var disturbed_share, strength_mean_ut: Double
      var fault_shares: [String: Double]
      var intervals: [Interval]
    }
    let check = try start(
      "compass check held.csv --calibration cal.json --json", in: logs.folder.path)
    #expect(check.code == 0 && check.error == "")
    let report = try JSONDecoder().decode(Report.self, from: Data(check.output.utf8))
    #expect(report.readings == 200 && report.disturbed_share == 0.25)
    #expect(report.fault_shares == ["strength": 0.25, "dip": 0.25, "rotation": 0, "vertical": 0])
    #expect(report.intervals.count == 1 && report.intervals[0].faults == ["strength", "dip"])
    #expect(report.intervals[0].start_s == 2 && abs(report.intervals[0].end_s - 2.98) < 1e-9)
    let text = try start("compass check held.csv --calibration cal.json", in: logs.folder.path)
    #expect(text.output.hasPrefix("200 readings, 25.0 % disturbed (strength 25.0 %, dip 25.0 %)\n"))
    #expect(text.output.contains("disturbed   2.0 s to 3.0 s: strength, dip\n"))
  }

  /// With a place the calibration has the strength that the model gives there.
  @Test func scale() throws {
    let logs = try Logs()
    let result = try start(
      "compass calibrate turn.csv --location 51,0 --date 2026-09-21 --model sphere --json -o cal.json",
      in: logs.folder.path)
    let calibration = try JSONDecoder().decode(Calibration.self, from: Data(result.output.utf8))
    // By pygeomag: GeoMag(coefficients_file="wmm/WMM_2025.COF").calculate(51, 0, 0, 2026.72).f / 1000
    #expect(calibration.model == "sphere" && abs(calibration.strength_ut - 48.98986) < 0.0005)
  }

  @Test func refusal() throws {
    let logs = try Logs()
    let before = logs.folder.names()
    let result = try start("compass calibrate side.csv -o cal.json", in: logs.folder.path)
    #expect(result.code == 2 && result.output == "")
    #expect(result.error.hasPrefix("aurient: side.csv: the readings cover "))
    #expect(result.error.hasSuffix(" of the screen's side: turn the phone over\n"))
    #expect(logs.folder.names() == before)
  }

  /// The official test values of the model of 2025 at its first and last rows, and of 2020.
  @Test(arguments: [
    ("80", "0", "2025.0", "0", 1.28, 83.21, 55178.5),
    ("-80", "240", "2027.5", "100000", 67.93, -72.10, 51825.7),
    ("26", "81", "2020.5", "63000", 0.43, 40.84, 45914.9),
  ])
  func declination(
    latitude: String, longitude: String, date: String, altitude: String, declination: Double,
    dip: Double, strength: Double
  ) throws {
    struct Field: Decodable {
      var declination_deg, dip_deg, strength_nt: Double
      var warnings: [String]
    }
    let result = try start(
      "compass declination --latitude=\(latitude) --longitude \(longitude) --date \(date) "
        + "--altitude \(altitude) --json")
    #expect(result.code == 0 && result.error == "")
    let field = try JSONDecoder().decode(Field.self, from: Data(result.output.utf8))
    #expect(abs(field.declination_deg - declination) < 0.00501)
    #expect(abs(field.dip_deg - dip) < 0.00501)
    #expect(abs(field.strength_nt - strength) < 0.0501)
    #expect(field.warnings.isEmpty)
  }

  @Test func declinationWarns() throws {
    let result = try start("compass declination --latitude 86 --longitude 140 --date 2036-01-01")
    #expect(result.code == 0 && result.output.hasSuffix("\nWMM-2025\n"))
    let lines = result.error.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains("extrapolated") && lines[1].contains("blackout"))
  }

  /// `render` and `head replay` take a raw log for the phone's.
  @Test func rawLogsForPhones() throws {
    let logs = try Logs()
    let walk = try ShortWalk()
    for name in ["turn.csv", "held.csv"] { try walk.write(name, Array(logs.text(name).utf8)) }
    _ = try start("compass calibrate turn.csv -o cal.json", in: walk.path)
    let raw = try start(
      "head replay head.csv --phone held.csv --calibration cal.json -o raw.csv", in: walk.path)
    #expect(raw.code == 0 && raw.error == "")
    _ = try start("compass heading held.csv --calibration cal.json -o made.csv", in: walk.path)
    let made = try start("head replay head.csv --phone made.csv -o made.out.csv", in: walk.path)
    #expect(made.code == 0)
    // The two differ by the rounding of the headings in the file.
    func offset(_ name: String) throws -> Double {
      let text = String(decoding: try walk.bytes(name), as: UTF8.self)
      let row = try #require(text.split(separator: "\n").last).split(
        separator: ",", omittingEmptySubsequences: false)
      return try #require(Double(row[2]))
    }
    #expect(abs(try offset("raw.csv") - offset("made.out.csv")) < 0.01)
    let render = try start(
      "render --track walk.gpx \(ShortWalk.beacon) --phone held.csv --calibration cal.json "
        + "--trace trace.csv -o out.wav", in: walk.path)
    #expect(render.code == 0, "\(render.error)")
    let trace = String(decoding: try walk.bytes("trace.csv"), as: UTF8.self).split(separator: "\n")
    // The track is at 51.5° N 0° E, whose declination is 1.27°; the phone points to 200°.
    let phone = try #require(
      Double(trace[10].split(separator: ",", omittingEmptySubsequences: false)[5]))
    #expect(abs(phone - 201.3) < 0.5)
  }

  @Test(arguments: [
    ("heading held.csv --calibration nope", "aurient: nope: no such file or directory"),
    ("heading held.csv --calibration held.csv", "aurient: held.csv: not a calibration in JSON"),
    (
      "heading held.csv --calibration part.json",
      "aurient: part.json: there is no matrix: not a calibration"
    ),
    (
      "heading held.csv --calibration flat.json",
      "aurient: flat.json: the values make no calibration"
    ),
    (
      "heading held.csv --location 51", "aurient compass heading: --location: \"51\" is not LAT,LON"
    ),
    (
      "heading held.csv --location 91,0",
      "aurient compass heading: --location: 91,0 is no place on Earth"
    ),
    (
      "heading held.csv --date soon",
      "aurient compass heading: --date: \"soon\" is not a date, as 2026-05-01, or a decimal year"
    ),
    (
      "heading held.csv --date 2026-02-30",
      "aurient compass heading: --date: \"2026-02-30\" is not a date, as 2026-05-01, or a decimal year"
    ),
    (
      "heading held.csv --axis side",
      "aurient compass heading: --axis: \"side\" is not top, camera or auto"
    ),
    (
      "heading held.csv --gravity-sense left",
      "aurient compass heading: --gravity-sense: \"left\" is not down, up or auto"
    ),
    (
      "heading held.csv -o held.csv",
      "aurient compass heading: --output: \"held.csv\" is an input, too"
    ),
    ("heading nope -o out.csv", "aurient: nope: no such file or directory"),
    ("heading empty -o out.csv", "aurient: empty: the file is empty"),
    ("heading cut.csv -o out.csv", "aurient: cut.csv: line 9: 4 columns where the header has 7"),
    ("check empty", "aurient: empty: the file is empty"),
    ("calibrate empty -o cal.json", "aurient: empty: the file is empty"),
    ("calibrate few.csv -o cal.json", "aurient: few.csv: only 2 readings; a calibration needs 30"),
    (
      "calibrate turn.csv --model cube -o cal.json",
      "aurient compass calibrate: --model: \"cube\" is not sphere, ellipsoid or auto"
    ),
    (
      "calibrate turn.csv -o a --plot a",
      "aurient compass calibrate: --plot: \"a\" is the --output, too"
    ),
    (
      "declination --latitude 91 --longitude 0 --date 2026",
      "aurient compass declination: --latitude: 91 is outside -90 to 90"
    ),
    (
      "declination --latitude 1 --longitude 0 --date 2026 --model empty",
      "aurient: empty: the file is empty"
    ),
  ])
  func faults(words: String, message: String) throws {
    let logs = try Logs()
    _ = logs.folder.file("empty", "")
    _ = logs.folder.file("part.json", "{\"model\": \"sphere\"}")
    _ = logs.folder.file(
      "flat.json",
      """
      {"model": "sphere", "offset_ut": [0, 0, 0], "matrix": [[1, 0, 0], [0, 0, 0], [0, 0, 1]],
       "strength_ut": 48, "residual_ut": 1, "coverage": 1, "readings": 50, "outliers": 0}
      """)
    let lines = try logs.text("held.csv").split(separator: "\n")
    _ = logs.folder.file("few.csv", lines[..<3].joined(separator: "\n"))
    _ = logs.folder.file("cut.csv", lines[..<8].joined(separator: "\n") + "\n1790000000140,1,2,3")
    let before = logs.folder.names()
    let result = try start("compass \(words)", in: logs.folder.path)
    #expect(result.code == 2)
    #expect(result.error == message + "\n")
    #expect(result.output == "")
    #expect(logs.folder.names() == before)
  }
}
