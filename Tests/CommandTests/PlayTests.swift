import Files
import Glibc
import TestSupport
import Testing

/// `aurient play` to a PulseAudio daemon of the test's own, by what the monitor of its sink gives and what
/// the program tells.
@Suite(.serialized) struct PlayTests {
  private static let sink = NullSinkServer.Sink("sink", sampleRate: 48_000)
  private static let walk = "\(projectFolder)/Examples/walk/scene.json"

  /// Renders a record with the program.
  private func render(_ record: String, to file: String) throws -> [Float] {
    let result = try start("render '\(record)' -o '\(file)'")
    try #require(result.code == 0 && result.error == "", "\(result.error)")
    return try renderedSamples(file)
  }

  /// Level, and differences between the ears with it, are those of the offline rendering, since every
  /// sample is.
  @Test(arguments: [
    ("", 2), (" --style wood --yaw-only", 2),
    (" --route \(projectFolder)/Examples/walk/tour.gpx --gain -10 --callouts 5", 5),
  ])
  func aWalkIsRenderedAgain(options: String, seconds: Int) throws {
    let server = try NullSinkServer([Self.sink])
    let recording = try server.record(Self.sink)
    let record = server.path + "/record"
    let session = try PlayedSession(
      "\(Self.walk) --quiet --latency safe --duration \(seconds) --record \(record)\(options)",
      on: server)
    #expect(session.wait() == 0)
    #expect(session.output == "" && session.error == "")
    usleep(100_000)
    let rendered = try render(record, to: server.path + "/again.wav")
    let match = RecordingMatch(channels(recording.stop()), rendered)
    #expect(match.worst < 1e-6, "from frame \(match.fault ?? 0)")
    let bytes = try InputFile.bytes(path: record + "/inputs.csv", limit: 1 << 24)
    let inputs = String(decoding: bytes, as: UTF8.self)
    let first = try #require(inputs.split(separator: "\n")[1].split(separator: ",").first)
    let begin = try #require(Int(first))
    // The device mixes some frames before the scene begins, and others ahead of what has come out.
    let length = rendered.count / 2 - begin
    #expect(abs(length - seconds * 48_000) < 9600, "\(length) from frame \(begin)")
    #expect(match.frameCount > (seconds - 1) * 48_000, "\(match.frameCount) frames")
    let isSaid = inputs.contains(",say,")
    #expect(isSaid == options.contains("--callouts"))
  }

  /// The head turns about by OSC, in one step, several times.
  @Test func turnsOfTheHead() async throws {
    let server = try NullSinkServer([Self.sink])
    let (head, places) = (try Sender(), try Sender())
    let recording = try server.record(Self.sink)
    let clock = RecordingClock(recording, Self.sink)
    let record = server.path + "/record"
    let session = try PlayedSession(
      "--osc \(head.port) --nmea udp:\(places.port) --beacon 51.5,-0.0016,Tone --sound "
        + "\(try toneFile(in: server.path)) --latency normal --record \(record) --json --every 0.05",
      on: server)
    var yaw: Float = 0
    var count = 0
    func send(_ step: Int) {
      if step % 50 == 0 { places.send(recommendedMinimum(count / 100 % 60, course: nil)) }
      if step % 3 == 0 { head.send("/phone/heading", [0, 1]) }
      head.send("/ypr", [yaw, 0, 0])
      count += 1
    }
    let isCalibrated = session.waits(15, for: { $0.heading_source == "head" }, doing: send)
    try #require(isCalibrated, "\(session.output.suffix(500))")
    var times: [Double] = []
    for _ in 0..<6 {
      for step in 0..<20 + Int.random(in: 0...5) {
        send(step)
        usleep(UInt32.random(in: 8000...12_000))
      }
      yaw = yaw == 0 ? 180 : 0
      times.append(Double(monotonicNanoseconds()) * 1e-9)
      send(1)
    }
    for step in 0..<25 {
      send(step)
      usleep(10_000)
    }
    #expect(session.end() == 0)
    #expect(session.error == "")
    usleep(100_000)
    let origin = await clock.stop()
    let recorded = channels(recording.stop())
    let match = RecordingMatch(recorded, try render(record, to: server.path + "/again.wav"))
    #expect(match.worst < 1e-6, "from frame \(match.fault ?? 0)")

    let reader = try CSVReader(path: record + "/inputs.csv")
    var turns: [Int] = []
    var lastYaw: Double?
    while try reader.next() {
      guard reader.text(3) == "head" else { continue }
      let yaw = try reader.requiredNumber(8)
      if let lastYaw, abs(yaw - lastYaw) > 1 { turns.append(Int(try reader.requiredNumber(0))) }
      lastYaw = yaw
    }
    try #require(turns.count == times.count)
    let latencies = zip(turns, times).map { origin + Double(match.start + $0) / 48_000 - $1 }
      .sorted()
    let delays = try session.states().compactMap(\.listener_delay_s).sorted()
    if getenv("AURIENT_FIGURES") != nil {
      print(
        "from packet to monitor: median \(latencies[3] * 1000) ms, longest \(latencies[5] * 1000) ms; "
          + "to the listener: median \(delays[delays.count / 2] * 1e6) µs")
    }
    // Three periods of 512 frames, and what a loaded machine may need.
    #expect(latencies[3] > 0 && latencies[3] < 0.1, "\(latencies)")
    // The beacon goes from one side to the other: steps from sample to sample are the tone's own, but for
    // Doppler's shift.
    var (own, around) = (Float(0), Float(0))
    let first = match.start + turns[0] - 12_000
    let last = match.start + turns[5] + 9600
    var isNear = [Bool](repeating: false, count: last)
    for turn in turns {
      for frame in match.start + turn..<match.start + turn + 9600 { isNear[frame] = true }
    }
    for channel in recorded {
      for frame in first..<min(channel.count, last) where channel[frame] * channel[frame - 1] != 0 {
        let step = abs(channel[frame] - channel[frame - 1])
        if isNear[frame] { around = max(around, step) } else { own = max(own, step) }
      }
    }
    if getenv("AURIENT_FIGURES") != nil { print("steps: \(around) where the tone's own is \(own)") }
    #expect(own > 0.001 && around <= 1.05 * own, "\(around), \(own)")
  }

