import Files
import Glibc
import HeadTracking
import MotionLog

extension Command {
  /// `aurient log record`.
  static let logRecord = Command(
    name: "record",
    summary: "Records head motion as it comes, live or from a log.",
    options: CommandOption.motionSources + [
      CommandOption("replay", "LOG", help: "play a log of head motion"),
      CommandOption(
        "speed", "X", help: "with --replay: times as fast as it was, or max; max unless given"),
      CommandOption("label", "LABEL", help: "what the records are labelled with"),
      CommandOption(
        "device", "ID", help: "the recording device; else the log's last one, or a new one"),
      CommandOption(
        "period", "SECONDS", help: "store what has come after so long; 1 unless given"),
      CommandOption("duration", "SECONDS", help: "end after so long; else by Ctrl-C"),
      CommandOption("json", help: "print the summary as JSON"),
      CommandOption(
        "output", short: "o", "LOG.sqlite", required: true,
        help: "the database to make, or to add to"),
    ],
    discussion: """
      Each batch is on the disk once it is stored: a killed process or a loss of power costs the \
      newest --period at most. While another program holds the database, recording goes on and what \
      comes is kept until it can be stored.

      Exit status: 0 at the end of the log, after --duration, or by Ctrl-C; 1 if no motion came or it \
      could not be stored; 2 when the command line or an input is wrong.
      """,
    examples: [
      "aurient log record --osc 9000 --label walk -o log.sqlite",
      "aurient log record --replay head.csv -o log.sqlite",
    ],
    run: runRecord)
}

@Sendable private func runRecord(_ arguments: Arguments) throws {
  let sources = ["osc", "opentrack", "replay"].filter { arguments.string($0) != nil }
  guard sources.count == 1 else {
    throw UsageError.seeHelp(
      arguments.command, "needs one of --osc PORT, --opentrack PORT, --replay LOG")
  }
  for name in sources == ["replay"] ? ["listen", "inverse"] : ["speed"] where arguments.flag(name) {
    throw arguments.bad(name, "is of no use with --\(sources[0])")
  }
  let period = try arguments.number("period", in: 0.01...3600) ?? 1
  let duration = try arguments.number("duration", in: 0...1e9)
  let output = try arguments.required("output")
  try arguments.checkOutputs(["output"], inputs: [arguments.string("replay") ?? ""])

  func recording(_ name: String, clock: String) throws -> LogRecording {
    let isNew = access(output, F_OK) != 0
    let store = try MotionStore(path: output)
    let device = try arguments.string("device") ?? store.lastDevice() ?? randomDeviceID()
    let recorder = MotionRecorder(
      into: store, period: period, label: arguments.string("label") ?? "", deviceId: device,
      source: name, sampleClock: clock)
    return LogRecording(
      recorder: recorder, source: name, output: output, isNew: isNew,
      duration: duration ?? .infinity)
  }
  let summary: LogRecording.Summary
  if let log = arguments.string("replay") {
    let speed =
      arguments.string("speed") == "max"
      ? nil : try arguments.number("speed", in: 0.001...1_000_000)
    let source = LogMotionSource(try HeadLog(motionLog: log, withReadings: true), speed: speed)
    summary = try recording(log, clock: "of the log").run(source, Interrupt(), isLive: false)
  } else {
    let address = arguments.string("listen") ?? "127.0.0.1"
    guard let port = try arguments.wholeNumber(sources[0], in: 1...65535).map(UInt16.init) else {
      return
    }
    let interrupt = Interrupt()
    let source = try NetworkMotionSource(
      sources == ["osc"] ? .osc : .opentrack, port: port, listen: address,
      inverse: arguments.flag("inverse"))
    let name = "\(sources == ["osc"] ? "OSC" : "opentrack") \(address) port \(port)"
    summary = try recording(name, clock: "CLOCK_MONOTONIC, set to the wall clock at the start")
      .run(source, interrupt, isLive: true)
  }
  try printOut(
    arguments.flag("json")
      ? """
      {"output": \(jsonText(output)), "records": \(summary.stored), "lost": \(summary.lost), \
      "dropped": \(summary.dropped), "seconds": \(summary.seconds)}

      """
      : "\(output): \(summary.stored) records of \(tenths(summary.seconds)) s"
        + (summary.dropped > 0 ? ", \(summary.dropped) packets dropped" : "") + "\n")
}

