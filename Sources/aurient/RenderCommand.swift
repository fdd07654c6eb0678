import Aurient
import Files
import Glibc
import HRTF
import HeadTracking
import Navigation
import SpatialAudio

extension Command {
  /// `aurient render`.
  static let render = Command(
    name: "render",
    summary: "Renders what a listener with tracked headphones hears on a walk.",
    operands: [.optional("SCENE.json")],
    options: [
      CommandOption(
        "track", "FILE", help: "where the listener walks: GPX, NMEA 0183, or CSV of CLLocation"),
      CommandOption(
        "head", "FILE", help: "the headphones' motion: CSV of AWARE's record or a logger's"),
      CommandOption(
        "phone", "FILE",
        help: "the phone's compass: CSV of CLHeading, or of its raw magnetometer and gravity"),
      CommandOption(
        "calibration", "FILE",
        help: "of a raw magnetometer, from 'aurient compass calibrate'; else from its log"),
      CommandOption(
        "beacon", "LAT,LON[,NAME]", repeats: true,
        help: "a sound at this place, degrees north and east; may be repeated"),
      CommandOption(
        "sound", "FILE", help: "what the beacons sound like: any file that libsndfile reads"),
      CommandOption(
        "style", "NAME|FOLDER",
        help: "beacons that change with their direction: drops, shaker, sticks or wood"),
      CommandOption(
        "route", "FILE.gpx", help: "a route whose places sound one after the other"),
      CommandOption(
        "callouts", "SECONDS",
        help: "have the nearest beacons said so often, and as they are approached"),
      CommandOption(
        "hrtf", "NAME|FILE",
        help: "whose ears: a name from 'aurient hrtf list', a .sofa or an .mhr file"),
    ] + CommandOption.fitting + [
      CommandOption("rate", "HZ", help: "sample rate of the output; else that of the HRTF"),
      CommandOption(
        "course", "NAME",
        help: "which course counts: logged, derived from the places, or automatic"),
      CommandOption(
        "calibrator", "NAME",
        help: "how the head's yaw becomes a heading: adaptive, or classic, the published way"),
      CommandOption("gain", "DB", help: "loudness of the beacons against their sounds, -120 to 0"),
      CommandOption("yaw-only", help: "turn the listener, but leave out the head's tilt"),
      CommandOption(
        "near-field",
        help: "beacons nearer than the HRTF was measured sound nearer, as on a spherical head"),
      CommandOption(
        "trace", "FILE.csv", help: "write every frame's headings, bearings and distances"),
      CommandOption("plot", "FILE.svg", help: "draw the walk and the headings"),
      CommandOption("json", help: "print the summary as JSON"),
      CommandOption(
        "output", short: "o", "OUT.(wav|flac|ogg)", required: true,
        help: "the stereo file to write; its ending chooses the format"),
    ],
    discussion: """
      Options override what the scene file says. Without headings of the head the presentation \
      follows the course, then the phone.

      The same inputs give the same bytes.
      """,
    examples: [
      "aurient render scene.json -o walk.wav",
      "aurient render --track walk.gpx --head head.csv --beacon 51.5007,-0.1246 -o walk.flac",
      "aurient render scene.json --style wood --route route.gpx --callouts 30 -o walk.ogg",
    ],
    run: runRender)
}

