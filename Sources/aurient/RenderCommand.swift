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
    operands: [.optional("SCENE.json|SESSION")],
    options: CommandOption.scene + [
      CommandOption("rate", "HZ", help: "sample rate of the output; else that of the HRTF"),
      CommandOption(
        "trace", "FILE.csv", help: "write every frame's headings, bearings and distances"),
      CommandOption("plot", "FILE.svg", help: "draw the walk and the headings"),
      CommandOption(
        "jobs", short: "j", "COUNT",
        help: "threads; else as many as keep all cores busy. A SESSION is rendered by one"),
      CommandOption("json", help: "print the summary as JSON"),
      CommandOption(
        "output", short: "o", "OUT.(wav|flac|ogg)", required: true,
        help: "the stereo file to write; its ending chooses the format"),
    ],
    discussion: """
      Options override what the scene file says. Without headings of the head the presentation \
      follows the course, then the phone.

      A SESSION is a folder that 'aurient play --record' has made: its very sound is rendered again.

      The same inputs give the same bytes, on one core or many.
      """,
    examples: [
      "aurient render scene.json -o walk.wav",
      "aurient render --track walk.gpx --head head.csv --beacon 51.5007,-0.1246 -o walk.flac",
      "aurient render scene.json --style wood --route route.gpx --callouts 30 -o walk.ogg",
    ],
    run: runRender)
}

@Sendable private func runRender(_ arguments: Arguments) throws {
  if let path = arguments.operands.first, SessionRenderer.isRecord(path) {
    try renderSession(path, arguments)
    return
  }
  let scene = try renderedScene(arguments)
  let output = try arguments.required("output")
  try arguments.checkOutputs(["output", "trace", "plot"], inputs: arguments.operands + scene.files)
  let renderer = try OfflineRenderer(
    scene, threadCount: try arguments.wholeNumber("jobs", in: OfflineRenderer.threadCounts))
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
  arguments.warnOfMirror(renderer.dataSetTitle, isMirrored: renderer.isMirrored)
  printWarnings(renderer.warnings)
  for warning in renderer.phoneWarnings { printError(errorLine(warning)) }
  if let decibels = summary.decibelsOverFullScale {
    let clipped =
      sound.clippedCount > 0 ? "\(sound.clippedCount) samples were clipped" : "players clip"
    printError(
      "aurient: \(output): \(tenths(decibels)) dB over full scale, \(clipped); lower --gain")
  }
  let missing =
    Double(renderer.expectedFrameCount - summary.frameCount) / Double(renderer.sampleRate)
  if let head = scene.head, missing > HeadTracker.longestGap {
    printError(
      "aurient: \(head): ends \(tenths(missing)) s before the walk, and the sound with it")
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

/// The scene to render.
private func renderedScene(_ arguments: Arguments) throws -> Scene {
  var scene = try arguments.scene()
  guard scene.track != nil else {
    if let file = arguments.operands.first {
      throw FileError(.malformed, file: file, "there is no track")
    }
    throw UsageError.seeHelp(arguments.command, "needs SCENE.json or --track FILE")
  }
  guard !scene.beacons.isEmpty || scene.route != nil else {
    throw UsageError.seeHelp(
      arguments.command, "needs a --beacon LAT,LON, a --route, or one in the scene")
  }
  scene.sampleRate = try arguments.wholeNumber("rate", in: Scene.sampleRates) ?? scene.sampleRate
  return scene
}

/// Renders a recorded session again.
private func renderSession(_ folder: String, _ arguments: Arguments) throws {
  let taken = ["output", "json", "jobs"]
  let others = Command.render.options.map(\.name).filter { !taken.contains($0) }
  for name in others where arguments.flag(name) {
    throw arguments.bad(name, "a recorded session is rendered as it was played")
  }
  _ = try arguments.wholeNumber("jobs", in: OfflineRenderer.threadCounts)
  let output = try arguments.required("output")
  let renderer = try SessionRenderer(folder: folder)
  let sound = try SoundFileWriter(
    path: output, sampleRate: renderer.sampleRate, channelCount: 2, expectedFrames: 0)
  var frameCount = 0
  let progress = ProgressBar()
  try renderer.render(
    onMove: { _ in },
    onSound: { samples in
      try sound.write(samples)
      frameCount += samples.count / 2
      progress.update(renderer.progress)
    })
  try sound.commit()
  let seconds = Double(frameCount) / Double(renderer.sampleRate)
  try printOut(
    arguments.flag("json")
      ? "{\"file\": \(jsonText(output)), \"seconds\": \(seconds), \"rate\": \(renderer.sampleRate)}\n"
      : "\(output): \(tenths(seconds)) s of \(renderer.sampleRate) Hz, hrtf \(renderer.dataSetTitle)\n"
  )
}
