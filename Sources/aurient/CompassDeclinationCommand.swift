import Aurient
import Compass
import Files
import Geometry

extension Command {
  /// `aurient compass declination`.
  static let compassDeclination = Command(
    name: "declination",
    summary: "Says what the Earth's magnetic field is at a place and date.",
    options: [
      CommandOption("latitude", "DEGREES", required: true, help: "north positive"),
      CommandOption("longitude", "DEGREES", required: true, help: "east positive"),
      CommandOption("date", "DATE", required: true, help: "as 2026-05-01 or 2026.33"),
      CommandOption("altitude", "METRES", help: "above the WGS84 ellipsoid; else 0"),
      CommandOption(
        "model", "FILE.COF", help: "coefficients of the World Magnetic Model; else those that ship"),
      CommandOption("json", help: "print JSON"),
    ],
    discussion: """
      By the World Magnetic Model, of 2020 and 2025, each for five years. Declination is that of magnetic \
      north clockwise from true north: true heading = magnetic heading + declination.
      """,
    examples: ["aurient compass declination --latitude 48.86 --longitude 2.34 --date 2026-05-01"],
    run: runDeclination)
}

@Sendable private func runDeclination(_ arguments: Arguments) throws {
  guard let latitude = try arguments.number("latitude", in: -90...90),
    let longitude = try arguments.number("longitude", in: -180...360)
  else { return }
  let year = try arguments.year(arguments.required("date"))
  let altitude = try arguments.number("altitude", in: -1000...850_000) ?? 0
  let model: WorldMagneticModel
  if let path = arguments.string("model") {
    model = try WorldMagneticModel(path: path)
  } else if let folder = DataFolder.magnetism {
    model = try WorldMagneticModel(folder: folder, year: year)
  } else {
    throw FileError(
      .notFound, file: "Magnetism",
      "not beside the program: name a model, or set AURIENT_DATA to the folder that holds it")
  }
  let field = model.field(
    at: GeodeticCoordinate(latitude: latitude, longitude: longitude), altitude: altitude, year: year
  )
  let warnings = model.warnings(field, year: year)
  try printOut(arguments.flag("json") ? json(model, field, warnings) : text(model, field))
  for warning in warnings { printError("aurient: \(warning)") }
}

private func text(_ model: WorldMagneticModel, _ field: GeomagneticField) -> String {
  func line(_ name: String, _ value: String, _ rate: String) -> String {
    let padding = String(repeating: " ", count: max(1, 24 - name.count - value.count))
    return "\(name)\(padding)\(value)   \(rate) a year\n"
  }
  return line(
    "declination", hundredths(field.declination) + "°", hundredths(field.declinationRate) + "°")
    + line("dip", hundredths(field.dip) + "°", hundredths(field.dipRate) + "°")
    + line(
      "strength", hundredths(field.strength / 1000) + " µT", tenths(field.strengthRate) + " nT")
    + line(
      "horizontal", hundredths(field.horizontalStrength / 1000) + " µT",
      tenths(field.horizontalRate) + " nT")
    + "\(model.name)\n"
}

private func json(
  _ model: WorldMagneticModel, _ field: GeomagneticField, _ warnings: [String]
) -> String {
  func number(_ value: Double?) -> String {
    value.flatMap { $0.isFinite ? "\($0)" : nil } ?? "null"
  }
  return """
    {"model": \(jsonText(model.name)), "declination_deg": \(number(field.declination)), \
    "dip_deg": \(number(field.dip)), "strength_nt": \(number(field.strength)), \
    "horizontal_nt": \(number(field.horizontalStrength)), "north_nt": \(number(field.components.north)), \
    "east_nt": \(number(field.components.east)), "down_nt": \(number(field.components.down)), \
    "grid_variation_deg": \(number(field.gridVariation)), \
    "declination_deg_per_year": \(number(field.declinationRate)), \
    "dip_deg_per_year": \(number(field.dipRate)), "strength_nt_per_year": \(number(field.strengthRate)), \
    "horizontal_nt_per_year": \(number(field.horizontalRate)), \
    "north_nt_per_year": \(number(field.rates.north)), "east_nt_per_year": \(number(field.rates.east)), \
    "down_nt_per_year": \(number(field.rates.down)), \
    "warnings": [\(warnings.map(jsonText).joined(separator: ", "))]}

    """
}
