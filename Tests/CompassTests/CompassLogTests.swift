import Compass
import Files
import Geometry
import Glibc
import TestSupport
import Testing

/// A raw log of a phone that is turned in figures of eight for 20 s and then held, as text.
struct RawLog {
  var header = "timestamp,mag_x,mag_y,mag_z,grav_x,grav_y,grav_z"
  var phone = SimulatedPhone(
    offset: Vector3(22, -27, 14), softIron: SymmetricMatrix3(xx: 1.15, yy: 1, zz: 1, xy: 0.08))
  /// 1 for gravity pointing down.
  var gravitySign = 1.0
  var hasFigureEight = true
  /// Added to each row.
  var suffix = ""

  static let start: Int64 = 1_790_000_000_000
  static let held = (heading: 200.0, count: 200)

  var text: String {
    var generator = SeededGenerator(seed: 9)
    let held = (0..<Self.held.count).map { index in
      SimulatedPhone.attitude(Self.held.heading, 25 + 3 * sin(Double(index) / 20), 5)
    }
    var text = header + "\n"
    let attitudes = (hasFigureEight ? SimulatedPhone.figureEight(1000) : []) + held
    for (index, attitude) in attitudes.enumerated() {
      let field = phone.field(attitude) + SimulatedPhone.noise(0.3, &generator)
      let gravity = gravitySign * 9.81 * SimulatedPhone.gravity(attitude)
      text += "\(Self.start + Int64(20 * index)),\(field.x),\(field.y),\(field.z)"
      text += ",\(gravity.x),\(gravity.y),\(gravity.z)\(suffix)\n"
    }
    return text
  }
}

private func headings(
  _ path: String, _ settings: CompassSettings = CompassSettings()
) throws -> (headings: [CompassHeading], log: [String], sense: GravitySense) {
  var log = try CompassLog(path: path, settings: settings)
  var headings: [CompassHeading] = []
  while let heading = try log.next() { headings.append(heading) }
  return (headings, log.warnings.map(\.description), log.gravitySense)
}

@Suite struct CompassLogTests {
  private var here: CompassSettings {
    var settings = CompassSettings()
    settings.modelFolder = "\(projectFolder)/Magnetism"
    // Of all places one whose field dips 66°: about 48 µT too.
    settings.place = GeodeticCoordinate(latitude: 51, longitude: 0)
    return settings
  }

  /// A log of anything calibrates itself, and tells which way its gravity points.
  @Test(arguments: [1.0, -1])
  func calibratesItself(sign: Double) throws {
    let folder = TemporaryFolder()
    let path = folder.file("raw.csv", RawLog(gravitySign: sign).text)
    let result = try headings(path, here)
    #expect(result.log == [])
    #expect(result.sense == (sign > 0 ? .down : .up))
    #expect(result.headings.count == 1200)
    for heading in result.headings.suffix(RawLog.held.count) {
      let magnetic = try #require(heading.magneticHeading)
      #expect(abs(signedDegrees(magnetic - 200)) < 6)
      #expect(!heading.isDisturbed && heading.axis == .topEdge)
      // By pygeomag: GeoMag(coefficients_file="wmm/WMM_2025.COF").calculate(51, 0, 0, 2026.72).d
      #expect(abs(signedDegrees(try #require(heading.trueHeading) - magnetic) - 1.2741) < 0.005)
      #expect(try #require(heading.accuracy) < 10)
    }
  }

  /// Without a place a phone is taken to have lain with its screen up, and that is said.
  @Test(arguments: [1.0, -1])
  func guessesTheSenseOfGravity(sign: Double) throws {
    let folder = TemporaryFolder()
    var log = RawLog(gravitySign: sign)
    log.hasFigureEight = false
    log.phone = SimulatedPhone()
    let path = folder.file("raw.csv", log.text)
    let result = try headings(path)
    #expect(result.sense == (sign > 0 ? .down : .up))
    #expect(result.log.count == 2)
    #expect(result.log[0].contains("not calibrated (the readings cover"))
    #expect(result.log[1].contains("as if the phone mostly lay with its screen up"))
    #expect(result.headings.allSatisfy { $0.trueHeading == nil && $0.accuracy == nil })
    for heading in result.headings {
      #expect(abs(signedDegrees((heading.magneticHeading ?? .nan) - 200)) < 5)
    }
    var settings = CompassSettings()
    settings.gravitySense = sign > 0 ? .up : .down
    let mirrored = try headings(path, settings).headings
    #expect(abs(signedDegrees((mirrored[0].magneticHeading ?? .nan) + 200)) < 5)
  }

  /// Names of Core Motion, of Sensor Logger in files side by side, and others.
  @Test(arguments: [
    "time,magneticFieldX,magneticFieldY,magneticFieldZ,gravityX,gravityY,gravityZ",
    "timestamp,mx,my,mz,gravity_x,gravity_y,gravity_z",
    "timestamp,x,y,z,gravX,gravY,gravZ",
    "timestamp,Magnetometer_x,Magnetometer_y,Magnetometer_z,Gravity_x,Gravity_y,Gravity_z",
  ])
  func findsColumns(header: String) throws {
    let folder = TemporaryFolder()
    let path = folder.file("raw.csv", RawLog(header: header).text)
    let result = try headings(path)
    #expect(result.sense == .down)
    let last = try #require(result.headings.last?.magneticHeading)
    #expect(abs(signedDegrees(last - 200)) < 6)
  }

