import Files
import Geometry
import Glibc
import HRTF
import TestSupport
import Testing

@testable import SpatialAudio

/// What is heard of a device, in a process of its own that plays to a PulseAudio daemon of its own: OpenAL
/// reads its configuration and chooses its backend once a process.
@Suite(.serialized) struct PlaybackDeviceTests {
  struct Case: Sendable {
    var sink: NullSinkServer.Sink
    var isNamed: Bool
    var latency: LatencyPreset
  }

  private static let stereo = NullSinkServer.Sink("stereo", sampleRate: 48_000)
  private static let slow = NullSinkServer.Sink("slow", sampleRate: 44_100)
  private static let surround = NullSinkServer.Sink(
    "surround", sampleRate: 48_000, isSurround: true)

  /// Where the source is and how loud, and how the listener is turned, after so many changes.
  private static func move(_ source: SoundSource, _ context: OpenALContext, step: Int) {
    let angle = Double(step)
    source.setPosition(WorldFrame.direction(azimuth: 60 + 7 * angle, elevation: angle / 9))
    // OpenAL Soft 1.19 fades a gain over whatever it mixes at once, which differs from run to run.
    if OpenALLibrary.takesFields { source.setGain(step % 8 < 4 ? 1 : 0.5) }
    let head = Quaternion(radians: angle / 10, about: [0, 0, 1])
    context.setListener(ahead: WorldFrame.ahead(head), up: WorldFrame.up(head))
  }

  /// Soft enough that a device's limiter has nothing to do, which loopback devices do not have.
  private static func sound(_ length: Int) -> [Float] { noise(length).map { $0 / 2 } }

  /// What the playing process tells of its changes.
  private struct Changes {
    /// Before which frames they took effect; the first is where the sound began.
    var frames: [Int] = []
    /// When they were asked for, ns of the monotonic clock.
    var times: [Int] = []

    init() {}

    mutating func add(_ time: Int, _ frame: Int) {
      frames.append(frame)
      times.append(time)
    }

    /// The batches that were stated for a frame were heard with the last one.
    mutating func correct(late frame: Int?) {
      guard let frame, let last = frames.last else { return }
      for index in frames.indices where index > 0 && frames[index] == frame { frames[index] = last }
    }

    var text: String {
      zip(frames, times).map { "\($0) \($1)" }.joined(separator: " ")
    }

    init(path: String) throws {
      let bytes = try InputFile.bytes(path: path, limit: 1 << 16)
      let numbers = String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap {
        Int($0)
      }
      frames = stride(from: 0, to: numbers.count, by: 2).map { numbers[$0] }
      times = stride(from: 1, to: numbers.count, by: 2).map { numbers[$0] }
    }
  }

  /// Samples of left and right by turns that the changes should have given.
  private static func offline(_ set: ShippedSet, _ frames: [Int]) throws -> [Float] {
    let device = try LoopbackDevice(sampleRate: set.sampleRate, dataSet: set.dataSet)
    let source = try SoundSource(sound(set.sampleRate), looping: true, in: device.context)
    move(source, device.context, step: 0)
    source.play()
    var output: [Float] = []
    for step in 1..<frames.count {
      output += device.render(frames: frames[step] - frames[step - 1])
      move(source, device.context, step: step)
    }
    return output + device.render(frames: 2000)
  }

