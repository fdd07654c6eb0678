public import Files
import Geometry
import Glibc
import HeadTracking
public import Navigation
public import SpatialAudio

/// A scene that is moved on by what comes from outside, and heard on a stage: the same played live and
/// rendered from a record.
///
/// One thread uses it. `prepare` comes before each batch of inputs, `take` takes them, `show` makes them
/// heard; none of these allocates, commands aside.
public final class Session {
  /// The scene at the last input.
  public private(set) var scene: BeaconScene
  /// What is known of the listener, with ages.
  public private(set) var readings: UserReadings
  /// Where it is heard.
  public private(set) var stage: any SoundStage
  private(set) var audio: SceneAudio
  /// What makes commands ready.
  private(set) var editor: SceneEditor
  private var lastHead: Timestamp?
  /// When a command was carried out after which the scene has not been looked at again.
  private var changeTime: Timestamp?
  private var field: EarthField
  /// Whether what turns by steps goes on with the next `show`.
  private var goesOn = false

  /// Opens the scene's sounds on a stage.
  ///
  /// - Parameter description: The scene; its logs are not read.
  /// - Throws: `FileError`, `EngineError` for what cannot be used.
  public convenience init(
    _ description: Scene, on stage: any SoundStage, limits: UserReadings.Limits = .init()
  ) throws {
    try self.init(description, on: stage, limits: limits, reserve: nil)
  }

  /// Likewise; what is reserved is made at once, so that neither inputs nor changes that have been made ready
  /// allocate anything.
  init(
    _ description: Scene, on stage: any SoundStage, limits: UserReadings.Limits,
    reserve: SceneAudio.Reserve?
  ) throws {
    self.stage = stage
    let (beacons, route) = try description.placedBeacons()
    editor = try SceneEditor(
      description, beacons,
      BeaconNames(
        beacons, routeCount: route?.route.beacons.count ?? 0,
        capacity: reserve?.capacity ?? Self.mostBeacons), sampleRate: stage.sampleRate)
    scene = BeaconScene(
      beacons: try editor.states(), route: route, calibrator: description.calibrator,
      reference: description.headReference, isYawOnly: description.isYawOnly)
    readings = UserReadings(limits: limits)
    audio = try SceneAudio(editor.soundings, reserve: reserve, on: stage)
    audio.peak = 0
    var settings = CompassSettings()
    settings.modelFolder = DataFolder.magnetism
    field = EarthField(settings: settings)
    if let reserve { warmUp(capacity: reserve.capacity) }
  }

  /// Has made now what is made at its first use: the libraries and models that are loaded, the tables of calibration.
  private func warmUp(capacity: Int) {
    let now = MonotonicClock.now
    let place = GeodeticCoordinate(latitude: 0, longitude: 0)
    var settings = CompassSettings()
    settings.modelFolder = DataFolder.magnetism
    // For one date: asking for it costs more than the field changes.
    settings.year = now.decimalYear
    field = EarthField(settings: settings)
    if (try? field.expectation(at: place, time: now)) == nil {
      // Not to be asked for again with each heading.
      field = EarthField(settings: CompassSettings())
    }
    let before = (scene: scene, readings: readings)
    let beacon = Beacon(coordinate: coordinate(.around(bearing: 1, distance: 1), at: now))
    scene.beacons.append(
      BeaconState(beacon, division: AngularRegions(edges: [90]), vicinity: Vicinity()))
    for index in 0..<300 {
      let time = now + Double(index) / 100
      try? take(.fix(LocationFix(coordinate: place, course: 10)), at: time)
      try? take(
        .phone(PhoneHeading(time: time, magneticHeading: 10, headingAccuracy: 5)), at: time)
      try? take(.head(MotionFrame(time: time, attitude: .identity)), at: time)
      try? take(.tick, at: time)
    }
    scene.recenter(heading: 0)
    try? take(.course(nil, accuracy: nil), at: now + 4)
    try? take(.noFix, at: now + 4)
    try? take(.headLost, at: now + 4)
    (scene, readings, lastHead, changeTime) = (before.scene, before.readings, nil, nil)
    scene.beacons.reserveCapacity(capacity)
  }

  /// Goes on sounding on another stage, such as a device that has come back.
  ///
  /// - Throws: `FileError`, `EngineError` as `init` does.
  public func move(to stage: any SoundStage) throws {
    try editor.changeRate(to: stage.sampleRate)
    let audio = try SceneAudio(editor.soundings, on: stage)
    audio.volume = editor.volume
    _ = replace(audio, on: stage)
  }

  /// Goes on sounding through audio that has been made ready on another stage; returns what it replaces.
  func replace(_ audio: SceneAudio, on stage: any SoundStage) -> Retired {
    defer {
      self.audio = audio
      self.audio.peak = 0
      self.stage = stage
    }
    return Retired(audio: self.audio, stage: self.stage)
  }

  /// Frames of sound that are made, from the scene as it was when they were.
  public var madeFrames: Int { audio.madeFrames ?? 0 }

  /// Whether something turns by steps, so that `turn` should come once more of the sound is heard.
  public var isGliding: Bool { audio.isGliding }

  /// Whether words last until after what is made.
  public var isSpeaking: Bool { audio.isSpeaking(at: madeFrames) }

  /// The loudest sample of the beacons' own sounds since the last call, 0 to 1.
  public func takePeak() -> Float {
    defer { audio.peak = 0 }
    return audio.peak ?? 0
  }

  /// Makes the sound that is due, by the scene as it is.
  public func prepare() { audio.prepare(scene, at: stage.frame) }

  /// Makes the sound up to a frame, by the scene as it is.
  public func prepare(upTo frame: Int) { audio.make(scene, upTo: frame) }

