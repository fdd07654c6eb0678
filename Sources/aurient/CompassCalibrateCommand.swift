import Aurient
import Compass
import Files
import Geometry

extension Command {
  /// `aurient compass calibrate`.
  static let compassCalibrate = Command(
    name: "calibrate",
    summary: "Finds a phone's own magnetism from a log of it being turned about.",
    operands: [.one("LOG")],
    options: [
      CommandOption(
        "model", "NAME", choices: ["auto"] + MagnetometerCalibration.Model.allCases.map(\.rawValue),
        help: "the surface to fit: sphere (hard iron), ellipsoid (soft iron, too), or auto"),
      .location, .altitude, .date, .gravity, .gravitySense,
      CommandOption("plot", "FILE.svg", help: "draw raw and corrected readings"),
      CommandOption("json", help: "print the calibration as JSON"),
      CommandOption(
        "output", short: "o", "CAL.json", required: true, help: "the calibration to write"),
    ],
    discussion: """
      Turn the phone about all of its axes, as in large figures of eight, away from iron and magnets. \
      Readings from one side or plane determine nothing: they are refused with what is missing. One \
      reading in twenty may be wrong.

      With a place the corrected readings have the strength of the Earth's field there; else the scale is the \
      magnetometer's own.
      """,
    examples: [
      "aurient compass calibrate phone.csv -o cal.json",
      "aurient compass calibrate phone.csv --location 48.86,2.34 --plot cal.svg -o cal.json",
    ],
    run: runCalibrate)
}

@Sendable private func runCalibrate(_ arguments: Arguments) throws {
  let path = arguments.operands[0]
  let model = try arguments.calibrationModel()
  let settings = try arguments.compassSettings()
  try arguments.checkOutputs(
    ["output", "plot"], inputs: [path] + [settings.gravityPath].compactMap { $0 })
  let plot = try arguments.string("plot").map { try CalibrationPlot(path: $0) }
  let progress = ProgressBar()
  let survey = try LogSurvey(path: path, gravityPath: settings.gravityPath) { progress.update($0) }
  var calibration: MagnetometerCalibration
  do {
    calibration = try MagnetometerCalibration(fitting: survey.samples, model: model)
  } catch {
    throw FileError(.unsupported, file: path, "\(error)")
  }
  let (field, warnings) = try survey.earthField(settings)
  for warning in warnings { printError("aurient: \(path): \(warning)") }
  if let strength = field?.strength { calibration = calibration.scaled(toStrength: strength) }
  let (sense, isKnown) =
    settings.gravitySense.map { ($0, true) }
    ?? survey.sense(calibration: calibration, dip: field?.dip)
  if isKnown { calibration.dip = survey.dip(calibration, sense: sense) }
  try plot?.draw(survey.samples, calibration)
  try OutputFile.write(calibration.json.utf8, to: arguments.required("output"))
  try printOut(arguments.flag("json") ? calibration.json : calibration.text)
}

extension Arguments {
  fileprivate func calibrationModel() throws(UsageError) -> MagnetometerCalibration.Model? {
    guard let name = string("model"), name != "auto" else { return nil }
    guard let model = MagnetometerCalibration.Model(rawValue: name) else {
      throw bad("model", "\"\(name)\" is not sphere, ellipsoid or auto")
    }
    return model
  }
}

extension MagnetometerCalibration {
  /// For people.
  fileprivate var text: String {
    func row(_ values: [Double]) -> String { values.map(hundredths).joined(separator: "  ") }
    return """
      \(model.rawValue) through \(readingCount) readings, residual \(hundredths(residual)) µT, \
      \(tenths(100 * outlierShare)) % outliers
      \(tenths(100 * coverage)) % of all directions covered
      hard iron  \(row([offset.x, offset.y, offset.z])) µT
      soft iron  \(matrix.rows.map(row).joined(separator: "\n           "))
      field      \(hundredths(strength)) µT\(dip.map { ", dip \(tenths($0))°" } ?? "")

      """
  }
}