/// Takes the events of a source until it ends, and stores them.
struct LogRecording {
  struct Summary {
    var stored = 0
    var lost = 0
    var dropped = 0
    var seconds = 0.0
  }

  let recorder: MotionRecorder
  let source: String
  let output: String
  /// Whether the log was made for this recording.
  let isNew: Bool
  /// Seconds of the source's time after which to end.
  let duration: Double

  /// - Parameter isLive: whether the source's clock goes on without events.
  func run<Source: MotionSource & ~Copyable>(
    _ source: consuming Source, _ interrupt: Interrupt, isLive: Bool
  ) throws -> Summary {
    let begin = MonotonicClock.now
    if isLive { recorder.start(at: SystemClock.now) }
    var (start, last): (Timestamp?, Timestamp?) = (isLive ? begin : nil, nil)
    var isWaiting = false
    var count = 0
    var fault: (any Error)?
    let status = RecordingStatus()
    loop: while true {
      status.update(recorder)
      let event: MotionEvent?
      do {
        event = try source.next()
      } catch {
        // What came before the fault is stored.
        fault = error
        break
      }
      if let time = event?.time { (start, last) = (start ?? time, time) }
      if isLive { last = MonotonicClock.now }
      if let start, let last, last.seconds(since: start) >= duration { break }
      switch event {
      case .ended: break loop
      case let event?:
        recorder.take(event)
        count += 1
        if count % 256 == 0, interrupt.comes() { break loop }
      case nil: if interrupt.comes(within: 5) { break loop }
      }
      guard recorder.isDue else { continue }
      do throws(FileError) {
        try recorder.flush()
        isWaiting = false
      } catch {
        // Whoever holds the database will let it go; a full disk stays full.
        guard error.cause == FileError.lockedCause else { throw unstored(error) }
        if !isWaiting { printError(errorLine(error) + "; recording goes on") }
        isWaiting = true
      }
    }
    recorder.stop(at: isLive ? SystemClock.now : last ?? begin)
    do throws(FileError) { try recorder.flush() } catch { throw unstored(error) }
    if let fault { throw fault }
    var summary = Summary()
    (summary.stored, summary.lost) = (recorder.storedCount, recorder.lostCount)
    summary.dropped = source.counts.droppedTotal
    if let start, let last { summary.seconds = last.seconds(since: start) }
    if recorder.lostCount > 0 {
      throw FileError(
        .unwritable, file: output,
        "was locked for so long that \(recorder.lostCount) records could not be kept")
    }
    guard summary.stored > 0 else {
      if isNew { for ending in ["", "-wal", "-shm"] { unlink(output + ending) } }
      throw MotionSourceError(self.source, "no head motion came")
    }
    return summary
  }

  private func unstored(_ error: FileError) -> FileError {
    var error = error
    error.cause +=
      "; \(recorder.storedCount) records are stored, the last \(recorder.pendingCount) are not"
    return error
  }
}

/// A line on a terminal that shows how a recording stands, rewritten each second and cleared at the end.
private final class RecordingStatus {
  private let isTerminal = isatty(STDERR_FILENO) != 0
  private let start = ContinuousClock.now
  private var next = ContinuousClock.now + .seconds(1)
  private var isShown = false

  deinit { if isShown { show("") } }

  func update(_ recorder: MotionRecorder) {
    guard isTerminal, case let now = ContinuousClock.now, now >= next else { return }
    next = now + .seconds(1)
    isShown = true
    show(
      "\((now - start).components.seconds) s, \(recorder.storedCount) records stored"
        + (recorder.pendingCount > 0 ? ", \(recorder.pendingCount) waiting" : ""))
  }

  private func show(_ text: String) {
    let line = "\r\u{1B}[K" + text
    // A terminal that cannot be written to shows nothing; the recording goes on.
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  }
}
