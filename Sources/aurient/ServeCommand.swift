import Aurient
import Glibc
import HeadTracking

extension Command {
  /// `aurient serve`.
  static let serve = Command(
    name: "serve",
    summary: "Plays beacons that other programs place and move by OSC.",
    operands: [.optional("SCENE.json")],
    options: [CommandOption("osc", "PORT", help: "the UDP port for OSC")]
      + CommandOption.scene.filter { !CommandOption.logs.contains($0.name) }
      + CommandOption.live.filter { !["osc", "opentrack"].contains($0.name) } + [
        CommandOption(
          "sounds", "DIR", repeats: true,
          help: "clients may name what is below it: sounds, styles, SOFA files; may be repeated"),
        CommandOption("quiet", short: "q", help: "print nothing while it runs"),
        CommandOption("json", help: "print JSON, one object a line"),
        CommandOption("every", "SECONDS", help: "print no more often; 0.1 on a terminal, else 1"),
        CommandOption("duration", "SECONDS", help: "end after so long; else by Ctrl-C"),
      ],
    discussion: """
      Clients send OSC over UDP: /aurient/beacon/place NAME LAT LON, /location LAT LON, /aurient/recenter and \
      others, which docs/serve.md lists, and the head's motion in any dialect. What cannot be done is \
      answered with /aurient/error.

      Whoever can reach the port can do all of it: unless told otherwise only this machine can. Started by systemd \
      with a socket, as in Examples/systemd, --osc is not needed.

      Exit status: 0 after --duration or by Ctrl-C; 1 if there is no device or the port is in use; 2 when \
      the command line or a file is wrong.
      """,
    examples: [
      "aurient serve --osc 9000",
      "aurient serve --osc 9000 --style wood --sounds Sounds --gpsd localhost:2947",
    ],
    run: runServe)
}

extension CommandOption {
  /// Those of a scene that are about logs.
  fileprivate static let logs = ["track", "head", "phone", "calibration", "course"]
}

/// Seconds between two states that clients may get.
private let stateInterval = 0.02

@Sendable private func runServe(_ arguments: Arguments) throws {
  var scene = try arguments.scene()
  (scene.track, scene.head, scene.phone, scene.calibration) = (nil, nil, nil, nil)
  let duration = try arguments.number("duration", in: 0...1e9) ?? .infinity
  let isTerminal = isatty(STDOUT_FILENO) != 0
  let every = try arguments.number("every", in: 0.01...86_400) ?? (isTerminal ? 0.1 : 1)
  let folders = arguments.strings("sounds")
  let inputs = LiveInputs()
  try arguments.listenToPlaces(inputs)
  // Signals are left to this thread, whatever threads follow.
  let interrupt = Interrupt()
  let service = try SceneService(
    try arguments.endpoint(), for: inputs, scene: scene,
    soundFolders: folders.isEmpty ? nil : folders)
  let session = try LiveSession(scene, inputs: inputs, settings: arguments.liveSettings())
  var view: PlayView? =
    arguments.flag("quiet")
    ? nil : PlayView(isJSON: arguments.flag("json"), isTerminal: isTerminal)
  if view != nil, !arguments.flag("json") { try printOut("listening on \(service.name)\n") }
  try view?.begin(session)
  let start = MonotonicClock.now
  var (nextPrint, peak) = (0.0, Float(0))
  try session.run(every: stateInterval) { state in
    service.publish(state, of: session)
    let seconds = state.time.seconds(since: start)
    peak = max(peak, state.peak)
    if seconds >= nextPrint {
      nextPrint = seconds + every
      var shown = state
      shown.peak = peak
      peak = 0
      try view?.show(shown, seconds: seconds, inputs)
    }
    return seconds < duration && !interrupt.comes()
  }
  guard view != nil, !arguments.flag("json") else { return }
  let counts = service.counts
  try printOut(
    "\(counts.messages) messages, \(counts.refused) refused; dropped \(counts.malformed) malformed, "
      + "\(counts.overrun) too many\n")
}

extension Arguments {
  /// Where clients send to: a socket that systemd has handed over, else that of the options.
  fileprivate func endpoint() throws -> SceneService.Endpoint {
    if let descriptor = systemdSocket() { return .inherited(descriptor) }
    guard let port = try wholeNumber("osc", in: 1...65535).map(UInt16.init) else {
      throw UsageError.seeHelp(command, "needs --osc PORT, or a socket from systemd")
    }
    return .address(string("listen") ?? "127.0.0.1", port: port)
  }
}

/// The first socket that systemd has started this process with; nil without one. See sd_listen_fds(3).
private func systemdSocket() -> Int32? {
  func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
  guard number("LISTEN_PID") == Int(getpid()), (number("LISTEN_FDS") ?? 0) > 0 else { return nil }
  // Of no concern to the programs that this one starts.
  for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
  return 3
}