  /// Takes an input that came at a time.
  ///
  /// - Throws: `FileError`, `EngineError` for commands that cannot be carried out; nothing has changed
  ///   then.
  public func take(_ input: SessionInput, at time: Timestamp) throws {
    switch input {
    case .head(var frame):
      if !frame.yaw.isFinite { return }
      // Times of a source are not those of the session.
      frame.time = time
      lastHead = time
      scene.advance(to: frame, listener(at: time))
      readings.takeHead(scene.user.headHeading, at: time)
    case .headLost: loseHead(at: time)
    case .fix(let fix):
      guard fix.coordinate.isValid else { return }
      readings.take(fix, at: time)
      move(to: time)
    case .course(let course, let accuracy):
      readings.take(course: course, accuracy: accuracy, at: time)
      move(to: time)
    case .noFix:
      readings.loseLocation()
      move(to: time)
    case .phone(var heading):
      heading.time = time
      readings.take(trueHeading(heading))
      move(to: time)
    case .tick:
      if let lastHead, time.seconds(since: lastHead) > readings.limits.head {
        loseHead(at: time)
      } else {
        move(to: time)
      }
    case .turn: goesOn = true
    case .command(let command):
      let before = editor
      let change = try editor.change(for: command)
      var retired = Retired()
      switch carryOut(change, at: time, &retired) {
      case .done: break
      case .noHead:
        editor = before
        throw SessionError(.unavailable, "no head to recentre")
      case .notSaid:
        throw SessionError(.unavailable, "too much waits to be said")
      case .failed(let error):
        editor = before
        throw error
      }
    }
  }

  private func move(to time: Timestamp) {
    changeTime = nil
    if lastHead == nil {
      scene.advance(to: time, listener(at: time))
    } else {
      scene.update(to: time, listener(at: time))
    }
  }

  private func loseHead(at time: Timestamp) {
    lastHead = nil
    readings.takeHead(nil, at: time)
    scene.advance(to: time, listener(at: time))
  }

  private func listener(at time: Timestamp) -> ListenerReadings {
    ListenerReadings(
      location: readings.newestLocation, course: readings.courseReading(at: time),
      phone: readings.phoneReading(at: time))
  }

  /// A magnetic heading becomes a true one where the place is known.
  private func trueHeading(_ heading: PhoneHeading) -> PhoneHeading {
    guard heading.trueHeading ?? -1 < 0, let magnetic = heading.magneticHeading, magnetic >= 0,
      let place = readings.newestLocation,
      let declination = try? field.expectation(at: place, time: heading.time)?.declination
    else { return heading }
    var heading = heading
    heading.trueHeading = positiveDegrees(magnetic + declination)
    return heading
  }

  /// Makes what was taken heard.
  ///
  /// - Returns: The first frame with it.
  @discardableResult
  public func show() -> Int {
    if let changeTime { move(to: changeTime) }
    let frame = stage.apply { audio.update(scene, goesOn: goesOn) }
    goesOn = false
    audio.begin(scene, at: frame)
    return frame
  }
}

/// What has become of a change that was ready.
enum ChangeOutcome {
  case done
  case noHead
  case notSaid
  case failed(EngineError)
}

/// What a change has taken out of a session, for another thread to release.
struct Retired {
  var audio: SceneAudio?
  var stage: (any SoundStage)?
  var state: BeaconState?
  var voice: BeaconVoice?
  var words: [Float]?
}

extension Session {
  /// Carries out a change that has been made ready; allocates and releases nothing where there is room.
  ///
  /// - Parameter retired: Gets what it replaces.
  func carryOut(
    _ change: SessionChange, at time: Timestamp, _ retired: inout Retired
  ) -> ChangeOutcome {
    switch change {
    case .add(let state, let sounding, let voice, let place):
      do throws(EngineError) { try audio.add(sounding, voice) } catch { return .failed(error) }
      scene.beacons.append(state)
      scene.beacons[scene.beacons.count - 1].beacon.coordinate = coordinate(place, at: time)
    case .move(let index, let place):
      scene.beacons[index].beacon.coordinate = coordinate(place, at: time)
    case .remove(let index):
      retired.voice = audio.remove(index)
      retired.state = scene.beacons.remove(at: index)
    case .sounds(let index, let voice, let division, let vicinity):
      retired.state = scene.beacons[index]
      retired.voice = audio.setVoice(voice, of: index)
      scene.beacons[index].setStyle(division: division, vicinity: vicinity)
    case .gain(let index, let gain): audio.setGain(gain, of: index)
    case .mute(let index, let isOff): scene.beacons[index].isOff = isOff
    case .volume(let volume): audio.volume = volume
    case .say(let index, var words):
      do throws(EngineError) {
        guard try audio.say(&words, from: index) else { return .notSaid }
      } catch { return .failed(error) }
      retired.words = words
    case .recenter(let heading):
      guard scene.recenter(heading: heading ?? scene.heading?.degrees ?? 0) else {
        return .noHead
      }
    case .route(let index): scene.moveOnRoute(to: index)
    }
    changeTime = time
    return .done
  }

  /// The coordinate that is meant; a listener who is nowhere is first put somewhere.
  private func coordinate(_ place: SessionChange.Place, at time: Timestamp) -> GeodeticCoordinate {
    switch place {
    case .at(let coordinate): return coordinate
    case .around(let bearing, let distance):
      let origin = GeodeticCoordinate(latitude: 0, longitude: 0)
      if readings.newestLocation == nil { readings.take(LocationFix(coordinate: origin), at: time) }
      return (readings.newestLocation ?? origin).destination(bearing: bearing, distance: distance)
    }
  }

  /// As many as OpenAL mixes unless configured otherwise, less the marker of changes and what is said.
  public static let mostBeacons = 254
}
