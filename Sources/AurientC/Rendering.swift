import Aurient
public import CAurient
import SpatialAudio

/// See `aurient.h`.
@c @implementation
public func aurient_render(_ pointer: UnsafePointer<aurient_render_options>!) -> aurient_status {
  call {
    guard let pointer else { throw Fault.invalid("options is NULL") }
    let options = try copied(pointer, aurient_render_options())
    let path = try text(options.scene_path, "scene_path")
    let output = try text(options.output_path, "output_path")
    let (trace, plot) = (
      try textIfAny(options.trace_path, "trace_path"), try textIfAny(options.plot_path, "plot_path")
    )
    let hrtf = try textIfAny(options.hrtf, "hrtf")
    let rate = try sampleRate(options.sample_rate)
    let threadCount = try threadCount(options.thread_count)
    let outputs = [output, trace, plot].compactMap { $0 }
    guard Set(outputs).count == outputs.count else {
      throw Fault.invalid("two outputs are one file")
    }
    var progress = Progress(options.progress, options.progress_context)
    try progress.tell(0)
    if SessionRenderer.isRecord(path) {
      guard trace == nil, plot == nil, hrtf == nil, rate == nil else {
        throw Fault.invalid("a recorded session is rendered as it was played")
      }
      try renderRecord(path, to: output, &progress)
    } else {
      var scene = try Scene(path: path)
      scene.hrtf = hrtf ?? scene.hrtf
      scene.sampleRate = rate ?? scene.sampleRate
      try render(scene, to: output, trace: trace, plot: plot, threadCount, &progress)
    }
  }
}

/// A rate that is asked for; nil for 0.
func sampleRate(_ rate: Int32) throws(Fault) -> Int? {
  guard rate != 0 else { return nil }
  guard Scene.sampleRates.contains(Int(rate)) else {
    throw .invalid(
      "sample_rate \(rate) is not from \(Scene.sampleRates.lowerBound) to \(Scene.sampleRates.upperBound)"
    )
  }
  return Int(rate)
}

/// A number of threads that is asked for; nil for 0.
private func threadCount(_ count: Int32) throws(Fault) -> Int? {
  guard count != 0 else { return nil }
  guard OfflineRenderer.threadCounts.contains(Int(count)) else {
    throw .invalid(
      "thread_count \(count) is not from 0 to \(OfflineRenderer.threadCounts.upperBound)")
  }
  return Int(count)
}

private func render(
  _ scene: Scene, to output: String, trace tracePath: String?, plot plotPath: String?,
  _ threadCount: Int?, _ progress: inout Progress
) throws {
  try OpenALContext.leavingThreadAsItWas {
    let renderer = try OfflineRenderer(scene, threadCount: threadCount)
    let sound = try SoundFileWriter(
      path: output, sampleRate: renderer.sampleRate, channelCount: 2,
      expectedFrames: renderer.expectedFrameCount)
    let trace = try tracePath.map { try SceneTrace(path: $0, of: renderer) }
    var plot = try plotPath.map { try ScenePlot(path: $0, of: renderer) }
    var frameCount = 0
    let length = Double(max(1, renderer.expectedFrameCount))
    try renderer.render(
      onMove: { scene in
        trace?.append(scene)
        plot?.append(scene)
      },
      onSound: { samples in
        try sound.write(samples)
        frameCount += samples.count / 2
        // The end is told when all is written.
        try progress.tell(min(0.999, Double(frameCount) / length))
      })
    try trace?.finish()
    try plot?.finish()
    try sound.commit()
    try trace?.commit()
    try plot?.commit()
  }
  // Too late for second thoughts.
  try? progress.tell(1)
}

private func renderRecord(
  _ folder: String, to output: String, _ progress: inout Progress
) throws {
  try OpenALContext.leavingThreadAsItWas {
    let renderer = try SessionRenderer(folder: folder)
    let sound = try SoundFileWriter(
      path: output, sampleRate: renderer.sampleRate, channelCount: 2, expectedFrames: 0)
    try renderer.render(
      onMove: { _ in },
      onSound: { samples in
        try sound.write(samples)
        try progress.tell(min(0.999, renderer.progress))
      })
    try sound.commit()
  }
  try? progress.tell(1)
}
