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
  private var audio: SceneAudio
  private let description: Scene
  private var library: SoundLibrary
  private var soundings: [SceneAudio.Sounding]
  /// What each beacon's sounds are read from.
  private var described: [Scene.Beacon]
  private var volume: Float = 1
  private var lastHead: Timestamp?
  /// When a command was carried out after which the scene has not been looked at again.
  private var changeTime: Timestamp?
  private var field: EarthField
  private var synthesizer: SpeechSynthesizer?
  /// Whether what turns by steps goes on with the next `show`.
  private var goesOn = false

  /// Opens the scene's sounds on a stage.
  ///
  /// - Parameter description: The scene; its logs are not read.
  /// - Throws: `FileError`, `EngineError` for what cannot be used.
  public init(_ description: Scene, on stage: any SoundStage, limits: UserReadings.Limits = .init())
    throws
  {
    self.description = description
    self.stage = stage
    var library = SoundLibrary(sampleRate: stage.sampleRate)
    let (beacons, route) = try description.placedBeacons()
    described = beacons
    soundings = try beacons.map { try library.sounding($0, in: description) }
    Self.readUsualSound(into: &library, of: description)
    scene = BeaconScene(
      beacons: try beacons.map { try library.state($0, in: description) }, route: route,
      calibrator: description.calibrator, isYawOnly: description.isYawOnly)
    readings = UserReadings(limits: limits)
    self.library = library
    audio = try SceneAudio(soundings, on: stage)
    audio.peak = 0
    var settings = CompassSettings()
    settings.modelFolder = DataFolder.magnetism
    field = EarthField(settings: settings)
  }

  /// Goes on sounding on another stage, such as a device that has come back.
  ///
  /// - Throws: `FileError`, `EngineError` as `init` does.
  public func move(to stage: any SoundStage) throws {
    if stage.sampleRate != self.stage.sampleRate {
      library = SoundLibrary(sampleRate: stage.sampleRate)
      synthesizer = nil
      for (index, beacon) in described.enumerated() {
        soundings[index].sounds = try library.sounding(beacon, in: description).sounds
      }
      Self.readUsualSound(into: &library, of: description)
    }
    audio = try SceneAudio(soundings, on: stage)
    audio.peak = 0
    audio.volume = volume
    self.stage = stage
  }

  /// Reads what beacons sound like that come later, so that they need not wait for it. If it cannot be read,
  /// the first that needs it says so.
  private static func readUsualSound(into library: inout SoundLibrary, of description: Scene) {
    let nowhere = GeodeticCoordinate(latitude: 0, longitude: 0)
    _ = try? library.sounding(Scene.Beacon(Beacon(name: nil, coordinate: nowhere)), in: description)
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
      try carryOut(command)
      changeTime = time
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

extension Session {
  private func carryOut(_ command: SceneCommand) throws {
    switch command {
    case .place(let name, let place): try put(name, at: place)
    case .remove(let name):
      let index = try index(of: name)
      guard index >= (scene.route?.route.beacons.count ?? 0) else {
        throw SessionError("beacon \(quoted(name)) is a place of the route")
      }
      audio.remove(index)
      soundings.remove(at: index)
      described.remove(at: index)
      scene.beacons.remove(at: index)
    case .style(let name, let style, let loaded):
      try setSounds(of: name, loaded) { $0.style = style }
    case .sound(let name, let path, let loaded):
      try setSounds(of: name, loaded) {
        $0.style = nil
        $0.sound = path
      }
    case .gain(let name, let decibels):
      let index = try index(of: name)
      soundings[index].gain = factor(decibels + description.gain)
      audio.setGain(soundings[index].gain, of: index)
    case .mute(let name, let isOff): scene.beacons[try index(of: name)].isOff = isOff
    case .volume(let decibels):
      volume = factor(decibels)
      audio.volume = volume
    case .say(let name, let text, let samples): try say(text, samples, from: try index(of: name))
    case .recenter(let heading):
      guard scene.recenter(heading: heading ?? scene.heading?.degrees ?? 0) else {
        throw SessionError("no head to recentre")
      }
    case .route(let index):
      guard scene.route != nil else { throw SessionError("there is no route") }
      scene.moveOnRoute(to: index)
    }
  }

  private func factor(_ decibels: Double) -> Float { Float(pow(10, min(0, decibels) / 20)) }

  private func index(of name: String) throws(SessionError) -> Int {
    guard let index = scene.index(of: name) else {
      throw SessionError("no beacon \(quoted(name))")
    }
    return index
  }

  private func put(_ name: String, at place: GeodeticCoordinate) throws {
    guard place.isValid else { throw SessionError("beacon \(quoted(name)): no place on Earth") }
    if let index = scene.index(of: name) {
      scene.beacons[index].beacon.coordinate = place
      return
    }
    guard scene.beacons.count < Self.mostBeacons else {
      throw SessionError("more than \(Self.mostBeacons) beacons")
    }
    let beacon = Scene.Beacon(Beacon(name: name, coordinate: place))
    let sounding = try library.sounding(beacon, in: description)
    try audio.add(sounding)
    soundings.append(sounding)
    described.append(beacon)
    scene.beacons.append(try library.state(beacon, in: description))
  }

  /// As many as OpenAL mixes unless configured otherwise, less the marker of changes and what is said.
  public static let mostBeacons = 254

  private func say(_ text: String, _ samples: [Float]?, from beacon: Int) throws {
    guard audio.madeFrames != nil else { throw SessionError("nothing sounds yet") }
    let words: [Float]
    if let samples {
      words = samples
    } else {
      let voice = description.callouts?.voice ?? Callouts().voice
      let synthesizer =
        try self.synthesizer ?? SpeechSynthesizer(voice: voice, sampleRate: stage.sampleRate)
      self.synthesizer = synthesizer
      words = try synthesizer.samples(of: text)
    }
    guard try audio.say(words, from: beacon) else {
      throw SessionError("too much waits to be said")
    }
  }

  private func setSounds(
    of name: String, _ loaded: LoadedSounds?, _ change: (inout Scene.Beacon) -> Void
  ) throws {
    let index = try index(of: name)
    var beacon = described[index]
    change(&beacon)
    let (sounds, division) =
      if let loaded, loaded.sampleRate == stage.sampleRate { (loaded.sounds, loaded.division) } else
      {
        (
          try library.sounding(beacon, in: description).sounds,
          try library.state(beacon, in: description).division
        )
      }
    described[index] = beacon
    soundings[index].sounds = sounds
    audio.setSounds(sounds, of: index)
    scene.beacons[index].setStyle(
      division: division,
      vicinity: SoundLibrary.vicinity(of: description, hasStyle: division != nil))
  }
}

/// Why a session does not do what it was told, as the one line that a user sees.
public struct SessionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What and why.
  public let description: String

  init(_ description: String) { self.description = description.onOneLine }
}
