import Aurient
import Compass
import Files
import Geometry

extension Command {
  /// `aurient compass`.
  static let compass = Command(
    name: "compass",
    summary: "Makes headings of a raw magnetometer, and says when they are wrong.",
    discussion: """
      Headings are degrees clockwise, of a phone's top edge, or of its back camera while it is held \
      upright. Fields are in µT, in the phone's axes: x right, y to the top edge, z out of the screen.
      """,
    examples: ["aurient compass declination --latitude 48.86 --longitude 2.34 --date 2026-05-01"],
    subcommands: [
      .compassHeading, .compassCalibrate, .compassCheck, .compassDeclination,
    ])
}

extension CommandOption {
  /// Options of the commands that read a raw log.
  static let gravity = CommandOption(
    "gravity", "FILE", help: "the gravity sensor's CSV, if it is not in the log or beside it")
  static let gravitySense = CommandOption(
    "gravity-sense", "SENSE", choices: ["auto"] + GravitySense.allCases.map(\.rawValue),
    help: "which way gravity points: down, up, or auto, to find out")
  static let location = CommandOption(
    "location", "LAT,LON", help: "where the phone was; else the places in the log")
  static let altitude = CommandOption("altitude", "METRES", help: "above the ellipsoid; else 0")
  static let date = CommandOption(
    "date", "DATE", help: "as 2026-05-01 or 2026.33; else the log's own time")

  /// Options of the commands that make headings of a raw log.
  static let headingOptions = [
    CommandOption(
      "calibration", "FILE", help: "from 'aurient compass calibrate'; else from the log itself"),
    location, altitude, date, gravity, gravitySense,
    CommandOption(
      "axis", "AXIS", choices: ["auto", "top", "camera"],
      help: "what points: top, camera, or auto, by how it is held"),
    CommandOption("strength", "MICROTESLA", help: "the Earth's field there, if not the model's"),
    CommandOption("dip", "DEGREES", help: "its dip below the horizontal, likewise"),
    CommandOption(
      "strength-tolerance", "PERCENT", help: "by how much the strength may differ; else 15"),
    CommandOption(
      "dip-tolerance", "DEGREES", help: "by how much the dip may differ; else 5"),
    CommandOption(
      "rotation-tolerance", "MICROTESLA",
      help: "by how much the field may depart from what the gyroscope says; else 5"),
  ]
}

extension Arguments {
  /// What the options say of a raw log.
  func compassSettings() throws -> CompassSettings {
    var settings = CompassSettings()
    settings.modelFolder = DataFolder.magnetism
    settings.place = try place()
    settings.altitude = try number("altitude", in: -1000...850_000) ?? 0
    settings.year = try string("date").map { try year($0) }
    settings.gravityPath = string("gravity")
    settings.gravitySense = try gravitySense()
    guard hasOption("calibration") else { return settings }
    settings.calibration = try string("calibration").map { try MagnetometerCalibration(path: $0) }
    settings.strength = try number("strength", in: 1...1000)
    settings.dip = try number("dip", in: -90...90)
    if let percent = try number("strength-tolerance", in: 0...1000) {
      settings.check.strengthTolerance = percent / 100
    }
    if let dip = try number("dip-tolerance", in: 0...180) { settings.check.dipTolerance = dip }
    if let rotation = try number("rotation-tolerance", in: 0...1000) {
      settings.rotationTolerance = rotation
    }
    switch string("axis") {
    case nil, "auto": settings.axis = nil
    case "top": settings.axis = .topEdge
    case "camera": settings.axis = .backCamera
    case let name?: throw bad("axis", "\"\(name)\" is not top, camera or auto")
    }
    return settings
  }

  private func place() throws(UsageError) -> GeodeticCoordinate? {
    guard let text = string("location") else { return nil }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2,
      let latitude = decimalNumber(trimmed(parts[0])),
      let longitude = decimalNumber(trimmed(parts[1]))
    else { throw bad("location", "\"\(text)\" is not LAT,LON") }
    let place = GeodeticCoordinate(latitude: latitude, longitude: longitude)
    guard place.isValid else { throw bad("location", "\(text) is no place on Earth") }
    return place
  }

  private func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  private func gravitySense() throws(UsageError) -> GravitySense? {
    guard let name = string("gravity-sense"), name != "auto" else { return nil }
    guard let sense = GravitySense(rawValue: name) else {
      throw bad("gravity-sense", "\"\(name)\" is not down, up or auto")
    }
    return sense
  }

  /// A date by ISO 8601 or as a decimal year, as a decimal year.
  func year(_ text: String) throws(UsageError) -> Double {
    if let year = decimalNumber(text), 1900..<2200 ~= year { return year }
    let isDay = text.utf8.count == 10 && text.utf8.count { $0 == UInt8(ascii: "-") } == 2
    guard text.contains("-"), let time = Timestamp(text: isDay ? text + "T00:00:00Z" : text),
      1900..<2200 ~= time.decimalYear
    else {
      throw bad("date", "\"\(text)\" is not a date, as 2026-05-01, or a decimal year")
    }
    return time.decimalYear
  }
}
