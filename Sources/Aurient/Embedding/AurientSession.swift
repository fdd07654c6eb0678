import Files
public import Geometry
import Glibc
import HRTF
public import HeadTracking
public import Navigation
import SpatialAudio
import Synchronization

/// A scene of beacons around one listener, for programs that embed it: opened, told how the listener moves, and
/// heard.
///
/// Of a pulled session the caller takes the sound, with `pull`; its clock is what has been pulled, and the same calls
/// give the same samples unless a port is listened to. A live one plays on a device, on a thread of its own.
///
/// Any thread may call anything at any time. `pull`, and in a pulled session what is named `push`, neither locks nor
/// allocates nor waits for other calls: it may be called where sound must not be late. (What a process does for the
/// first time has Swift's runtime make some types, which are kept: a session before it, pulled once, sees to that.) All else may lock, allocate
/// and read files. Of an error nothing has changed. A session ends with its last reference, or by `close`.
public final class AurientSession: Sendable {
  /// Frames a second. Of a live session it may change when its device comes back.
  public var sampleRate: Int {
    switch engine {
    case .pulled(let pulled): pulled.sampleRate
    case .live(let player): player.sampleRate
    }
  }

  /// The UDP port that heads are listened to on; nil for none.
  public let port: UInt16?

  private enum Engine: Sendable {
    case pulled(PulledSession)
    case live(LivePlayer)
  }

  /// What makes commands ready, and the numbers by which the board knows beacons. A live session makes them ready
  /// itself; here their names are known, so that what cannot be done is said at once.
  private enum Control: Sendable {
    case pulled(SceneEditor, BeaconNumbers)
    case live(BeaconNames)
  }

  private let engine: Engine
  private let catalogue: HRTFCatalogue
  private let scene: Scene
  private let capacity: Int
  private let control: Mutex<Control>
  /// Who speaks, once something has been said.
  private let synthesizer = Mutex<SpeechSynthesizer?>(nil)
  /// Held by who looks at the state.
  private let reading = Mutex(())
  private let isClosed = Atomic(false)

  /// Seconds that an input may lie ahead.
  private static let farthestAhead = 3600.0

  /// Opens a session whose sound the caller takes.
  ///
  /// - Parameter scene: The scene; its logs are not read. Its `sampleRate`, or else the data set's own, is the rate
  ///   of the sound.
  /// - Throws: `FileError`, `EngineError` for what cannot be used; `MotionSourceError`, `LocationSourceError` for a
  ///   port or receiver that cannot be listened to.
  public convenience init(
    pulling scene: Scene = Scene(), options: Options = Options(),
    catalogue: HRTFCatalogue = HRTFCatalogue()
  ) throws {
    let selection = try catalogue.select(
      scene.hrtf, sampleRate: scene.sampleRate, fitting: scene.fitting)
    let inputs = try options.inputs()
    let port = inputs.headPort
    let capacity = max(1, min(options.beaconCapacity, Session.mostBeacons))
    let pulled = try OpenALContext.leavingThreadAsItWas {
      try PulledSession(
        scene, selection, sampleRate: scene.sampleRate ?? selection.sampleRate ?? 48_000,
        inputs: inputs, limits: options.limits, capacity: capacity)
    }
    let numbers = BeaconNumbers(count: pulled.editor.names.count)
    self.init(
      .pulled(pulled), scene, .pulled(pulled.editor, numbers), port: port, capacity: capacity,
      catalogue)
  }

  /// Opens a session that plays on a device. Logs of the scene are played as they were recorded, and it ends with
  /// them.
  ///
  /// - Throws: As `init(pulling:)` does, and `EngineError` if there is no device.
  public convenience init(
    playing scene: Scene = Scene(), options: Options = Options(),
    catalogue: HRTFCatalogue = HRTFCatalogue()
  ) throws {
    let inputs = try options.inputs(playing: scene)
    let port = inputs.headPort
    let player = try LivePlayer(scene, inputs: inputs, options: options, catalogue: catalogue)
    let (beacons, route) = try scene.placedBeacons()
    let names = BeaconNames(
      beacons, routeCount: route?.route.beacons.count ?? 0, capacity: Session.mostBeacons)
    self.init(
      .live(player), scene, .live(names), port: port, capacity: Session.mostBeacons, catalogue)
  }

