import Aurient
import CAllocationCount
import Files
import Geometry
import Glibc
import HRTF
import HeadTracking
import Navigation
import SpatialAudio
import Synchronization
import TestSupport
import Testing

/// Sessions whose sound the caller takes.
@Suite struct PulledSessionTests {
  private static let place = SyntheticScene.place

  /// What is pushed with its time sounds as the offline renderer has it from logs, to the bit, however the frames are
  /// pulled: both mix in pieces of 10 ms here.
  @Test(arguments: [480, 96, 4800])
  func soundsAsRenderedFromLogs(framesAtOnce: Int) throws {
    let turns: [SyntheticScene.Turn] = [
      .init(milliseconds: 0), .init(milliseconds: 3000, left: 50, up: 10, rolled: -5),
      .init(milliseconds: 3500, left: -120),
    ]
    let synthetic = SyntheticScene(seconds: 4, turns: turns)
    let sound = try synthetic.sound(noise(count: 4800), sampleRate: 48_000)
    var scene = synthetic.scene(beaconAt: 20, name: "Fountain", sound: sound, hrtf: "SADIE")
    let expected = try rendering(of: scene)

    (scene.track, scene.head, scene.phone) = (nil, nil, nil)
    let session = try AurientSession(pulling: scene, catalogue: testCatalogue)
    #expect(session.sampleRate == expected.sampleRate)
    func phone(_ accuracy: Double) -> PhoneHeading {
      PhoneHeading(
        time: Timestamp(nanoseconds: 0), trueHeading: SyntheticScene.heading,
        headingAccuracy: accuracy)
    }
    try session.pushLocation(LocationFix(coordinate: Self.place), at: 0)
    try session.pushPhone(phone(5), at: 0)
    try session.pushPhone(phone(-1), at: 2.5)
    for milliseconds in stride(from: 0, through: 4000, by: 10) {
      let turn = turns.last { $0.milliseconds <= milliseconds } ?? turns[0]
      let attitude = CoreMotionAngles(
        yaw: 0.7 + radians(degrees: turn.left), pitch: radians(degrees: turn.up),
        roll: radians(degrees: turn.rolled)
      ).quaternion
      try session.pushHead(attitude, at: Double(milliseconds) / 1000)
    }
    var samples: [Float] = []
    while samples.count < expected.samples.count {
      samples += try session.pull(frames: framesAtOnce)
    }
    let isSame = samples.elementsEqual(expected.samples)
    if framesAtOnce == 96 {
      // Mixed in other pieces: OpenAL's fades to new filters are as long as a piece.
      let error = zip(samples, expected.samples).reduce(0.0) { $0 + pow(Double($1.0 - $1.1), 2) }
      let power = expected.samples.reduce(0.0) { $0 + pow(Double($1), 2) }
      #expect(error < 0.003 * power)
    } else {
      #expect(isSame)
    }
    let state = session.state
    #expect(state.tracking == .calibrated && state.beacons.map(\.name) == ["Fountain"])
    #expect(state.beacons[0].geometry == expected.last.beacons[0].geometry)
    #expect(state.frameCount == expected.samples.count / 2 && state.time == 4)
  }

  /// Whatever the other thread has asked for before: inputs, beacons that come, move and go, sounds, ears.
  /// A first session has the runtime make what it makes once in a process: some types, at their first use.
  @Test(.enabled(if: counts_calls())) func pullingNeitherAllocatesNorReleases() throws {
    convertShippedSets()
    for isCounted in [false, true] { try pullThroughAll(isCounted: isCounted) }
  }

