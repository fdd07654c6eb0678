import Files
import MotionLog

extension Command {
  /// `aurient log`.
  static let log = Command(
    name: "log",
    summary: "Records, converts and sends logs of head motion.",
    discussion: """
      A log is a database of SQLite with the table airpods_motion of the AWARE framework, CSV or JSON \
      Lines with the same fields, or Headphone.csv of the app Sensor Logger. Its content tells which.
      """,
    examples: ["aurient log record --osc 9000 -o log.sqlite"],
    subcommands: [.logRecord, .logInfo, .logImport, .logExport, .logSync])
}

extension [CommandOption] {
  /// What chooses records of a log.
  static let motionSelection = [
    CommandOption(
      "from", "TIME", help: "from this time on: a date of ISO 8601, or a number since 1970"),
    CommandOption("to", "TIME", help: "before this time"),
    CommandOption("label", "LABEL", help: "records of this label alone"),
    CommandOption("device", "ID", help: "records of this device alone"),
  ]
}

extension Arguments {
  /// What `--from`, `--to`, `--label` and `--device` choose.
  func motionSelection() throws(UsageError) -> MotionSelection {
    let selection = MotionSelection(
      from: try timestamp("from"), to: try timestamp("to"), label: string("label"),
      deviceId: string("device"))
    if let from = selection.from, let to = selection.to, from >= to {
      throw bad("to", "is not after --from")
    }
    return selection
  }

  private func timestamp(_ name: String) throws(UsageError) -> Timestamp? {
    guard let text = string(name) else { return nil }
    // A date alone is its beginning, UTC.
    let isDate =
      text.split(separator: "-").count == 3 && text.allSatisfy { $0 == "-" || $0.isNumber }
    guard let time = Timestamp(text: isDate ? text + "T00:00:00Z" : text) else {
      throw bad(name, "\"\(text)\" is not a time")
    }
    return time
  }

  /// The value of an option that names a format.
  func motionLogFormat(_ name: String) throws(UsageError) -> MotionLogFormat? {
    guard let text = string(name) else { return nil }
    guard let format = MotionLogFormat(rawValue: text) else {
      throw bad(name, "\"\(text)\" is not sqlite, csv, jsonl or sensor-logger")
    }
    return format
  }
}

/// What a copy came to, as a line for people or an object for programs.
func copySummary(_ report: MotionCopyReport, _ output: String, isJSON: Bool) -> String {
  if isJSON {
    return """
      {"output": \(jsonText(output)), "records": \(report.count), "faulty": \(report.faultyCount), \
      "late": \(report.lateCount)}

      """
  }
  return "\(output): \(report.count) records"
    + (report.lateCount > 0 ? ", \(report.lateCount) of them earlier than the one before" : "")
    + "\n"
}

/// Tells what was left out.
func printFaulty(_ report: MotionCopyReport) {
  guard let fault = report.firstFault else { return }
  printError(errorLine(fault) + "; left out, \(report.faultyCount) records in all")
}
