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
        "track", "FILE", help: "the walk whose course calibrates the head: GPX, NMEA 0183, or CSV"),
      CommandOption(
        "calibrator", "NAME", help: "calibrate by 'device' or 'course' alone; else by both"),
      CommandOption(
        "output", short: "o", "OUT.csv", required: true,
        help: "the file to write: time_s, yaw_deg, offset_deg, head_deg, status"),
    ],
    examples: [
      "aurient head replay head.csv --phone phone.csv -o headings.csv",
      "aurient head replay head.csv --track walk.gpx --calibrator course -o headings.csv",
    ],
    run: runReplay)
}

@Sendable private func runReplay(_ arguments: Arguments) throws {
  throw UsageError(arguments.command, "not available yet")
}
