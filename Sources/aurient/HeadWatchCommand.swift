import Files
import HeadTracking
import MotionLog

extension Command {
  /// `aurient head watch`.
  static let headWatch = Command(
    name: "watch",
    summary: "Shows the head's motion and heading as they come, live or from a log.",
    options: CommandOption.motionSources + [
      CommandOption("replay", "LOG", help: "play a log of head motion"),
      CommandOption("phone", "FILE", help: "with --replay: the phone's compass"),
      CommandOption("calibration", "FILE", help: "with --phone: of a raw magnetometer"),
      CommandOption("track", "FILE", help: "with --replay: the walk, GPX, NMEA 0183 or CSV"),
      CommandOption(
        "speed", "X", help: "with --replay: times as fast, or max; 1 unless given"),
      CommandOption(
        "desk", help: "without phone and track: heading 0 is where the head mostly looks"),
      CommandOption(
        "calibrator", "NAME", choices: CalibratorName.allCases.map(\.rawValue),
        help: "how yaw becomes a heading: adaptive, or classic, the published way"),
      CommandOption("json", help: "print JSON, one object a line and frame"),
      CommandOption(
        "every", "SECONDS", help: "print no more often; 1 unless given, 0 with --json"),
      CommandOption("duration", "SECONDS", help: "end after so long; else by Ctrl-C"),
    ],
    discussion: """
      Yaw and heading are degrees clockwise, the heading from true north; yaw has an arbitrary zero. \
      Pitch is positive upwards, roll with the right ear down; ± is how sure the heading is, 95 %. On a terminal one line is rewritten. \
      What is wrong with packets is counted, and told once for each cause.

      Exit status: 0 at the end of the log, after --duration, or by Ctrl-C; 1 if no motion came or the \
      port is in use; 2 when the command line or the log is wrong.
      """,
    examples: [
      "aurient head watch --osc 9000", "aurient head watch --opentrack 4242 --json --every 0.1",
      "aurient head watch --replay head.csv --phone phone.csv --speed 10",
    ],
    run: runWatch)
}

@Sendable private func runWatch(_ arguments: Arguments) throws {
  let sources = ["osc", "opentrack", "replay"].filter { arguments.string($0) != nil }
  guard sources.count == 1 else {
    throw UsageError.seeHelp(
      arguments.command, "needs one of --osc PORT, --opentrack PORT, --replay LOG")
  }
  let others =
    sources == ["replay"] ? ["listen", "inverse"] : ["phone", "calibration", "track", "speed"]
  if arguments.flag("desk"), arguments.flag("phone") || arguments.flag("track") {
    throw arguments.bad("desk", "is of no use with --phone or --track")
  }
  for name in others where arguments.flag(name) {
    throw arguments.bad(name, "is of no use with --\(sources[0])")
  }
  let watch = HeadWatch(
    output: arguments.flag("json") ? .json : .text,
    interval: try arguments.number("every", in: 0...86_400),
    duration: try arguments.number("duration", in: 0...1e9),
    references: try HeadReferences(arguments),
    tracker: HeadTracker(
      calibrator: try arguments.calibrator() ?? .adaptive,
      isRecenteringAutomatically: arguments.flag("desk")))
  if let log = arguments.string("replay") {
    // Opened before signals are held back, so that one ends a wait for a pipe's writer.
    let speed = try arguments.speed()
    let source = LogMotionSource(try HeadLog(motionLog: log), speed: speed)
    try watch.run(source, log, Interrupt())
    return
  }
  let address = arguments.string("listen") ?? "127.0.0.1"
  guard let port = try arguments.wholeNumber(sources[0], in: 1...65535).map(UInt16.init) else {
    return
  }
  let source = try NetworkMotionSource(
    sources == ["osc"] ? .osc : .opentrack, port: port, listen: address,
    inverse: arguments.flag("inverse"))
  try watch.run(source, "\(address) port \(port)", Interrupt())
}

extension Arguments {
  /// Seconds of a log in a second; nil for as fast as possible.
  fileprivate func speed() throws(UsageError) -> Double? {
    string("speed") == "max" ? nil : try number("speed", in: 0.001...1_000_000) ?? 1
  }
}
