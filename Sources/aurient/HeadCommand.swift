import Aurient
import Compass
import Files
import HeadTracking
import MotionLog
import Navigation

extension Command {
  /// `aurient head`.
  static let head = Command(
    name: "head",
    summary: "Works on the motion of tracked headphones.",
    examples: ["aurient head replay head.csv --phone phone.csv -o headings.csv"],
    subcommands: [.headReplay, .headWatch])

  private static let headReplay = Command(
    name: "replay",
    summary: "Tracks the head of a log again and writes every frame's heading.",
    operands: [.one("LOG")],
    options: CommandOption.phone + [
      CommandOption(
        "track", "FILE", help: "the walk whose course calibrates the head: GPX, NMEA 0183 or CSV"),
      CommandOption(
        "calibrator", "NAME", choices: CalibratorName.allCases.map(\.rawValue),
        help: "how yaw becomes a heading: adaptive, or classic, the published way"),
      CommandOption(
        "output", short: "o", "OUT.csv", required: true,
        help: "the file to write: time_s, yaw_deg, offset_deg, head_deg, status, uncertainty_deg"),
    ],
    examples: [
      "aurient head replay head.csv --phone phone.csv -o headings.csv",
      "aurient head replay head.csv --track walk.gpx --calibrator classic -o headings.csv",
    ],
    run: runReplay)
}

@Sendable private func runReplay(_ arguments: Arguments) throws {
  let log = arguments.operands[0]
  let references = try HeadReferences(arguments)
  try arguments.checkOutputs(["output"], inputs: [log] + references.paths)
  let replay = HeadReplay(
    try HeadLog(motionLog: log), phoneHeadings: references.phoneHeadings,
    courses: references.courses,
    calibrator: try arguments.calibrator() ?? .adaptive)
  try replay.write(to: arguments.required("output")) { span throws(FileError) in
    try references.checkOverlap(log, span)
  }
}

/// What the options `--phone` and `--track` tell of where a head looks.
struct HeadReferences: Sendable {
  var phoneHeadings = ReferenceSeries()
  var courses = ReferenceSeries()
  private let phonePath: String?
  private let trackPath: String?

  private let calibrationPath: String?

  init(_ arguments: Arguments) throws {
    phonePath = arguments.string("phone")
    trackPath = arguments.string("track")
    calibrationPath = arguments.string("calibration")
    var settings = CompassSettings()
    settings.modelFolder = DataFolder.magnetism
    if let trackPath {
      let track = try Track(path: trackPath).courses(from: .automatic)
      printWarnings(track.warnings)
      courses = ReferenceSeries(
        track.fixes.compactMap { fix in fix.time.map { .init(time: $0, direction: fix.course) } })
      settings.place = track.fixes[0].coordinate
    }
    guard let phonePath else { return }
    settings.calibration = try calibrationPath.map { try MagnetometerCalibration(path: $0) }
    phoneHeadings = try ReferenceSeries(phoneLog: phonePath, settings: settings)
    for warning in phoneHeadings.warnings { printError(errorLine(warning)) }
  }

  /// The files that they come from.
  var paths: [String] { [phonePath, trackPath, calibrationPath].compactMap { $0 } }

  /// Checks that each has some time in common with the head's log.
  ///
  /// - Throws: `FileError` naming the file that has none.
  func checkOverlap(_ log: String, _ span: ClosedRange<Timestamp>) throws(FileError) {
    if let phonePath, let other = phoneHeadings.span {
      try FileError.checkOverlap(phonePath, other, log, span)
    }
    if let trackPath, let other = courses.span {
      try FileError.checkOverlap(trackPath, other, log, span)
    }
  }
}

extension Arguments {
  /// The value of `--calibrator`, or nil where it is not given.
  func calibrator() throws(UsageError) -> CalibratorName? {
    guard let name = string("calibrator") else { return nil }
    guard let calibrator = CalibratorName(rawValue: name) else {
      throw bad("calibrator", "\"\(name)\" is not adaptive or classic")
    }
    return calibrator
  }
}