  /// The recording is the offline rendering with the changes at the frames that were stated for them,
  /// sample for sample, besides gaps of silence where this machine was too slow; so are the differences
  /// between the ears. And the changes come out in the time that the preset promises.
  @Test(arguments: [
    Case(sink: stereo, isNamed: false, latency: .normal),
    Case(sink: slow, isNamed: true, latency: .low),
    Case(sink: surround, isNamed: true, latency: .safe),
  ])
  func isTheOfflineRendering(testCase: Case) async throws {
    let (sink, latency) = (testCase.sink, testCase.latency)
    let set = try (sink.sampleRate == 48_000 ? ShippedSet.kemarAt48000 : ShippedSet.kemar).get()
    let server = try NullSinkServer([testCase.isNamed ? Self.stereo : sink, sink])
    let recording = try server.record(sink)
    let clock = RecordingClock(recording, sink)
    await #expect(processExitsWith: .success) {
      [
        environment = server.environment as [String: String], path = server.path as String,
        name = (testCase.isNamed ? sink.name : nil) as String?,
        preset = latency.rawValue as String, expectedName = sink.name as String,
        dataSet = set.dataSet as String, rate = set.sampleRate as Int
      ] in
      try playOnly(environment, latency: LatencyPreset(rawValue: preset))
      let device = try PlaybackDevice(name) { sampleRate in
        #expect(sampleRate == rate)
        return dataSet
      }
      #expect(device.name == expectedName && device.sampleRate == rate && device.isConnected)
      let source = try SoundSource(Self.sound(rate), looping: true, in: device.context)
      device.apply { Self.move(source, device.context, step: 0) }
      var changes = Changes()
      changes.add(monotonicNanoseconds(), device.play(source))
      for step in 1...100 {
        usleep(UInt32.random(in: 0...20_000))
        let time = monotonicNanoseconds()
        changes.add(time, device.apply { Self.move(source, device.context, step: step) })
        changes.correct(late: device.lateFrame)
      }
      usleep(200_000)
      try device.context.checkErrors()
      try OutputFile.write(changes.text.utf8, to: path + "/changes")
    }
    usleep(100_000)
    let origin = await clock.stop()
    let samples = recording.stop()
    let channels = (0..<sink.channelCount).map { channel in
      stride(from: channel, to: samples.count, by: sink.channelCount).map { samples[$0] }
    }
    let changes = try Changes(path: server.path + "/changes")
    try #require(changes.frames.count == 101 && changes.frames == changes.frames.sorted())
    let expected = try Self.offline(set, changes.frames)

    let match = RecordingMatch(channels, expected)
    let count = expected.count / 2
    #expect(match.worst < 1e-6, "from frame \(match.fault ?? 0) of \(count)")
    #expect(match.frameCount > count * 8 / 10, "\(count - match.frameCount) of \(count) in gaps")
    #expect(channels.dropFirst(2).allSatisfy { $0.allSatisfy { $0 == 0 } })