@Sendable private func runRender(_ arguments: Arguments) throws {
  let scene = try scene(arguments)
  let output = try arguments.required("output")
  try arguments.checkOutputs(["output", "trace", "plot"], inputs: arguments.operands + scene.files)
  let renderer = try OfflineRenderer(scene)
  let sound = try SoundFileWriter(
    path: output, sampleRate: renderer.sampleRate, channelCount: 2,
    expectedFrames: renderer.expectedFrameCount)
  let trace = try arguments.string("trace").map { try SceneTrace(path: $0, of: renderer) }
  var plot = try arguments.string("plot").map { try ScenePlot(path: $0, of: renderer) }
  var summary = RenderSummary(sampleRate: renderer.sampleRate)
  let progress = ProgressBar()
  let length = Double(max(1, renderer.expectedFrameCount))
  try renderer.render(
    onMove: { scene in
      trace?.append(scene)
      plot?.append(scene)
      summary.add(scene, measuredPart: renderer.measuredPart)
    },
    onSound: { samples in
      try sound.write(samples)
      summary.add(samples)
      progress.update(Double(summary.frameCount) / length)
    })
  // What may fail comes before the first file appears.
  try trace?.finish()
  try plot?.finish()
  try sound.commit()
  try trace?.commit()
  try plot?.commit()
  try printOut(
    arguments.flag("json") ? summary.json(output, renderer) : summary.text(output, renderer))
  printWarnings(renderer.warnings)
  for warning in renderer.phoneWarnings { printError(errorLine(warning)) }
  if let decibels = summary.decibelsOverFullScale {
    let clipped =
      sound.clippedCount > 0 ? "\(sound.clippedCount) samples were clipped" : "players clip"
    printError(
      "aurient: \(output): \(tenths(decibels)) dB over full scale, \(clipped); lower --gain")
  }
  if summary.shareUnmeasured > 0 {
    printError(
      "aurient: \(output): for \(tenths(max(0.1, 100 * summary.shareUnmeasured))) % of the time a beacon "
        + "lies outside the measured part of \(renderer.dataSetTitle); what is heard there is carried on "
        + "from its edge")
  }
  if summary.shareWithoutHeading > 0.05 {
    printError(
      "aurient: \(output): no heading is known for \(tenths(100 * summary.shareWithoutHeading)) % of the "
        + "time; the beacons are dimmed there and stay where they were")
  }
}

extension Scene {
  /// The files that it names.
  fileprivate var files: [String] {
    [track] + [head, phone, calibration, sound, hrtf, route].compactMap { $0 }
      + beacons.compactMap(\.sound)
  }
}

/// The scene of the file, with what the options say in place of it.
private func scene(_ arguments: Arguments) throws -> Scene {
  var scene: Scene
  if let path = arguments.operands.first {
    scene = try Scene(path: path)
    scene.track = arguments.string("track") ?? scene.track
  } else if let track = arguments.string("track") {
    scene = Scene(track: track)
  } else {
    throw UsageError.seeHelp(arguments.command, "needs SCENE.json or --track FILE")
  }
  scene.head = arguments.string("head") ?? scene.head
  scene.phone = arguments.string("phone") ?? scene.phone
  scene.calibration = arguments.string("calibration") ?? scene.calibration
  scene.sound = arguments.string("sound") ?? scene.sound
  scene.style = arguments.string("style") ?? scene.style
  scene.route = arguments.string("route") ?? scene.route
  scene.hrtf = arguments.string("hrtf") ?? scene.hrtf
  scene.fitting = try arguments.fitting(insteadOf: scene.fitting)
  scene.sampleRate = try arguments.wholeNumber("rate", in: Scene.sampleRates) ?? scene.sampleRate
  if let name = arguments.string("course") {
    guard let course = CourseSource(rawValue: name) else {
      throw arguments.bad("course", "\"\(name)\" is not automatic, logged or derived")
    }
    scene.course = course
  }
  scene.calibrator = try arguments.calibrator() ?? scene.calibrator
  if arguments.flag("yaw-only") { scene.isYawOnly = true }
  if arguments.flag("near-field") { scene.fitting.isNearField = true }
  let named = arguments.strings("beacon")
  if !named.isEmpty {
    scene.beacons = try named.map { text in
      do throws(BeaconError) {
        return Scene.Beacon(try Beacon(text))
      } catch {
        throw UsageError(arguments.command, "--\(error)")
      }
    }
  }
  guard !scene.beacons.isEmpty || scene.route != nil else {
    throw UsageError.seeHelp(
      arguments.command, "needs a --beacon LAT,LON, a --route, or one in the scene")
  }
  if let interval = try arguments.number("callouts", in: Callouts.intervals) {
    scene.callouts = scene.callouts ?? Callouts()
    scene.callouts?.interval = interval
  }
  if let gain = try arguments.number("gain", in: -120...0) { scene.gain += gain }
  return scene
}