  private init(
    _ engine: Engine, _ scene: Scene, _ control: Control, port: UInt16?, capacity: Int,
    _ catalogue: HRTFCatalogue
  ) {
    self.engine = engine
    self.scene = scene
    self.port = port
    self.capacity = capacity
    self.catalogue = catalogue
    self.control = Mutex(control)
  }

  deinit { close() }

  /// Ends the session; waits until a live one has stopped to play, and has written its record. Later calls throw
  /// `SessionError.Code.unavailable`.
  public func close() {
    isClosed.store(true, ordering: .releasing)
    if case .live(let player) = engine { player.stop() }
  }

  // MARK: Sound

  /// Renders the next frames of a pulled session.
  ///
  /// - Parameter output: Gets left and right samples by turns; full scale is 1, which loud scenes may go beyond.
  /// - Throws: `PullError`; nothing is written then.
  public func pull(into output: UnsafeMutableBufferPointer<Float>) throws(PullError) {
    guard case .pulled(let pulled) = engine, !isClosed.load(ordering: .acquiring) else {
      throw .unavailable
    }
    guard output.count.isMultiple(of: 2) else { throw .oddCount }
    guard pulled.pull(into: output) else { throw .busy }
  }

  /// Renders the next frames of a pulled session, into memory of its own.
  public func pull(frames: Int) throws(PullError) -> [Float] {
    var samples = [Float](repeating: 0, count: 2 * max(0, frames))
    try samples.withUnsafeMutableBufferPointer { output throws(PullError) in
      try pull(into: output)
    }
    return samples
  }

  /// Why no sound was pulled.
  public enum PullError: Error, Equatable, Sendable {
    /// Another thread pulls just now.
    case busy
    /// The session is live, or closed.
    case unavailable
    /// The samples are no whole number of frames.
    case oddCount
  }
}

extension AurientSession {
  // MARK: The listener

  /// Takes the head's attitude: body x right, y ahead, z up, against a frame whose z is up and whose yaw has the zero
  /// that `Scene.headReference` says.
  ///
  /// - Parameter time: By the session's clock, seconds, up to an hour ahead; nil or one that has passed for the next
  ///   frame. A live session takes it at once.
  /// - Throws: `SessionError` for a quaternion whose length is not between 0.5 and 2, and when 1024 inputs wait.
  public func pushHead(_ attitude: Quaternion, at time: Double? = nil) throws(SessionError) {
    guard
      let attitude = Quaternion(normalizing: attitude.x, attitude.y, attitude.z, attitude.w)
    else { throw SessionError(.invalid, "no attitude: the quaternion's length is not 1") }
    try push(.head(MotionFrame(time: Timestamp(nanoseconds: 0), attitude: attitude)), at: time)
  }

  /// Takes the head's attitude: turned right by `yaw`, then up by `pitch` about the axis through its ears, then its
  /// right ear down by `roll` about that through its nose; degrees, −360 to 360.
  ///
  /// - Throws: `SessionError` for other angles, and when 1024 inputs wait.
  public func pushHead(
    yaw: Double, pitch: Double = 0, roll: Double = 0, at time: Double? = nil
  ) throws(SessionError) {
    guard abs(yaw) <= 360, abs(pitch) <= 360, abs(roll) <= 360 else {
      throw SessionError(.invalid, "no attitude: an angle is not between -360 and 360")
    }
    let angles = CoreMotionAngles(
      yaw: radians(degrees: -yaw), pitch: radians(degrees: pitch), roll: radians(degrees: roll))
    try pushHead(angles.quaternion, at: time)
  }

  /// Takes that the headphones have gone; the next frame begins another connection.
  public func pushHeadLost(at time: Double? = nil) throws(SessionError) {
    try push(.headLost, at: time)
  }

  /// Takes a reading of a phone's compass, which counts for `UserReadings.Limits.phone`; its own time does not count.
  ///
  /// - Throws: `SessionError` for headings beyond −360 to 360, and when 1024 inputs wait.
  public func pushPhone(_ heading: PhoneHeading, at time: Double? = nil) throws(SessionError) {
    for value in [heading.trueHeading, heading.magneticHeading, heading.headingAccuracy] {
      guard abs(value ?? 0) <= 360 else {
        throw SessionError(.invalid, "no heading of a phone: not between -360 and 360")
      }
    }
    try push(.phone(heading), at: time)
  }

