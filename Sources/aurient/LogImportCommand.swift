import Files
import MotionLog

extension Command {
  /// `aurient log import`.
  static let logImport = Command(
    name: "import",
    summary: "Copies a log of any format into a database.",
    operands: [.one("LOG")],
    options: [
      CommandOption(
        "format", "NAME", choices: MotionLogFormat.allCases.map(\.rawValue),
        help: "the log's format, if its content does not tell: csv, jsonl, sensor-logger, sqlite")
    ] + .motionSelection + [
      CommandOption(
        "set-device", "ID", help: "the device of records that name none"),
      CommandOption(
        "skip-faulty", help: "count faulty records and leave them out, instead of stopping"),
      CommandOption("json", help: "print the summary as JSON"),
      CommandOption(
        "output", short: "o", "LOG.sqlite", required: true,
        help: "the database to make, or to add to"),
    ],
    discussion: """
      All of the log is stored or, after an error, nothing. Matrix and Euler angles are computed where \
      the log has no columns for them. Records are kept in the log's order, whatever their times.
      """,
    examples: [
      "aurient log import Headphone.csv -o log.sqlite",
      "aurient log import log.jsonl --label walk --skip-faulty -o log.sqlite",
    ],
    run: runImport)
}

@Sendable private func runImport(_ arguments: Arguments) throws {
  let log = arguments.operands[0]
  let output = try arguments.required("output")
  let selection = try arguments.motionSelection()
  let format = try arguments.motionLogFormat("format")
  try arguments.checkOutputs(["output"], inputs: [log])
  let reader = try openMotionLog(path: log, format: format, selection: selection)
  let progress = ProgressBar()
  var report = MotionCopyReport()
  try MotionStore.write(to: output) { store in
    report = try importRecords(
      from: reader, into: store, deviceId: arguments.string("set-device"),
      skipsFaulty: arguments.flag("skip-faulty"), progress: progress.update)
    guard report.count > 0 else { throw noRecords(log, selection) }
  }
  printFaulty(report)
  try printOut(copySummary(report, output, isJSON: arguments.flag("json")))
}

/// The fault of a log that has nothing to copy.
func noRecords(_ log: String, _ selection: MotionSelection) -> FileError {
  FileError(
    .malformed, file: log, selection == MotionSelection() ? "no records" : "no records are selected"
  )
}