  /// A beacon within arm's reach, which the listener passes: through the data sets of several distances.
  @Test func aNearBeaconIsRenderedAgain() throws {
    let server = try NullSinkServer([Self.sink])
    let places = try Sender()
    let recording = try server.record(Self.sink)
    let record = server.path + "/record"
    try #require(convert("SADIE --near-field"))
    // 0.4 m north of where the listener passes.
    let session = try PlayedSession(
      "--nmea udp:\(places.port) --beacon 51.5000036,0 --near-field --gain -20 --latency safe --sound "
        + "\(try noiseFile(in: server.path)) --record \(record) --json --every 0.05", on: server)
    var second = 0
    let isNear = session.waits(15, for: { $0.beacons[0].distance_m ?? 9 < 0.5 }) { step in
      guard step % 20 == 0 else { return }
      // From 3.5 m in the east, 0.35 m a time.
      let minutesWest = Double(max(0, 10 - second)) * 0.0003
      places.send(recommendedMinimum(second, minutesWest: minutesWest, course: 90))
      second += 1
    }
    #expect(isNear)
    #expect(session.waits(0.5, for: { _ in false }) == false)
    #expect(session.end() == 0)
    #expect(session.error == "")
    usleep(100_000)
    let match = RecordingMatch(
      channels(recording.stop()), try render(record, to: server.path + "/again.wav"))
    #expect(match.worst < 1e-6, "from frame \(match.fault ?? 0)")
    #expect(match.frameCount > 48_000)
  }

