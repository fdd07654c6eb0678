import Files
import HeadTracking
import Navigation

extension Command {
  /// `aurient head`.
  static let head = Command(
    name: "head",
    summary: "Works on the motion of tracked headphones.",
    examples: ["aurient head replay head.csv --phone phone.csv -o headings.csv"],
    subcommands: [.headReplay])

  private static let headReplay = Command(
    name: "replay",
    summary: "Tracks the head of a log again and writes every frame's heading.",
    operands: [.one("LOG")],
    options: [
      CommandOption("phone", "FILE", help: "the phone's compass headings: CSV of CLHeading"),
      CommandOption(
        "track", "FILE", help: "the walk whose course calibrates the head: GPX, or CSV"),
      CommandOption(
        "calibrator", "NAME",
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
  let phonePath = arguments.string("phone")
  let trackPath = arguments.string("track")
  try arguments.checkOutputs(["output"], inputs: [log] + [phonePath, trackPath].compactMap { $0 })
  let phone = try phonePath.map { try ReferenceSeries(phoneLog: $0) } ?? ReferenceSeries()
  let track = try trackPath.map { try Track(path: $0).courses(from: .automatic) }
  let courses = ReferenceSeries(
    (track?.fixes ?? []).compactMap { fix in
      fix.time.map { .init(time: $0, direction: fix.course) }
    })
  let replay = try HeadReplay(
    headLog: log, phoneHeadings: phone, courses: courses,
    calibrator: try arguments.calibrator() ?? .adaptive)
  try replay.write(to: arguments.required("output")) { span throws(FileError) in
    if let phonePath, let other = phone.span {
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
