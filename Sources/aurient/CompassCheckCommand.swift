import Aurient
import Compass
import Files
import Geometry

extension Command {
  /// `aurient compass check`.
  static let compassCheck = Command(
    name: "check",
    summary: "Says how much of a raw magnetometer's log is disturbed, and when.",
    operands: [.one("LOG")],
    options: CommandOption.headingOptions + [CommandOption("json", help: "print JSON")],
    discussion: """
      A reading is disturbed if the field's strength or dip is not the Earth's there, or if the field \
      changed otherwise than the gyroscope says the phone turned. What turns the horizontal field and \
      keeps its length, and is there from the start, passes unseen.
      """,
    examples: ["aurient compass check phone.csv --location 48.86,2.34 --json"],
    run: runCheck)
}

@Sendable private func runCheck(_ arguments: Arguments) throws {
  let path = arguments.operands[0]
  let progress = ProgressBar()
  var log = try CompassLog(path: path, settings: arguments.compassSettings()) {
    progress.update($0 / 2)
  }
  var report = CompassReport()
  while let heading = try log.next() {
    report.add(heading)
    if report.count % 4096 == 0 { progress.update(0.5 + log.fractionRead / 2) }
  }
  try printOut(arguments.flag("json") ? report.json(log) : report.text(log))
  for warning in log.warnings { printError(errorLine(warning)) }
}