  @Test func readsSensorLogger() throws {
    let folder = TemporaryFolder()
    var (field, gravity) = ("time,seconds_elapsed,z,y,x\n", "time,seconds_elapsed,z,y,x\n")
    for row in RawLog().text.split(separator: "\n").dropFirst() {
      let cells = row.split(separator: ",")
      field += "\(cells[0])000000,0,\(cells[3]),\(cells[2]),\(cells[1])\n"
      // Ten milliseconds later: values come from between two rows.
      let time = (Int64(cells[0]) ?? 0) + 10
      gravity += "\(time)000000,0,\(cells[6]),\(cells[5]),\(cells[4])\n"
    }
    let path = folder.file("Magnetometer.csv", field)
    let fault = #expect(throws: FileError.self) { try headings(path) }
    #expect(fault?.description.hasSuffix("and no Gravity.csv is beside the file") == true)
    _ = folder.file("Gravity.csv", gravity)
    let result = try headings(path)
    #expect(result.headings.first?.faults == .vertical)
    let last = try #require(result.headings.last?.magneticHeading)
    #expect(abs(signedDegrees(last - 200)) < 6)
    // Named outright it may have any name.
    var settings = CompassSettings()
    settings.gravityPath = folder.file("g.csv", gravity)
    #expect(try headings(path, settings).headings == result.headings)
  }

  @Test func usesThePlacesOfTheLog() throws {
    let folder = TemporaryFolder()
    let text = RawLog(
      header: "timestamp,mag_x,mag_y,mag_z,grav_x,grav_y,grav_z,latitude,longitude",
      suffix: ",51,0"
    ).text
    var settings = here
    settings.place = nil
    let withPlaces = try headings(folder.file("raw.csv", text), settings).headings
    let given = try headings(folder.file("none.csv", RawLog().text), here).headings
    #expect(withPlaces == given)
  }

  @Test(.enabled(if: testDataFolder != nil)) func readsARealPhonesLog() throws {
    let path = (testDataFolder ?? "") + "/logs/phone-slow-1hz.csv"
    var settings = CompassSettings()
    settings.modelFolder = "\(projectFolder)/Magnetism"
    let result = try headings(path, settings)
    #expect(result.headings.count == 587)
    #expect(result.sense == .up)
    #expect(result.log.count == 1 && result.log[0].contains("not calibrated"))
    #expect(result.headings.allSatisfy { $0.trueHeading != nil })
    // The first row by numpy: down = −g/|g|, east = down × m, north = east × down, arctan2(e_y, n_y).
    #expect(abs((result.headings[0].magneticHeading ?? .nan) - 339.91331673394336) < 1e-9)
  }

  private static let header = "timestamp,mag_x,mag_y,mag_z,grav_x,grav_y,grav_z\n"

  private static let faults: [(String, String)] = [
    ("", "the file is empty"),
    ("timestamp,mag_x,mag_y,mag_z\n1,1,1,1\n", "no Gravity.csv is beside the file"),
    ("mag_x,mag_y,mag_z,grav_x,grav_y,grav_z\n", "there is no column timestamp or time"),
    (
      "timestamp,mag_x,mag_y\n",
      "there are no columns of a magnetometer (mag_x, mag_y, mag_z; or x, y, z)"
    ),
    (header, "no readings of a magnetometer"),
    (header + "1,,,,0,0,1\n", "no readings of a magnetometer"),
    (header + "1,nan,1,1,0,0,1\n", "line 2, column mag_x: \"nan\" is not a finite number"),
    (header + "1,1,1,1,0,0,inf\n", "line 2, column grav_z: \"inf\" is not a finite number"),
    (header + "1,1e160,1,1,0,0,1\n", "line 2, column mag_x: \"1e160\" is no reading of a sensor"),
    (header + "soon,1,1,1,0,0,1\n", "line 2, column timestamp: \"soon\" is not a time"),
    (
      header + "2,1,1,1,0,0,1\n1,1,1,1,0,0,1\n",
      "line 3, column timestamp: \"1\" is earlier than the reading before"
    ),
    (header + "1,1,1\n", "line 2: 3 columns where the header has 7"),
    (
      "timestamp,mag_x,mag_y,mag_z,grav_x,grav_y,grav_z,latitude,longitude\n1,1,1,1,0,0,1,91,0\n",
      "line 2, column latitude: \"91\" is no place on Earth"
    ),
  ]

  @Test(arguments: faults)
  func namesTheFault(text: String, fault: String) {
    let folder = TemporaryFolder()
    let path = folder.file("raw.csv", text)
    let error = #expect(throws: FileError.self) { try headings(path) }
    #expect(error?.description.hasSuffix(fault) == true, "\(error as Any)")
    #expect(error?.file == path)
  }

  /// One reading, two, the same ones, huge ones, no gravity: a heading or none, never a crash.
  @Test(arguments: [
    "1,1,20,-40,0,0,-1\n", "1,1,20,-40,0,0,-1\n1,1,20,-40,0,0,-1\n", "1,0,0,0,0,0,0\n",
    "1,1e9,-1e9,1e9,1e9,0,0\n", "1,1,20,-40,,,\n", "1,0,0,-40,0,0,-1\n",
  ])
  func hostileReadings(rows: String) throws {
    let folder = TemporaryFolder()
    let result = try headings(folder.file("raw.csv", Self.header + rows), here)
    #expect(result.headings.count == rows.split(separator: "\n").count)
    for heading in result.headings {
      #expect((heading.magneticHeading == nil) == heading.faults.contains(.vertical))
    }
  }
}