  /// Takes a place, with a course where there is one.
  ///
  /// - Throws: `SessionError` for what is no place on Earth or no course, and when 1024 inputs wait.
  public func pushLocation(_ fix: LocationFix, at time: Double? = nil) throws(SessionError) {
    guard fix.coordinate.isValid, abs(fix.course ?? 0) <= 360, abs(fix.courseAccuracy ?? 0) <= 180
    else { throw SessionError(.invalid, "no place on Earth, or no course") }
    var fix = fix
    fix.course = fix.course.map(positiveDegrees)
    try push(.fix(fix), at: time)
  }

  /// Takes a direction of travel, degrees, and its uncertainty; it counts for `UserReadings.Limits.course`. Nil says
  /// that there is none any more.
  ///
  /// - Throws: `SessionError` for what is no course, and when 1024 inputs wait.
  public func pushCourse(
    _ course: Double?, accuracy: Double? = nil, at time: Double? = nil
  ) throws(SessionError) {
    guard abs(course ?? 0) <= 360, abs(accuracy ?? 0) <= 180 else {
      throw SessionError(.invalid, "no course: not between -360 and 360")
    }
    try push(.course(course.map(positiveDegrees), accuracy: accuracy), at: time)
  }

  /// Takes that the place is not known any more.
  public func pushLocationLost(at time: Double? = nil) throws(SessionError) {
    try push(.noFix, at: time)
  }

  private func push(_ input: SessionInput, at time: Double?) throws(SessionError) {
    if let time {
      guard time.isFinite, time >= 0, time <= 1e9 else {
        throw SessionError(.invalid, "no time of a session")
      }
    }
    guard !isClosed.load(ordering: .acquiring) else { throw Self.closed }
    switch engine {
    case .pulled(let pulled):
      if let time, time > pulled.time + Self.farthestAhead {
        throw SessionError(.invalid, "a time of more than an hour ahead")
      }
      guard pulled.send(.input(input, time)) else { throw Self.full }
    case .live(let player):
      guard !player.hasEnded else { throw Self.closed }
      player.send(input)
    }
  }

  private static var closed: SessionError { SessionError(.unavailable, "the session has ended") }
  private static var full: SessionError {
    SessionError(.full, "\(PulledSession.capacity) inputs wait already; is sound pulled?")
  }
}

extension AurientSession {
  // MARK: Beacons

  /// Has a command carried out with the next sound; sounds that it names are read here.
  ///
  /// - Throws: `SessionError`, `FileError` for what cannot be carried out. That there is no head to recentre is counted
  ///   in `State.refusedCount` instead.
  public func send(_ command: SceneCommand) throws {
    guard !isClosed.load(ordering: .acquiring) else { throw Self.closed }
    switch engine {
    case .live(let player):
      guard !player.hasEnded else { throw Self.closed }
      // Sounds are read and words made here, not on the thread that plays.
      let command = try loaded(command)
      try control.withLock { control in
        guard case .live(var names) = control else { return }
        _ = try names.take(command)
        control = .live(names)
        player.send(command)
      }
    case .pulled(let pulled):
      try control.withLock { control in
        guard case .pulled(var editor, var numbers) = control else { return }
        let change = try editor.change(for: command)
        numbers.count(change)
        pulled.releaseWaste()
        guard pulled.send(.change(change)) else { throw Self.full }
        control = .pulled(editor, numbers)
      }
    }
  }

  /// The command with its sounds in memory.
  private func loaded(_ command: SceneCommand) throws(FileError) -> SceneCommand {
    switch command {
    case .style(let beacon, let style, nil):
      let path = try BeaconStyle.path(named: style)
      return .style(name: beacon, style, try LoadedSounds(style: path, sampleRate: sampleRate))
    case .sound(let beacon, let path, nil):
      return .sound(
        name: beacon, path: path, try LoadedSounds(sound: path, sampleRate: sampleRate))
    case .say(let beacon, let text, nil):
      return .say(name: beacon, text: text, try speaker().samples(of: text))
    default: return command
    }
  }

  /// Who speaks at the rate that the sound has now; made anew only for another, since that tries the voice.
  private func speaker() throws(FileError) -> SpeechSynthesizer {
    try synthesizer.withLock { made throws(FileError) in
      if let made, made.sampleRate == sampleRate { return made }
      let new = try SpeechSynthesizer(voice: scene.voice, sampleRate: sampleRate)
      made = new
      return new
    }
  }

