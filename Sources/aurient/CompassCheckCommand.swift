import Aurient
import Compass
import Files
import Geometry
import HeadTracking
import Navigation

extension Command {
  /// `aurient compass check`.
  static let compassCheck = Command(
    name: "check",
    summary: "Says how much of a raw magnetometer's log is disturbed, and when.",
    operands: [.one("LOG")],
    options: CommandOption.headingOptions + [
      CommandOption(
        "track", "FILE", help: "the walk, GPX or CSV, whose courses to compare headings with"),
      CommandOption("json", help: "print JSON"),
    ],
    discussion: """
      A reading is disturbed if the field's strength or dip is not the Earth's there, or if the field \
      changed otherwise than the gyroscope says the phone turned. What turns the horizontal field and \
      keeps its length, and is there from the start, passes unseen, unless --track shows it: as a steady \
      difference from the course that is not how the phone was held.
      """,
    examples: ["aurient compass check phone.csv --location 48.86,2.34 --json"],
    run: runCheck)
}

@Sendable private func runCheck(_ arguments: Arguments) throws {
  let path = arguments.operands[0]
  var settings = try arguments.compassSettings()
  var courses = ReferenceSeries()
  if let path = arguments.string("track") {
    let track = try Track(path: path).courses(from: .automatic)
    courses = ReferenceSeries(
      track.fixes.compactMap { fix in
        fix.time.map { .init(time: $0, direction: fix.course) }
      })
    settings.place = settings.place ?? track.fixes[0].coordinate
  }
  let progress = ProgressBar()
  var log = try CompassLog(path: path, settings: settings) { progress.update($0 / 2) }
  if let path = arguments.string("track"), let span = courses.span {
    try FileError.checkOverlap(path, span, arguments.operands[0], log.span)
  }
  var report = CompassReport(courses: courses)
  while let heading = try log.next() {
    report.add(heading)
    if report.count % 4096 == 0 { progress.update(0.5 + log.fractionRead / 2) }
  }
  try printOut(arguments.flag("json") ? report.json(log) : report.text(log))
  for warning in log.warnings { printError(errorLine(warning)) }
}
