import Aurient
import Compass
import Files
import Glibc
import HeadTracking
import Navigation
import SpatialAudio

extension Command {
  /// `aurient play`.
  static let play = Command(
    name: "play",
    summary: "Plays beacons on headphones from live or recorded motion.",
    operands: [.optional("SCENE.json")],
    options: CommandOption.scene + CommandOption.live + [
      CommandOption("quiet", short: "q", help: "print nothing while it plays"),
      CommandOption("json", help: "print JSON, one object a line"),
      CommandOption("every", "SECONDS", help: "print no more often; 0.1 on a terminal, else 1"),
      CommandOption("duration", "SECONDS", help: "end after so long; else by Ctrl-C"),
    ],
    discussion: """
      Without a file --track, --head and --phone are live, from --osc or --opentrack, --gpsd or --nmea; what \
      is missing stays unknown. Files play as they were recorded. All can be mixed.

      A device that is lost is opened again as soon as it is back. With --record, 'aurient render DIR' gives the \
      very sound again.

      Exit status: 0 at the end of the files, after --duration, or by Ctrl-C; 1 if there is no device or \
      a port is in use; 2 when the command line or a file is wrong.
      """,
    examples: [
      "aurient play --osc 9000 --gpsd localhost:2947 --beacon 51.4764,-0.0031,Fountain",
      "aurient play Examples/walk/scene.json --style wood --latency low",
    ],
    run: runPlay)
}

extension CommandOption {
  /// Where live motion and places come from, and where the sound goes.
  static let live =
    CommandOption.motionSources + [
      CommandOption("gpsd", "HOST:PORT", help: "places from gpsd"),
      CommandOption(
        "nmea", "SOURCE",
        help: "places from tcp:HOST:PORT, udp:PORT, serial:PATH[:BAUD] or file:PATH"
      ),
      CommandOption("device", "NAME", help: "one of 'aurient devices'; else the default one"),
      CommandOption(
        "latency", "NAME", choices: LatencyPreset.allCases.map(\.rawValue),
        help: "low, normal or safe; else as OpenAL is configured"),
      CommandOption("record", "DIR", help: "keep all that comes in, to be rendered again"),
    ]
}

@Sendable private func runPlay(_ arguments: Arguments) throws {
  let scene = try arguments.scene()
  guard !scene.beacons.isEmpty || scene.route != nil else {
    throw UsageError.seeHelp(
      arguments.command, "needs a --beacon LAT,LON, a --route, or one in the scene")
  }
  let duration = try arguments.number("duration", in: 0...1e9) ?? .infinity
  let isTerminal = isatty(STDOUT_FILENO) != 0
  let every = try arguments.number("every", in: 0.01...86_400) ?? (isTerminal ? 0.1 : 1)
  // Before any thread is started, which would end by the signals.
  let interrupt = Interrupt()
  let inputs = try arguments.liveInputs(scene)
  let session = try LiveSession(scene, inputs: inputs, settings: arguments.liveSettings())
  var view: PlayView? =
    arguments.flag("quiet")
    ? nil : PlayView(isJSON: arguments.flag("json"), isTerminal: isTerminal)
  try view?.begin(session)
  var start: Timestamp?
  // Looked at often enough for Ctrl-C.
  var nextPrint = 0.0
  var (peak, delay) = (Float(0), Double?.none)
  try session.run(every: min(every, 0.1)) { state in
    var state = state
    let begin = start ?? state.time
    start = begin
    let seconds = state.time.seconds(since: begin)
    peak = max(peak, state.peak)
    delay = [delay, state.listenerDelay].compactMap { $0 }.max()
    if seconds >= nextPrint {
      nextPrint = seconds + every
      // The greatest since the last print.
      (state.peak, state.listenerDelay) = (peak, delay)
      (peak, delay) = (0, nil)
      try view?.show(state, seconds: seconds, inputs)
    }
    return seconds < duration && !interrupt.comes()
  }
}

extension Arguments {
  /// What the session listens to.
  func liveInputs(_ scene: Scene) throws -> LiveInputs {
    let inputs = LiveInputs()
    let address = string("listen") ?? "127.0.0.1"
    let heads = ["osc", "opentrack", "head"].filter { flag($0) }
    if heads.count > 1 { throw bad(heads[1], "there is --\(heads[0]) already") }
    for (name, format) in [("osc", NetworkMotionSource.Format.osc), ("opentrack", .opentrack)] {
      guard let port = try wholeNumber(name, in: 1...65535).map(UInt16.init) else { continue }
      inputs.listen(
        to: try NetworkMotionSource(format, port: port, listen: address, inverse: flag("inverse")))
    }
    let isHeadLive = flag("osc") || flag("opentrack")
    let places = ["gpsd", "nmea", "track"].filter { flag($0) }
    if places.count > 1 { throw bad(places[1], "there is --\(places[0]) already") }
    if try !listenToPlaces(inputs), let track = scene.track {
      try inputs.play(
        track: track, course: scene.course, head: isHeadLive ? nil : scene.head,
        phone: try scene.phoneSeries())
      return inputs
    }
    if !isHeadLive, let head = scene.head { try inputs.play(head: head) }
    return inputs
  }

  /// Listens to a receiver of places, if one is named; whether it is.
  @discardableResult func listenToPlaces(_ inputs: LiveInputs) throws -> Bool {
    if let text = string("gpsd") {
      if flag("nmea") { throw bad("nmea", "there is --gpsd already") }
      inputs.listen(to: try LocationSource(gpsd: try gpsdAddress(text)))
    } else if let text = string("nmea") {
      inputs.listen(to: try LocationSource(nmea: try nmeaEndpoint(text)))
    } else {
      return false
    }
    return true
  }

  private func gpsdAddress(_ text: String) throws -> GPSDAddress {
    do {
      return try GPSDAddress(text)
    } catch {
      throw bad("gpsd", "\(error)")
    }
  }

  private func nmeaEndpoint(_ text: String) throws -> NMEAEndpoint {
    do {
      return try NMEAEndpoint(text)
    } catch {
      throw bad("nmea", "\(error)")
    }
  }

  /// How the session is to be played.
  func liveSettings() throws -> LiveSession.Settings {
    var settings = LiveSession.Settings()
    settings.device = string("device")
    settings.recordFolder = string("record")
    if let name = string("latency") {
      guard let preset = LatencyPreset(rawValue: name) else {
        throw bad("latency", "\"\(name)\" is not low, normal or safe")
      }
      settings.latency = preset
    }
    return settings
  }
}
