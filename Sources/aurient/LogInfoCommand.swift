import Files
import MotionLog

extension Command {
  /// `aurient log info`.
  static let logInfo = Command(
    name: "info",
    summary: "Says what a log holds: span, rate, gaps, earbuds, labels, duplicates.",
    operands: [.one("LOG")],
    options: .motionSelection + [CommandOption("json", help: "print it as JSON")],
    discussion: """
      Yaw has another zero after each start of tracking, each connection and each change to the other \
      earbud; their times are told. A gap is more than 2 s without a record.
      """,
    examples: ["aurient log info log.sqlite", "aurient log info head.csv --json"],
    run: runInfo)
}

@Sendable private func runInfo(_ arguments: Arguments) throws {
  let log = arguments.operands[0]
  let selection = try arguments.motionSelection()
  let reader = try openMotionLog(path: log, selection: selection, isTimeOrdered: true)
  let progress = ProgressBar()
  var summary = MotionLogSummary()
  let report = try copyRecords(from: reader, progress: progress.update) {
    (record: MotionRecord) throws(FileError) in summary.add(record)
  }
  guard report.count > 0 else { throw noRecords(log, selection) }
  summary.finish()
  let info = LogInfo(summary: summary, events: try reader.trackingEvents())
  try printOut(arguments.flag("json") ? info.json : info.text)
}

/// A log's summary in words.
private struct LogInfo {
  /// Events and labels that people are shown.
  private static let mostShown = 20

  let summary: MotionLogSummary
  let events: [TrackingEvent]

  private static func name(placement: Int64?) -> String {
    switch placement {
    case 0: "default"
    case 1: "left"
    case 2: "right"
    default: "unknown"
    }
  }

  private var starts: [TrackingEvent] { events.filter { $0.kind == .started } }

  private func count(_ kind: TrackingEvent.Kind) -> Int { events.count { $0.kind == kind } }

  private func counted<Key>(_ counts: [Key: Int], _ name: (Key) -> String) -> [(String, Int)] {
    counts.map { (name($0.key), $0.value) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
  }

  var text: String {
    var lines: [(String, String)] = [("records", "\(summary.count)")]
    if let span = summary.span {
      let seconds = span.upperBound.seconds(since: span.lowerBound)
      lines.append(("from", "\(span.lowerBound)"))
      lines.append(("to", "\(span.upperBound), \(tenths(seconds)) s"))
    }
    lines.append(("rate", summary.rate.map { "\(tenths($0)) Hz" } ?? "unknown"))
    lines.append(
      ("gaps", "\(summary.gapCount), the longest interval \(hundredths(summary.longestGap)) s"))
    lines.append(("duplicates", "\(summary.duplicateCount)"))
    if summary.lateCount > 0 { lines.append(("out of order", "\(summary.lateCount)")) }
    if summary.withoutAttitude > 0 {
      lines.append(("no attitude", "\(summary.withoutAttitude)"))
    }
    let placements = counted(summary.placements, Self.name)
    lines.append(("earbuds", placements.map { "\($0) \($1)" }.joined(separator: ", ")))
    lines += shown(
      "switched",
      summary.placementSwitches.map {
        "to \(Self.name(placement: $0.placement)) at \($0.time)"
      }, of: summary.placementSwitchCount)
    lines += shown(
      "label",
      counted(summary.labels) { $0.isEmpty ? "(none)" : $0 }.map {
        "\($0), \($1) records"
      }, of: summary.labels.count)
    if summary.otherLabelCount > 0 {
      lines.append(("label", "others, \(summary.otherLabelCount) records"))
    }
    lines += shown(
      "device", counted(summary.devices) { $0.isEmpty ? "(none)" : $0 }.map(\.0),
      of: summary.devices.count)
    lines += shown(
      "tracking",
      starts.map {
        "started at \($0.time) by the wall clock; sample clock \($0.sampleClock ?? "unknown"); "
          + "\($0.source ?? "unknown source")"
      }, of: starts.count)
    if count(.connected) > 0 {
      lines.append(
        ("connections", "\(count(.connected)), \(count(.disconnected)) disconnections"))
    }
    return lines.map { name, value in
      name + String(repeating: " ", count: 14 - name.count) + value.onOneLine + "\n"
    }.joined()
  }

  private func shown(_ name: String, _ values: [String], of count: Int) -> [(String, String)] {
    let lines = values.prefix(Self.mostShown).map { (name, $0) }
    return count > lines.count ? lines + [(name, "and \(count - lines.count) more")] : lines
  }

  var json: String {
    func milliseconds(_ time: Timestamp) -> String { "\(Double(time.nanoseconds) / 1e6)" }
    func text(_ value: String?) -> String { value.map(jsonText) ?? "null" }
    func object(_ counts: [(String, Int)]) -> String {
      "{" + counts.map { "\(jsonText($0)): \($1)" }.joined(separator: ", ") + "}"
    }
    let switches = summary.placementSwitches.map {
      "{\"time_ms\": \(milliseconds($0.time)), \"to\": \(text(Self.name(placement: $0.placement)))}"
    }
    let tracking = events.map { event in
      """
      {"event": \(text(event.kind.rawValue)), "time_ms": \(milliseconds(event.time)), \
      "placement": \(event.placement?.description ?? "null"), \
      "sample_clock": \(text(event.sampleClock)), "source": \(text(event.source))}
      """
    }
    return """
      {"records": \(summary.count), \
      "from_ms": \(summary.span.map { milliseconds($0.lowerBound) } ?? "null"), \
      "to_ms": \(summary.span.map { milliseconds($0.upperBound) } ?? "null"), \
      "rate_hz": \(summary.rate?.description ?? "null"), "gaps": \(summary.gapCount), \
      "longest_interval_s": \(summary.longestGap), "duplicates": \(summary.duplicateCount), \
      "out_of_order": \(summary.lateCount), "without_attitude": \(summary.withoutAttitude), \
      "placements": \(object(counted(summary.placements, Self.name))), \
      "placement_switches": \(summary.placementSwitchCount), \
      "switches": [\(switches.joined(separator: ", "))], \
      "labels": \(object(counted(summary.labels) { $0 })), \
      "records_of_other_labels": \(summary.otherLabelCount), \
      "devices": \(object(counted(summary.devices) { $0 })), \
      "tracking": [\(tracking.joined(separator: ", "))]}

      """
  }
}
