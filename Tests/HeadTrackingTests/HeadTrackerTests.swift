import Files
import Geometry
import HeadTracking
import Testing

@Suite struct HeadTrackerTests {
  enum Event: CaseIterable {
    case available, unavailable, start, stop, connect, disconnect, frame, late
  }

  static func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(nanoseconds: milliseconds * 1_000_000)
  }

  @discardableResult
  static func frame(_ tracker: inout HeadTracker, at milliseconds: Int64) -> HeadPose {
    tracker.update(
      MotionFrame(time: time(milliseconds), attitude: .identity),
      phoneHeading: .init(time: time(milliseconds), direction: 190), course: nil)
  }

  /// A tracker in that status; a calibrated one after its frame at 8000 ms.
  static func tracker(
    _ status: HeadTrackerStatus, _ calibrator: CalibratorName = .classic
  ) -> HeadTracker {
    var tracker = HeadTracker(calibrator: calibrator)
    if status == .unavailable { return tracker }
    tracker.becomeAvailable()
    if status == .inactive { return tracker }
    tracker.start()
    if status == .disconnected { return tracker }
    tracker.connect()
    if status == .connected { return tracker }
    for index in 0...200 { frame(&tracker, at: Int64(index) * 40) }
    return tracker
  }

  static func apply(_ event: Event, to tracker: inout HeadTracker) {
    switch event {
    case .available: tracker.becomeAvailable()
    case .unavailable: tracker.becomeUnavailable()
    case .start: tracker.start()
    case .stop: tracker.stop()
    case .connect: tracker.connect()
    case .disconnect: tracker.disconnect()
    case .frame: frame(&tracker, at: 8040)
    case .late: frame(&tracker, at: 10_001)
    }
  }

  /// The status after each event, in the order of `Event`.
  static let transitions: [(HeadTrackerStatus, [HeadTrackerStatus])] = [
    (
      .unavailable,
      [
        .inactive, .unavailable, .unavailable, .unavailable, .unavailable, .unavailable,
        .unavailable, .unavailable,
      ]
    ),
    (
      .inactive,
      [
        .inactive, .unavailable, .disconnected, .inactive, .inactive, .inactive, .inactive,
        .inactive,
      ]
    ),
    (
      .disconnected,
      [
        .disconnected, .unavailable, .disconnected, .inactive, .connected, .disconnected,
        .disconnected, .disconnected,
      ]
    ),
    (
      .connected,
      [
        .connected, .unavailable, .connected, .inactive, .connected, .disconnected, .connected,
        .connected,
      ]
    ),
    (
      .calibrated,
      [
        .calibrated, .unavailable, .calibrated, .inactive, .connected, .disconnected, .calibrated,
        .connected,
      ]
    ),
  ]

  @Test(arguments: transitions)
  func everyEventInEveryStatus(_ status: HeadTrackerStatus, _ after: [HeadTrackerStatus]) {
    for (event, expected) in zip(Event.allCases, after) {
      var tracker = Self.tracker(status)
      #expect(tracker.status == status)
      Self.apply(event, to: &tracker)
      #expect(tracker.status == expected, "\(event)")
    }
    #expect(after.count == Event.allCases.count)
    #expect(Self.transitions.map(\.0) == HeadTrackerStatus.allCases)
  }

  /// Whatever ends a connection costs the calibration: 201 frames pass again before the next offset.
  @Test(arguments: [
    [Event.unavailable, .available, .start, .connect], [.stop, .start, .connect],
    [.disconnect, .connect], [.connect], [.late],
  ]) func aNewConnectionStartsAnew(_ events: [Event]) {
    var tracker = Self.tracker(.calibrated)
    for event in events { Self.apply(event, to: &tracker) }
    #expect(tracker.status == .connected)
    let alreadyTaken = events == [.late] ? 1 : 0
    for index in alreadyTaken..<200 {
      let pose = Self.frame(&tracker, at: 10_001 + Int64(index) * 40)
      #expect(pose.offset == nil && pose.heading == nil && pose.attitude == nil)
      #expect(pose.status == .connected)
    }
    #expect(Self.frame(&tracker, at: 18_001).status == .calibrated)
  }

  /// A gap resets when it is longer than two seconds, in the middle of a window too.
  @Test(arguments: [(2000, 200), (2001, 300)]) func aGapResets(_ gap: Int64, _ firstHeaded: Int) {
    var tracker = Self.tracker(.connected)
    var headed: Int?
    for index in 0...400 where headed == nil {
      let late = index >= 100 ? gap - 40 : 0
      let pose = Self.frame(&tracker, at: Int64(index) * 40 + late)
      if pose.heading != nil { headed = index }
    }
    #expect(headed == firstHeaded)
  }

  @Test func framesBeforeAConnectionCalibrateNothing() {
    var tracker = Self.tracker(.disconnected)
    for index in 0...500 {
      let pose = Self.frame(&tracker, at: Int64(index) * 40)
      #expect(pose.status == .disconnected && pose.offset == nil)
    }
    tracker.connect()
    #expect(Self.frame(&tracker, at: 30_000).offset == nil)
  }

  /// A head whose yaw reads 90° left of the phone's heading: the nose points there in the world, and
  /// pitch and roll stay.
  @Test func thePoseLiesInTheWorld() throws {
    var tracker = Self.tracker(.connected)
    var pose: HeadPose?
    let angles = CoreMotionAngles(yaw: 0.4, pitch: 0.3, roll: -0.2)
    for index in 0...200 {
      pose = tracker.update(
        MotionFrame(time: Self.time(Int64(index) * 40), attitude: angles.quaternion),
        phoneHeading: .init(time: Self.time(Int64(index) * 40), direction: 300), course: nil)
    }
    let attitude = try #require(pose?.attitude)
    let heading = try #require(pose?.heading)
    #expect(abs(heading - 300) < 1e-9)
    let world = CoreMotionAngles(attitude)
    #expect(abs(signedDegrees(-degrees(radians: world.yaw) - 300)) < 1e-9)
    #expect(abs(world.pitch - 0.3) < 1e-12)
    #expect(abs(world.roll + 0.2) < 1e-12)
  }

  /// What the head looks at when recentred lies ahead, level, whatever its attitude was then; turned
  /// 30° right of it, it heads 30° further.
  @Test(arguments: [0.0, 90, 350]) func recentersByHand(_ heading: Double) throws {
    var tracker = Self.tracker(.connected)
    let inclined = CoreMotionAngles(yaw: 1, pitch: 0.3, roll: 0.2).quaternion
    func pose(_ attitude: Quaternion, at seconds: Int64) -> HeadPose {
      tracker.update(
        MotionFrame(time: Self.time(1000 * seconds), attitude: attitude),
        phoneHeading: .init(time: Self.time(1000 * seconds), direction: 77), course: nil)
    }
    #expect(pose(inclined, at: 0).heading == nil)
    let isRecentered = tracker.recenter(heading: heading)
    #expect(isRecentered)
    #expect(tracker.status == .calibrated)
    let ahead = pose(inclined, at: 1)
    #expect(abs(signedDegrees(try #require(ahead.heading) - heading)) < 1e-9)
    let level = CoreMotionAngles(try #require(ahead.attitude))
    #expect(abs(level.pitch) < 1e-9 && abs(level.roll) < 1e-9)
    let right = CoreMotionAngles(yaw: -.pi / 6, pitch: 0, roll: 0).quaternion
    let turned = pose(inclined * right, at: 2)
    #expect(abs(signedDegrees(try #require(turned.heading) - heading - 30)) < 1e-9)
    #expect(try #require(turned.uncertainty) > (try #require(ahead.uncertainty)))
    // A new connection has another zero.
    tracker.connect()
    #expect(pose(inclined, at: 3).heading == nil)
  }

  @Test(arguments: [HeadTrackerStatus.unavailable, .inactive, .disconnected, .connected])
  func thereIsNothingToRecenterOnWithoutAFrame(_ status: HeadTrackerStatus) {
    var tracker = Self.tracker(status)
    Self.frame(&tracker, at: 0)
    let isRecentered = [tracker.recenter(), tracker.recenter(heading: .nan)]
    #expect(isRecentered == [status == .connected, false])
  }

  /// A head at a desk that mostly looks ahead, with a drifting zero and no reference at all.
  @Test(arguments: [true, false]) func recentersByItself(_ isAutomatic: Bool) throws {
    let desk = SimulatedWalk(
      seconds: 180, drift: 2, glances: 10, phoneBias: { _ in nil }, hasCourse: { _ in false })
    let frames = desk.track(
      HeadTracker(isRecenteringAutomatically: isAutomatic), seed: 5, withoutReferences: true)
    guard isAutomatic else {
      #expect(frames.errors.isEmpty)
      return
    }
    let first = try #require(frames.errors.first)
    #expect(first.frame.seconds < 10)
    // Where the body faces is ahead there.
    let late = frames.filter { $0.seconds > 30 }
    for frame in late {
      let heading = try #require(frame.pose.heading)
      #expect(abs(signedDegrees(heading - (frame.truth - frame.body))) < 15)
    }
  }

  @Test(arguments: CalibratorName.allCases) func aLostHeadHasNoHeading(_ name: CalibratorName) {
    for event in [Event.disconnect, .stop, .unavailable] {
      var tracker = Self.tracker(.calibrated, name)
      #expect(tracker.status == .calibrated)
      Self.apply(event, to: &tracker)
      let pose = Self.frame(&tracker, at: 8040)
      #expect(pose.heading == nil && pose.attitude == nil && pose.uncertainty == nil)
    }
  }

  @Test(arguments: [Double.nan, .infinity]) func aYawThatIsNoNumberHasNoHeading(_ yaw: Double) {
    var tracker = Self.tracker(.calibrated)
    let frame = MotionFrame(time: Self.time(8040), attitude: .identity, yaw: yaw)
    let pose = tracker.update(frame, phoneHeading: nil, course: nil)
    #expect(pose.heading == nil && pose.attitude == nil)
    #expect(Self.frame(&tracker, at: 8080).heading != nil)
  }
}
