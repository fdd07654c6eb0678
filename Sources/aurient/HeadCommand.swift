import Files
import HeadTracking
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
    options: [
      CommandOption("phone", "FILE", help: "the phone's compass headings: CSV of CLHeading"),
      CommandOption(
        "track", "FILE", help: "the walk whose course calibrates the head: GPX, or CSV"),
      CommandOption(
        "calibrator", "NAME", help: "how yaw becomes a heading: classic, the published way"),
      CommandOption(
        "output", short: "o", "OUT.csv", required: true,
        help: "the file to write: time_s, yaw_deg, offset_deg, head_deg, status"),
    ],
    examples: [
      "aurient head replay head.csv --phone phone.csv -o headings.csv",
      "aurient head replay head.csv --track walk.gpx --calibrator classic -o headings.csv",
    ],
    run: runReplay)
}

@Sendable private func runReplay(_ arguments: Arguments) throws {
  if let name = arguments.string("calibrator"), name != "classic" {
    throw arguments.bad("calibrator", "there is no calibrator \"\(name)\"; there is classic")
  }
  let replay = try HeadReplay(
    headLog: arguments.operands[0], phoneHeadings: arguments.phoneHeadings(),
    courses: arguments.courses())
  try replay.write(to: arguments.required("output"))
}

extension Arguments {
  /// The headings of the option `--phone`; none without it.
  func phoneHeadings() throws -> ReferenceSeries {
    try string("phone").map { try ReferenceSeries(phoneLog: $0) } ?? ReferenceSeries()
  }

  /// The courses of the option `--track`; none without it.
  func courses() throws -> ReferenceSeries {
    guard let path = string("track") else { return ReferenceSeries() }
    let track = try Track(path: path).courses(from: .automatic)
    return ReferenceSeries(
      zip(track.times, track.fixes).map { .init(time: $0, direction: $1.course) })
  }
}