  /// All kinds of live readings, each of which counts as long as it is fresh.
  @Test func readingsComeAndGo() throws {
    let server = try NullSinkServer([Self.sink])
    let (head, places) = (try Sender(), try Sender())
    let recording = try server.record(Self.sink)
    // North of the listener, who goes east: on the left.
    let session = try PlayedSession(
      "--osc \(head.port) --nmea udp:\(places.port) --beacon 51.51,0,Noise --sound "
        + "\(try noiseFile(in: server.path)) --latency safe --json --every 0.05", on: server)
    var second = 0
    func walk(_ step: Int) {
      guard step % 20 == 0 else { return }
      places.send(recommendedMinimum(second, course: 90))
      second += 1
    }
    #expect(session.waits(5, for: { $0.heading_source == "course" }, doing: walk))
    #expect(session.waits(1.3, for: { _ in false }, doing: walk) == false)
    var state = try #require(session.state)
    #expect(state.heading_deg == 90 && !state.dimmed && !state.location_stale)
    #expect(try abs(#require(state.latitude) - 51.5) < 1e-9 && state.longitude == 0)
    let beacon = state.beacons[0]
    #expect(
      try abs(#require(beacon.bearing_deg)) < 0.01 && abs(#require(beacon.relative_deg) + 90) < 0.01
    )
    let peak = state.peak
    // A whole loop.
    let loud = channels(recording.samples.suffix(2 * 48_000))
    // Nothing comes any more: held and dimmed once the course is 3 s old.
    #expect(session.waits(1.5, for: { $0.dimmed }) == false)
    #expect(session.waits(4, for: { $0.dimmed }))
    state = try #require(session.state)
    #expect(state.heading_source == nil && state.heading_deg == nil)
    #expect(try 3...4 ~= #require(state.ages_s.course))
    #expect(state.beacons[0].relative_deg == nil)
    #expect(state.beacons[0].bearing_deg == beacon.bearing_deg)
    #expect(session.waits(1.2, for: { _ in false }) == false)
    state = try #require(session.state)
    #expect(abs(state.peak / peak - 0.4) < 0.02)
    let soft = channels(recording.samples.suffix(2 * 48_000))
    let levels = (loud: loud.map(level), soft: soft.map(level))
    #expect(levels.loud[0] > levels.loud[1] + 3)
    for ear in 0..<2 {
      // 0.4, in decibels.
      #expect(abs(levels.soft[ear] - levels.loud[ear] + 7.96) < 0.3, "\(levels)")
    }
    // The phone alone is a heading; one that is not valid is none at once.
    #expect(
      session.waits(3, for: { $0.heading_source == "phone" }) { _ in
        head.send("/phone/heading", [270, 5])
      })
    #expect(session.state?.heading_deg == 270 && session.state?.dimmed == false)
    head.send("/phone/heading", [270, -1])
    #expect(session.waits(1, for: { $0.dimmed }))
    #expect(session.end() == 0)
    #expect(session.error == "")
  }

  /// Root mean square, decibels, without the gaps that a slow machine makes.
  private func level(_ samples: [Float]) -> Double {
    let heard = samples.filter { $0 != 0 }
    let sum = heard.reduce(0.0) { $0 + Double($1) * Double($1) }
    return 10 * log10(sum / Double(max(1, heard.count)))
  }

  @Test(
    .enabled(if: access("/usr/bin/gpsfake", X_OK) == 0 && access("/usr/sbin/gpsd", X_OK) == 0))
  func placesFromGpsd() throws {
    let server = try NullSinkServer([Self.sink])
    let port = try Sender().port
    let session = try PlayedSession(
      "--gpsd localhost:\(port) --beacon 51.4764,-0.0031,Fountain --json --every 0.05", on: server)
    // Before there is one, that is told, and it is waited for.
    let isWaiting = session.waits(
      5,
      for: {
        $0.location_trouble != nil && $0.dimmed && $0.beacons[0].distance_m == nil
      })
    #expect(isWaiting)
    let gpsd = try ChildProgram([
      "gpsfake", "-q", "-c", "0.05", "-P", "\(port)", projectFolder + "/Examples/walk/walk.nmea",
    ])
    #expect(session.waits(15, for: { $0.heading_source == "course" }))
    let state = try #require(session.state)
    // In the park where the walk is.
    #expect(try abs(#require(state.latitude) - 51.478) < 0.01)
    #expect(try 100...300 ~= #require(state.beacons[0].distance_m))
    #expect(state.location_trouble == nil && !state.location_stale)
    gpsd.kill()
    #expect(session.waits(5, for: { $0.location_trouble != nil && $0.dimmed }))
    #expect(session.end() == 0)
  }

  @Test func theDaemonIsKilledAndComesBack() throws {
    let server = try NullSinkServer([Self.sink])
    let record = server.path + "/record"
    let session = try PlayedSession(
      "--beacon 51.5,0,Noise --sound \(try noiseFile(in: server.path)) --json --every 0.05 "
        + "--record \(record)", on: server)
    #expect(session.waits(5, for: { $0.time_s > 0.5 }))
    server.stop()
    #expect(session.waits(2, for: { !$0.playing }))
    usleep(500_000)
    try server.start()
    let back = monotonicNanoseconds()
    let recording = try server.record(Self.sink)
    #expect(waitUntil(5) { recording.samples.contains { $0 != 0 } })
    #expect(monotonicNanoseconds() - back < 1_000_000_000)
    #expect(session.waits(2, for: { $0.playing && $0.reopenings == 1 }))
    usleep(700_000)
    let recorded = recording.stop()
    #expect(session.end() == 0)
    #expect(session.error == "")
    #expect(try session.states().allSatisfy { $0.reopenings <= 1 })

    // The record has the silence, and after it what was heard.
    let rendered = try render(record, to: server.path + "/again.wav")
    let duration = try #require(session.states().last).time_s
    #expect(abs(Double(rendered.count) / 2 / 48_000 - duration) < 0.4)
    let piece = Array(recorded[(recorded.count / 4 * 2 - 4800)...].prefix(4096))
    try #require(piece.contains { $0 != 0 })
    let isThere = stride(from: 0, to: rendered.count - piece.count, by: 2).contains { start in
      piece.indices.allSatisfy { abs(piece[$0] - rendered[start + $0]) < 1e-6 }
    }
    #expect(isThere)
  }
}