  private func pullThroughAll(isCounted: Bool) throws {
    var scene = Scene(
      sound: projectFolder + "/Sounds/mallet.flac", hrtf: "SADIE", sampleRate: 48_000)
    scene.route = projectFolder + "/Examples/walk/tour.gpx"
    var options = AurientSession.Options()
    options.beaconCapacity = 24
    options.headPort = .init(.osc, port: 0)
    let session = try AurientSession(pulling: scene, options: options, catalogue: testCatalogue)
    let output = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * 512)
    defer { output.deallocate() }
    var heapCalls: UInt64 = 0
    func pull() throws {
      let before = heap_call_count()
      for _ in 0..<8 { try session.pull(into: output) }
      heapCalls += heap_call_count() - before
    }
    try pull()
    #expect(!isCounted || heapCalls == 0, "the first sound")
    let longName = "A name that is too long to lie inside a String"
    let steps: [(String, () throws -> Void)] = [
      ("a refused recentring", { try session.recenter(heading: 10) }),
      ("a place", { try session.pushLocation(LocationFix(coordinate: Self.place, course: 10)) }),
      (
        "a magnetic heading",
        {
          try session.pushPhone(
            PhoneHeading(time: Timestamp(nanoseconds: 0), magneticHeading: 20, headingAccuracy: 5))
        }
      ),
      (
        "a far place",
        {
          let far = GeodeticCoordinate(latitude: -33.9, longitude: 18.4)
          try session.pushLocation(LocationFix(coordinate: far))
          try session.pushPhone(
            PhoneHeading(time: Timestamp(nanoseconds: 0), magneticHeading: 20, headingAccuracy: 5))
        }
      ),
      ("a course", { try session.pushCourse(30, accuracy: 5) }),
      ("heads", { for index in 0..<300 { try session.pushHead(yaw: Double(index)) } }),
      (
        "heads to come",
        {
          for index in (0..<300).reversed() {
            try session.pushHead(yaw: 0, at: Double(index) / 100)
          }
        }
      ),
      ("recentring", { try session.recenter() }),
      ("a beacon", { try session.placeBeacon(longName, at: Self.place) }),
      (
        "beacons around",
        {
          for index in 0..<10 {
            try session.placeBeacon("\(index)", bearing: 30 * Double(index), distance: 2)
          }
        }
      ),
      ("a style", { try session.send(.style(name: longName, "wood")) }),
      ("another style", { try session.send(.style(name: longName, "drops")) }),
      (
        "a sound",
        { try session.send(.sound(name: longName, path: projectFolder + "/Sounds/pulse.flac")) }
      ),
      ("a gain", { try session.send(.gain(name: "3", -6)) }),
      ("a muted beacon", { try session.send(.mute(name: "4", true)) }),
      ("words", { try session.say("the door", from: longName) }),
      (
        "more words",
        { for _ in 0..<3 { try session.say("and the window beside it", from: "3") } }
      ),
      ("a volume", { try session.send(.volume(-3)) }),
      ("a place of the route", { try session.send(.route(1)) }),
      ("a move", { try session.placeBeacon(longName, bearing: 90, distance: 1) }),
      ("other ears", { try session.setHRTF("MIT-KEMAR-44100") }),
      ("words for other ears", { try session.say("the door", from: "3") }),
      ("beacons that go", { for index in 0..<10 { try session.removeBeacon("\(index)") } }),
      ("beacons that come again", { try session.placeBeacon("0", bearing: 9, distance: 2) }),
      ("a head that goes", { try session.pushHeadLost() }),
      ("a place that goes", { try session.pushLocationLost() }),
    ]
    for (name, step) in steps {
      try step()
      heapCalls = 0
      try pull()
      #expect(!isCounted || heapCalls == 0, "\(name)")
    }
    #expect(session.state.refusedCount == 1)
  }

  /// Words come from a beacon that is off, one utterance after the other.
  @Test func wordsComeFromTheirBeacon() throws {
    convertShippedSets()
    var scene = Scene(hrtf: "SADIE")
    scene.headReference = .north
    let session = try AurientSession(pulling: scene, catalogue: testCatalogue)
    try session.placeBeacon("Door", bearing: 90, distance: 3)
    try session.send(.mute(name: "Door", true))
    try session.pushHead(yaw: 0)
    for _ in 0..<2 { try session.say("door", from: "Door") }
    let sound = try session.pull(frames: 4 * 48_000)
    #expect(energy(sound, ear: 1, 0..<192_000) > 2 * energy(sound, ear: 0, 0..<192_000))
    let word = try SpeechSynthesizer(sampleRate: 48_000).samples(of: "door").count
    let first = energy(sound, ear: 1, 0..<word)
    #expect(first > 1)
    #expect(abs(energy(sound, ear: 1, word..<2 * word) / first - 1) < 0.1)
    #expect(energy(sound, ear: 1, 2 * word + 1024..<192_000) < 1e-6 * first)
    for _ in 0..<20 { try session.say("door", from: "Door") }
    _ = try session.pull(frames: 100)
    #expect(session.state.refusedCount > 0)
    #expect(throws: SessionError.self) { try session.say("door", from: "Window") }
  }

  /// Both by the place of the sound in the ears: SADIE's KU 100 hears it first where it is.
  @Test func aBeaconIsHeardWhereItIs() throws {
    convertShippedSets()
    var scene = Scene(sound: projectFolder + "/Sounds/pink-burst.flac", hrtf: "SADIE")
    scene.headReference = .north
    let session = try AurientSession(pulling: scene, catalogue: testCatalogue)
    try session.placeBeacon("Door", bearing: 90, distance: 3)
    try session.pushHead(yaw: 0)
    let right = try session.pull(frames: 48_000)
    #expect(energy(right, ear: 1, 0..<48_000) > 4 * energy(right, ear: 0, 0..<48_000))
    // Looking south the door is to the left.
    try session.pushHead(yaw: 180)
    let left = try session.pull(frames: 48_000)
    #expect(energy(left, ear: 0, 4800..<48_000) > 4 * energy(left, ear: 1, 4800..<48_000))
    #expect(session.state.heading == PresentationHeading(degrees: 180, source: .head))
    #expect(abs((session.state.beacons[0].geometry.relative ?? 0) + 90) < 1e-9)
  }

  @Test func tellsWhatCannotBeDone() throws {
    convertShippedSets()
    var options = AurientSession.Options()
    options.beaconCapacity = 2
    let session = try AurientSession(
      pulling: Scene(hrtf: "SADIE"), options: options, catalogue: testCatalogue)
    func code(_ work: () throws -> Void) -> SessionError.Code? {
      do { try work() } catch { return (error as? SessionError)?.code }
      return nil
    }
    try session.placeBeacon("A", at: Self.place)
    try session.placeBeacon("B", at: Self.place)
    #expect(code { try session.placeBeacon("C", at: Self.place) } == .full)
    #expect(code { try session.removeBeacon("C") } == .unknownBeacon)
    #expect(code { try session.send(.route(0)) } == .unavailable)
    #expect(code { try session.placeBeacon("A", bearing: .nan, distance: 1) } == .invalid)
    #expect(code { try session.pushHead(yaw: .nan) } == .invalid)
    #expect(code { try session.pushHead(Quaternion(x: 0, y: 0, z: 0, w: 0)) } == .invalid)
    #expect(code { try session.pushHead(yaw: 0, at: 1e5) } == .invalid)
    #expect(throws: FileError.self) { try session.send(.style(name: "A", "stone")) }
    #expect(throws: EngineError.self) { try session.setHRTF("nobody") }
    // Nothing has changed.
    _ = try session.pull(frames: 512)
    #expect(session.state.beacons.map(\.name) == ["A", "B"])
    try session.removeBeacon("A")
    #expect(session.state.beacons.map(\.name) == ["B"])
    try session.placeBeacon("A", at: Self.place)
    _ = try session.pull(frames: 512)
    #expect(session.state.beacons.map(\.name) == ["B", "A"])
    for _ in 0..<1024 { try session.pushHead(yaw: 1) }
    #expect(code { try session.pushHead(yaw: 1) } == .full)
    _ = try session.pull(frames: 1)
    try session.pushHead(yaw: 1)
    var odd: [Float] = [0, 0, 0]
    #expect(throws: AurientSession.PullError.oddCount) {
      try odd.withUnsafeMutableBufferPointer { try session.pull(into: $0) }
    }
    session.close()
    #expect(throws: AurientSession.PullError.unavailable) { try session.pull(frames: 1) }
    #expect(code { try session.pushHead(yaw: 1) } == .unavailable)
    #expect(code { try session.placeBeacon("D", at: Self.place) } == .unavailable)
  }

  private final class Pushed: Sendable {
    let count = Atomic(0)
    let finished = Atomic(0)
  }

  /// Threads that push, place, remove and look while one pulls.
  @Test func isUsedByManyThreads() async throws {
    convertShippedSets()
    let session = try AurientSession(
      pulling: Scene(sound: projectFolder + "/Sounds/pulse.flac", hrtf: "SADIE"),
      catalogue: testCatalogue)
    let pushed = Pushed()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        while pushed.finished.load(ordering: .acquiring) < 3 { _ = try session.pull(frames: 64) }
      }
      for worker in 0..<3 {
        group.addTask {
          defer { pushed.finished.add(1, ordering: .releasing) }
          for index in 0..<100 {
            try session.placeBeacon("\(worker)", bearing: Double(index), distance: 2)
            if (try? session.pushHead(yaw: Double(index % 360))) != nil {
              pushed.count.add(1, ordering: .relaxed)
            }
            #expect(session.state.beacons.count <= 3)
            try session.removeBeacon("\(worker)")
          }
        }
      }
      try await group.waitForAll()
    }
    _ = try session.pull(frames: 512)
    #expect(session.state.beacons.isEmpty && pushed.count.load(ordering: .relaxed) > 0)
  }

  @Test func statesComeAsASequence() async throws {
    convertShippedSets()
    let session = try AurientSession(pulling: Scene(hrtf: "SADIE"), catalogue: testCatalogue)
    try session.placeBeacon("Door", bearing: 45, distance: 3)
    _ = try session.pull(frames: 480)
    var times: [Double] = []
    for await state in session.states(every: 0.002) {
      times.append(state.time)
      #expect(state.beacons.map(\.name) == ["Door"])
      if times.count == 3 { session.close() } else { _ = try session.pull(frames: 480) }
    }
    #expect(times == [0.01, 0.02, 0.03])
  }
}