  /// Puts a beacon somewhere, or moves the one of that name there.
  public func placeBeacon(_ name: String, at place: GeodeticCoordinate) throws {
    try send(.place(name: name, place))
  }

  /// Puts a beacon in a direction from where the listener is then, or moves the one of that name there: degrees from
  /// north, and metres. It then stays in the world. Without any place so far the listener is first put at 0° N, 0° E.
  public func placeBeacon(_ name: String, bearing: Double, distance: Double) throws {
    try send(.placeAround(name: name, bearing: bearing, distance: distance))
  }

  /// Says words from a beacon's place, after those before; until they end beacons are 12 dB softer. espeak-ng makes
  /// them, which takes a tenth of a second; the voice is that of `Scene.callouts`.
  ///
  /// - Parameter text: At most 300 characters are said.
  /// - Throws: `SessionError` if there is no such beacon, `FileError` if espeak-ng is not installed or fails. That too
  ///   much waits to be said is counted in `State.refusedCount`.
  public func say(_ text: String, from name: String) throws {
    try send(.say(name: name, text: text))
  }

  /// Takes a beacon away.
  public func removeBeacon(_ name: String) throws { try send(.remove(name: name)) }

  /// Takes the head's present attitude as looking level in a direction, degrees; nil for that of the heading by which
  /// sound is presented.
  public func recenter(heading: Double? = nil) throws { try send(.recenter(heading)) }

  /// Gives the listener other ears; see `HRTFCatalogue.select`. The ones before are heard until these are ready, for
  /// which this waits; then sounds begin anew.
  ///
  /// - Throws: `FileError`, `EngineError` if the data set cannot be used; `SessionError` if the session is recorded.
  public func setHRTF(_ request: String?) throws {
    guard !isClosed.load(ordering: .acquiring) else { throw Self.closed }
    let selection = try catalogue.select(request, sampleRate: sampleRate, fitting: scene.fitting)
    switch engine {
    case .live(let player): try player.setHRTF(request, selection)
    case .pulled(let pulled):
      try OpenALContext.leavingThreadAsItWas {
        try control.withLock { control in
          guard case .pulled(let editor, _) = control else { return }
          pulled.releaseWaste()
          let stage = try PulledSession.Stage(
            selection, sampleRate: pulled.sampleRate, editor, capacity: capacity)
          guard pulled.send(.stage(stage)) else { throw Self.full }
        }
      }
    }
  }
}

extension AurientSession {
  // MARK: State

  /// How the session stands: of a pulled one as after the last pull, of a live one as of 0.02 s ago at most. Peaks
  /// that are told are not told again.
  public var state: State { state(takingPeak: true) }

  /// States, one each so many seconds, until the session ends or is closed, or the task is cancelled. The sequence
  /// keeps the session.
  public func states(every seconds: Double = 0.1) -> AsyncStream<State> {
    let pause = Duration.seconds(max(0.001, seconds.isFinite ? seconds : 0.1))
    return AsyncStream {
      try? await Task.sleep(for: pause)
      guard !Task.isCancelled, !self.isClosed.load(ordering: .acquiring) else { return nil }
      let state = self.state
      return state.hasEnded ? nil : state
    }
  }

  /// Why a live session has ended by itself; nil while it goes on, and at the end of its logs.
  public var fault: (any Error)? {
    if case .live(let player) = engine { player.fault } else { nil }
  }

  package func state(takingPeak: Bool) -> State {
    switch engine {
    case .live(let player): return player.state(takingPeak: takingPeak)
    case .pulled(let pulled):
      control.withLock { _ in pulled.releaseWaste() }
      let (moment, beacons) = reading.withLock { _ in
        pulled.board.read(takingPeak: takingPeak)
      }
      return control.withLock { control in
        guard case .pulled(let editor, let numbers) = control else { return State() }
        var state = State(
          moment, sampleRate: pulled.sampleRate, routeCount: editor.names.routeCount,
          hasEnded: isClosed.load(ordering: .acquiring))
        for beacon in beacons {
          // One that has been removed since is not shown.
          guard let index = numbers.index(of: beacon.number) else { continue }
          state.beacons.append(State.Beacon(editor.names.name(index), beacon))
        }
        return state
      }
    }
  }
}