    let delays = changes.frames.indices.dropFirst().map { index in
      let out =
        origin + Double(match.start + changes.frames[index] - changes.frames[0])
        / Double(sink.sampleRate)
      return out - Double(changes.times[index]) * 1e-9
    }
    let period = Double(latency.period) / Double(sink.sampleRate)
    let median = percentile(0.5, delays)
    if getenv("AURIENT_FIGURES") != nil {
      print(
        "latency \(latency): median \(median * 1000) ms = \(median / period) periods, 95 % "
          + "\(percentile(0.95, delays) * 1000) ms, least \((delays.min() ?? 0) * 1000) ms; "
          + "\(count - match.frameCount) of \(count) frames in gaps")
    }
    #expect(median < Double(latency.periodCount) * period + 0.01)
  }

  /// The daemon is killed and started again while the device plays: the loss is seen, and the same scene
  /// is heard again soon after the daemon is back.
  @Test func lossAndReturn() async throws {
    let set = try ShippedSet.kemarAt48000.get()
    let server = try NullSinkServer([Self.stereo])
    let daemon = Task.detached { () throws -> (killed: Int, back: Int, heard: Int) in
      try #require(waitUntil(10) { access(server.path + "/plays", F_OK) == 0 })
      let first = try server.record(Self.stereo)
      try #require(waitUntil(5) { first.samples.contains { $0 != 0 } })
      let killed = monotonicNanoseconds()
      server.stop()
      usleep(1_000_000)
      try server.start()
      let back = monotonicNanoseconds()
      let second = try server.record(Self.stereo)
      try #require(waitUntil(5) { second.samples.contains { $0 != 0 } })
      let heard = monotonicNanoseconds()
      try OutputFile.write([], to: server.path + "/end")
      return (killed, back, heard)
    }
    await #expect(processExitsWith: .success) {
      [
        environment = server.environment as [String: String], path = server.path as String,
        dataSet = set.dataSet as String
      ] in
      try playOnly(environment, latency: .normal)
      func open() throws -> (PlaybackDevice, SoundSource) {
        let device = try PlaybackDevice { _ in dataSet }
        let source = try SoundSource(noise(48_000), looping: true, in: device.context)
        device.play(source)
        return (device, source)
      }
      var playing: (PlaybackDevice, SoundSource)? = try open()
      try OutputFile.write([], to: path + "/plays")
      var watch = DeviceWatch()
      var lost = 0
      let isOver = waitUntil(15) {
        if watch.needsReopening(playing?.0, at: Double(monotonicNanoseconds()) * 1e-9) {
          if lost == 0 { lost = monotonicNanoseconds() }
          playing = nil
          playing = try? open()
        }
        return access(path + "/end", F_OK) == 0
      }
      #expect(isOver && playing?.0.isConnected == true)
      try playing?.0.context.checkErrors()
      try OutputFile.write("\(lost)".utf8, to: path + "/lost")
    }
    let (killed, back, heard) = try await daemon.value
    let text = try InputFile.bytes(path: server.path + "/lost", limit: 100)
    let lost = try #require(Int(String(decoding: text, as: UTF8.self)))
    if getenv("AURIENT_FIGURES") != nil {
      print(
        "loss seen after \((lost - killed) / 1000) µs, heard again \((heard - back) / 1000) µs after"
      )
    }
    #expect(lost > killed && lost - killed < 1_000_000_000)
    #expect(heard - back < 1_000_000_000)
  }

  /// A device whose sink goes is lost; with a newer OpenAL, only if there is no other to go on with.
  @Test func sinksRemoved() async throws {
    let server = try NullSinkServer([Self.stereo, Self.slow])
    let set = try ShippedSet.kemarAt48000.get()
    await #expect(processExitsWith: .success) {
      [environment = server.environment as [String: String], dataSet = set.dataSet as String] in
      try playOnly(environment)
      let device = try PlaybackDevice { _ in dataSet }
      func remove(_ sink: String) throws {
        let modules = "pactl list short modules | grep sink_name=\(sink) | cut -f1"
        #expect(try ChildProgram(["sh", "-c", "pactl unload-module $(\(modules))"]).wait() == 0)
      }
      try remove("stereo")
      if OpenALLibrary.takesFields {
        #expect(!waitUntil(0.3) { !device.isConnected })
        let frame = device.frame
        #expect(waitUntil(2) { device.frame > frame })
        try remove("slow")
      }
      #expect(waitUntil(1) { !device.isConnected })
    }
  }

  @Test func watch() {
    var watch = DeviceWatch()
    let times = [0, 0.01, 0.1, 0.19, 0.21, 0.3, 0.42, 5]
    #expect(
      times.map { watch.needsReopening(nil, at: $0) }
        == [true, false, false, false, true, false, true, true])
  }

  /// Of devices that there are, those of the daemon and no others; the default one is found however late
  /// it was chosen.
  @Test func devicesAreListed() async throws {
    let server = try NullSinkServer([Self.stereo, Self.slow])
    await #expect(processExitsWith: .success) {
      [environment = server.environment as [String: String]] in
      try playOnly(environment)
      let devices = try AudioDevices.list()
      #expect(devices.map(\.name).sorted() == ["slow", "stereo"])
      #expect(devices.filter(\.isDefault).map(\.name) == ["stereo"])
      let choice = try ChildProgram(["pactl", "set-default-sink", "slow"])
      #expect(choice.wait() == 0)
      #expect(
        try waitUntil(2) { try AudioDevices.list().filter(\.isDefault).map(\.name) == ["slow"] })
      let error = #expect(throws: EngineError.self) {
        try PlaybackDevice("loud") { _ in
          Issue.record("asked for a data set without a device")
          return ""
        }
      }
      #expect(error?.code == .device)
      #expect(
        error?.cause.hasPrefix("cannot open the sound device \"loud\"; there are slow, stereo")
          == true)
      // A data set that cannot be had.
      #expect(throws: FileError(.notFound, file: "x", "x")) {
        try PlaybackDevice { _ in throw FileError(.notFound, file: "x", "x") }
      }
      #expect(throws: EngineError.self) { try PlaybackDevice { _ in "no such set" } }
    }
  }

  @Test func noDevice() async {
    await #expect(processExitsWith: .success) {
      try playOnly(["PULSE_SERVER": "unix:/nowhere"])
      unsetenv("ALSOFT_DRIVERS")
      for attempt in [{ _ = try AudioDevices.list() }, { _ = try PlaybackDevice { _ in "" } }] {
        let error = #expect(throws: EngineError.self) { try attempt() }
        #expect(error?.code == .device)
        #expect(error?.cause.contains("'aurient render'") == true)
      }
    }
  }
}

/// Makes this process play to a test's daemon and nowhere else.
func playOnly(_ environment: [String: String], latency: LatencyPreset? = nil) throws {
  // Other tests of the process that started this one may have set it.
  unsetenv("ALSOFT_CONF")
  for (name, value) in environment { setenv(name, value, 1) }
  try OpenALConfiguration.prepare(cache: HRTFCache(folder: convertedFolder), latency: latency)
}
