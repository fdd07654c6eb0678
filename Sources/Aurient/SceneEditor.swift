import Files
import Glibc
import Navigation

/// The beacons of a session as they are described and sound, and what makes changes of them ready.
struct SceneEditor: Sendable {
  /// What they are called.
  private(set) var names: BeaconNames
  /// What each sounds like.
  private(set) var soundings: [SceneAudio.Sounding]
  /// The loudness of all, a factor.
  private(set) var volume: Float = 1
  /// What each beacon's sounds are read from; of its places only the first counts.
  private var beacons: [Scene.Beacon]
  private let description: Scene
  private var sampleRate: Int
  private var library: SoundLibrary
  private var synthesizer: SpeechSynthesizer?

  /// Reads a scene's sounds, also those of beacons that come later.
  ///
  /// - Throws: `FileError` if a sound cannot be read.
  init(
    _ description: Scene, _ beacons: [Scene.Beacon], _ names: BeaconNames, sampleRate: Int
  ) throws(FileError) {
    self.description = description
    self.beacons = beacons
    self.names = names
    self.sampleRate = sampleRate
    library = SoundLibrary(sampleRate: sampleRate)
    soundings = []
    for beacon in beacons { soundings.append(try library.sounding(beacon, in: description)) }
    readUsualSound()
  }

  /// The beacons before the first moment.
  ///
  /// - Throws: `FileError` if a style cannot be read.
  mutating func states() throws(FileError) -> [BeaconState] {
    var states: [BeaconState] = []
    for beacon in beacons { states.append(try library.state(beacon, in: description)) }
    return states
  }

  /// Reads all sounds for another rate.
  ///
  /// - Throws: `FileError` if one cannot be read.
  mutating func changeRate(to sampleRate: Int) throws(FileError) {
    guard sampleRate != self.sampleRate else { return }
    self.sampleRate = sampleRate
    library = SoundLibrary(sampleRate: sampleRate)
    synthesizer = nil
    for (index, beacon) in beacons.enumerated() {
      soundings[index].sounds = try library.sounding(beacon, in: description).sounds
    }
    readUsualSound()
  }

  /// Reads what beacons sound like that come later, so that they need not wait for it. If it cannot be read,
  /// the first that needs it says so.
  private mutating func readUsualSound() {
    _ = try? library.sounding(Self.newBeacon(nil), in: description)
  }

  /// One whose place is not known yet.
  private static func newBeacon(_ name: String?) -> Scene.Beacon {
    let nowhere = GeodeticCoordinate(latitude: 0, longitude: 0)
    return Scene.Beacon(Beacon(name: name, coordinate: nowhere))
  }

  /// Makes a command ready.
  ///
  /// - Throws: `SessionError`, `FileError` if it cannot be carried out; nothing has changed then.
  mutating func change(for command: SceneCommand) throws -> SessionChange {
    let before = self
    do {
      return try change(for: command, try names.take(command))
    } catch {
      self = before
      throw error
    }
  }

  private mutating func change(
    for command: SceneCommand, _ target: BeaconNames.Target
  ) throws(FileError) -> SessionChange {
    // Of a command for all, nobody asks.
    let index = if case .known(let index) = target { index } else { soundings.count }
    switch command {
    case .place(let name, let place): return try put(name, target, .at(place))
    case .placeAround(let name, let bearing, let distance):
      return try put(name, target, .around(bearing: bearing, distance: distance))
    case .remove:
      beacons.remove(at: index)
      soundings.remove(at: index)
      return .remove(index)
    case .style(_, let style, let loaded):
      beacons[index].style = style
      return try setSounds(index, loaded)
    case .sound(_, let path, let loaded):
      beacons[index].style = nil
      beacons[index].sound = path
      return try setSounds(index, loaded)
    case .gain(_, let decibels):
      soundings[index].gain = Self.factor(decibels + description.gain)
      return .gain(index, soundings[index].gain)
    case .mute(_, let isOff): return .mute(index, isOff)
    case .volume(let decibels):
      volume = Self.factor(decibels)
      return .volume(volume)
    case .say(_, let text, let samples):
      if let samples { return .say(index, samples) }
      return .say(index, try words(text))
    case .recenter(let heading): return .recenter(heading)
    case .route(let place): return .route(place)
    }
  }

  private mutating func words(_ text: String) throws(FileError) -> [Float] {
    if let synthesizer { return try synthesizer.samples(of: text) }
    let made = try SpeechSynthesizer(voice: description.voice, sampleRate: sampleRate)
    synthesizer = made
    return try made.samples(of: text)
  }

  private static func factor(_ decibels: Double) -> Float {
    Float(pow(10, min(0, decibels) / 20))
  }

  private mutating func put(
    _ name: String, _ target: BeaconNames.Target, _ place: SessionChange.Place
  ) throws(FileError) -> SessionChange {
    if case .known(let index) = target { return .move(index, place) }
    let beacon = Self.newBeacon(name)
    let sounding = try library.sounding(beacon, in: description)
    let state = try library.state(beacon, in: description)
    beacons.append(beacon)
    soundings.append(sounding)
    return .add(state, sounding, BeaconVoice(sounding.sounds, sampleRate: sampleRate), place)
  }

  private mutating func setSounds(
    _ index: Int, _ loaded: LoadedSounds?
  ) throws(FileError) -> SessionChange {
    let (sounds, division): (StyleSounds, AngularRegions?)
    if let loaded, loaded.sampleRate == sampleRate {
      (sounds, division) = (loaded.sounds, loaded.division)
    } else {
      sounds = try library.sounding(beacons[index], in: description).sounds
      division = try library.state(beacons[index], in: description).division
    }
    soundings[index].sounds = sounds
    return .sounds(
      index, BeaconVoice(sounds, sampleRate: sampleRate), division: division,
      vicinity: SoundLibrary.vicinity(of: description, hasStyle: division != nil))
  }
}
