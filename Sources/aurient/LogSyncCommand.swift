import Files
import MotionLog

extension Command {
  /// `aurient log sync`.
  static let logSync = Command(
    name: "sync",
    summary: "Sends the records of a database that a host has not acknowledged yet.",
    operands: [.one("LOG.sqlite")],
    options: [
      CommandOption(
        "host", "URL", required: true,
        help: "where to send them; they go to URL/airpods_motion/insert"),
      CommandOption("batch", "COUNT", help: "records in a request; 1000 unless given"),
      CommandOption("timeout", "SECONDS", help: "time for a request; 30 unless given"),
      CommandOption("attempts", "COUNT", help: "tries of a request; 8 unless given"),
      CommandOption("ca", "FILE.pem", help: "trust the authorities of this file alone"),
      CommandOption("insecure-http", help: "allow http:// to other machines, readable on the way"),
      CommandOption("dry-run", help: "say what would be sent, and send nothing"),
      CommandOption("json", help: "print the summary as JSON"),
    ],
    discussion: """
      The log remembers what each host has acknowledged, by an answer of status 200 to 299. What fails \
      is tried again after 1, 2, 4 ... up to 60 s, or as the server says; the next call goes on where \
      this one stops. A batch whose answer was lost is sent again.

      Exit status: 0 when all is acknowledged; 1 when the host refuses or cannot be reached; 2 when the \
      command line or the log is wrong.
      """,
    examples: [
      "aurient log sync log.sqlite --host https://study.example.org",
      "aurient log sync log.sqlite --host http://localhost:8080 --dry-run",
    ],
    run: runSync)
}

@Sendable private func runSync(_ arguments: Arguments) throws {
  let log = arguments.operands[0]
  var configuration = MotionSync.Configuration(host: try arguments.required("host"))
  configuration.batchSize =
    try arguments.wholeNumber("batch", in: 1...100_000) ?? configuration.batchSize
  configuration.timeout = try arguments.number("timeout", in: 0.1...3600) ?? configuration.timeout
  configuration.attempts =
    try arguments.wholeNumber("attempts", in: 1...1000) ?? configuration.attempts
  configuration.caFile = arguments.string("ca")
  configuration.allowsInsecureHTTP = arguments.flag("insecure-http")
  let sync: MotionSync
  do throws(MotionSyncError) {
    sync = try MotionSync(path: log, configuration)
  } catch {
    throw arguments.bad("host", "\(error)")
  }
  if arguments.flag("dry-run") {
    let pending = try sync.pending()
    try printOut(
      arguments.flag("json")
        ? """
        {"url": \(jsonText(pending.url)), "records": \(pending.recordCount), \
        "batches": \(pending.batchCount)}

        """
        : "\(pending.url): \(pending.recordCount) records would go in \(pending.batchCount) batches\n"
    )
    return
  }
  let progress = ProgressBar()
  let report = try sync.run(progress: progress.update) { cause in
    printError("aurient: \(cause.onOneLine); trying again")
  }
  try printOut(
    arguments.flag("json")
      ? """
      {"records": \(report.recordCount), "batches": \(report.batchCount), \
      "retries": \(report.retryCount)}

      """
      : "\(log): \(report.recordCount) records sent in \(report.batchCount) batches"
        + (report.retryCount > 0 ? ", \(report.retryCount) sent again" : "") + "\n")
}
