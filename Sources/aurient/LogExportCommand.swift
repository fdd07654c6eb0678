import Files
import MotionLog

extension Command {
  /// `aurient log export`.
  static let logExport = Command(
    name: "export",
    summary: "Copies a log, or a part of it, into a file of another format.",
    operands: [.one("LOG")],
    options: .motionSelection + [
      CommandOption(
        "format", "NAME", choices: MotionLogFormat.allCases.map(\.rawValue),
        help: "csv, jsonl, sensor-logger or sqlite; else the output's ending chooses"),
      CommandOption(
        "skip-faulty", help: "count faulty records and leave them out, instead of stopping"),
      CommandOption("json", help: "print the summary as JSON"),
      CommandOption(
        "output", short: "o", "OUT.(csv|jsonl|sqlite)", required: true,
        help: "the file to write"),
    ],
    discussion: """
      Numbers are written so that they read back as the same Double. Of a database a selected span \
      comes in the order of time, all of it in the order of storage.
      """,
    examples: [
      "aurient log export log.sqlite -o log.csv",
      "aurient log export log.sqlite --from 2026-09-21T14:00:00Z --label walk -o walk.jsonl",
      "aurient log export log.sqlite --format sensor-logger -o Headphone.csv",
    ],
    run: runExport)
}

@Sendable private func runExport(_ arguments: Arguments) throws {
  let log = arguments.operands[0]
  let output = try arguments.required("output")
  let selection = try arguments.motionSelection()
  try arguments.checkOutputs(["output"], inputs: [log])
  guard let format = try arguments.motionLogFormat("format") ?? MotionLogFormat(ending: output)
  else {
    throw arguments.bad(
      "output", "\"\(output)\" does not end in .csv, .jsonl or .sqlite; name a --format")
  }
  let reader = try openMotionLog(path: log, selection: selection)
  let progress = ProgressBar()
  let skipsFaulty = arguments.flag("skip-faulty")
  var report = MotionCopyReport()
  if format == .sqlite {
    try MotionStore.write(to: output, replacing: true) { store in
      report = try importRecords(
        from: reader, into: store, skipsFaulty: skipsFaulty, progress: progress.update)
      guard report.count > 0 else { throw noRecords(log, selection) }
    }
  } else {
    let writer = try MotionTextWriter(
      path: output, format: format, hasNanoseconds: try reader.mayHaveNanoseconds(),
      start: { () throws(FileError) in
        try reader.trackingEvents().first { $0.kind == .started }?.time
      })
    report = try copyRecords(
      from: reader, skipsFaulty: skipsFaulty, progress: progress.update, to: writer.append)
    guard report.count > 0 else { throw noRecords(log, selection) }
    try writer.commit()
  }
  printFaulty(report)
  // A log on standard output is followed by nothing.
  guard output != "/dev/stdout" else { return }
  try printOut(copySummary(report, output, isJSON: arguments.flag("json")))
}
