public import SpatialAudio
import Geometry
import Glibc
public import Navigation

/// A scene's sound in the engine: one listener at the centre and a source for each beacon around. A far
/// beacon stays as audible as a near one unless a distance model says otherwise; the nearness of near ones
/// is heard only in data sets of several distances.
///
/// Voices are made in pieces somewhat ahead of what is rendered. Which piece sees which moment of the scene
/// depends on frames alone, so that a session played live is rendered again the same.
public final class SceneAudio {
  /// What a beacon sounds like.
  public struct Sounding: Sendable {
    /// Its sounds, at the engine's rate.
    public var sounds: StyleSounds
    /// Its loudness, a factor from 0 to 1.
    public var gain: Float
    /// How its loudness falls with the distance.
    public var distanceModel: DistanceModel

    /// A beacon that sounds like this.
    public init(_ sounds: StyleSounds, gain: Float = 1, distanceModel: DistanceModel = .constant) {
      self.sounds = sounds
      self.gain = gain
      self.distanceModel = distanceModel
    }
  }

  /// What is made ahead of its use.
  struct Reserve {
    /// Beacons that there may be.
    var capacity: Int
    /// Mixes some frames, which are silent and not counted.
    var render: () -> Void
  }

  private struct Part {
    var outlet: SceneOutlet
    var voice: BeaconVoice
    var gain: Float
    var distanceModel: DistanceModel
    /// How loud it is by gain, distance, and whether a heading is known.
    var loudness: GainRamp
    /// Where it is heard, degrees; nil before its first moment.
    var bearing: GlidingBearing?
  }

  private let stage: any SoundStage
  private var parts: [Part] = []
  /// Outlets for beacons that are still to come.
  private var spares: [SceneOutlet] = []
  private let keepsSpares: Bool
  private var speech: SceneSpeech?
  /// Where the listener is heard to face; nil before the scene's first moment.
  private var facing: GlidingFacing?
  /// Whether something has still to turn, so that `update` should come again, and go on, once `Glide.interval`
  /// frames are rendered.
  private(set) var isGliding = false
  /// Of all that sounds, and of the beacons while something is said.
  private var volumeRamp, ducking: GainRamp
  /// Up to which frame voices are made; nil before the scene's first moment.
  public private(set) var madeFrames: Int?
  private let piece: UnsafeMutableBufferPointer<Float>
  private let silence: [Float]
  /// The loudest sample made since it was last set; nil where nobody looks at it.
  var peak: Float?

  /// Metres; a beacon on the very spot still has a direction.
  private static let nearest = 0.1
  /// Gain while no heading is known: the beacons' directions are then not to be trusted. −8 dB, as
  /// Soundscape dims them.
  private static let dimmedGain: Float = 0.4
  /// Gain of the beacons while something is said, −12 dB.
  private static let duckedGain: Float = 0.25
  /// Frames of a piece; of how far pieces are made ahead; and of the loop in which OpenAL plays them.
  static let pieceLength = 256
  static let lead = 4096
  static let loopLength = 2 * lead

  /// Starts the beacons together.
  ///
  /// - Parameter canSpeak: whether there will be words; else the first ones open a source for them.
  /// - Throws: `EngineError` if the engine cannot hold them.
  public convenience init(
    _ beacons: [Sounding], canSpeak: Bool = false, on stage: any SoundStage
  ) throws(EngineError) {
    try self.init(beacons, canSpeak: canSpeak, reserve: nil, on: stage)
  }

  /// Likewise; what is reserved is made at once, and a source for words, so that later changes allocate nothing.
  init(
    _ beacons: [Sounding], canSpeak: Bool = false, reserve: Reserve?, on stage: any SoundStage
  ) throws(EngineError) {
    self.stage = stage
    keepsSpares = reserve != nil
    piece = .allocate(capacity: Self.pieceLength)
    silence = [Float](repeating: 0, count: Self.loopLength)
    // 100 ms from full to nothing.
    volumeRamp = GainRamp(length: stage.sampleRate / 10)
    ducking = volumeRamp
    if let reserve {
      parts.reserveCapacity(reserve.capacity)
      spares.reserveCapacity(reserve.capacity)
    }
    for beacon in beacons {
      let voice = BeaconVoice(beacon.sounds, sampleRate: stage.sampleRate)
      parts.append(part(beacon, voice, try makeOutlet()))
    }
    if let reserve {
      for _ in parts.count..<max(parts.count, reserve.capacity) {
        spares.append(try makeOutlet())
      }
      speech = SceneSpeech(outlet: try makeOutlet())
      warmUp(reserve.render)
      speech?.outlet.begin()
    }
    for index in parts.indices { parts[index].outlet.begin() }
    if canSpeak, speech == nil { try openSpeech() }
  }

  deinit { piece.deallocate() }

  /// Has OpenAL make what it makes when a source first plays and changes.
  private func warmUp(_ render: () -> Void) {
    stage.setListener(ahead: Vector3(0, 1, 0), up: Vector3(0, 0, 1))
    let outlets = parts.map(\.outlet) + spares + [speech?.outlet].compactMap { $0 }
    for outlet in outlets {
      _ = outlet.source.play()
      outlet.source.setPosition(Vector3(0, 1, 0))
    }
    render()
    for outlet in outlets { outlet.source.stop() }
  }

  private func makeOutlet() throws(EngineError) -> SceneOutlet {
    SceneOutlet(try stage.makeSource(silence, looping: true), from: madeFrames ?? stage.frame)
  }

  private func part(_ beacon: Sounding, _ voice: BeaconVoice, _ outlet: SceneOutlet) -> Part {
    Part(
      outlet: outlet, voice: voice, gain: beacon.gain, distanceModel: beacon.distanceModel,
      loudness: ducking)
  }

  private func openSpeech() throws(EngineError) {
    var outlet = try makeOutlet()
    outlet.begin()
    speech = SceneSpeech(outlet: outlet)
  }

  /// Adds a beacon at the end, with a voice for its sounds; it begins on a beat.
  ///
  /// - Throws: `EngineError` if the engine cannot hold it.
  func add(_ beacon: Sounding, _ voice: BeaconVoice) throws(EngineError) {
    let outlet =
      if let spare = spares.popLast() {
        SceneOutlet(spare.source, from: madeFrames ?? stage.frame)
      } else { try makeOutlet() }
    parts.append(part(beacon, voice, outlet))
    parts[parts.count - 1].outlet.begin()
  }

  /// Takes a beacon away, and returns its voice; the numbers of those after it become one less.
  func remove(_ index: Int) -> BeaconVoice {
    let part = parts.remove(at: index)
    part.outlet.source.stop()
    if keepsSpares {
      silence.withUnsafeBufferPointer { part.outlet.source.write($0, at: 0) }
      spares.append(part.outlet)
    }
    speech?.remove(index)
    return part.voice
  }

  /// Gives a beacon another voice, from the next beat of its sounds on; returns the one before.
  func setVoice(_ voice: BeaconVoice, of index: Int) -> BeaconVoice {
    defer { parts[index].voice = voice }
    return parts[index].voice
  }

  /// Sets a beacon's loudness, a factor from 0 to 1.
  public func setGain(_ gain: Float, of index: Int) { parts[index].gain = gain }

  /// Loudness of all together, a factor from 0 to 1; a change takes a tenth of a second at most, and begins
  /// with what is made next.
  public var volume: Float {
    get { volumeRamp.target }
    set { volumeRamp.target = min(1, max(0, newValue)) }
  }

  /// Whether words last until after a frame.
  public func isSpeaking(at frame: Int) -> Bool {
    speech?.lasts(after: frame) ?? false
  }

  /// Says words from the place of a beacon, with what is made next or after the words before; until they end the
  /// beacons are dimmed. Neither that dimming nor a beacon's own loudness is theirs.
  ///
  /// - Parameter samples: the words at the engine's rate; gives back ones that are not needed any more.
  /// - Returns: Whether they will be said: not if too many wait already.
  /// - Throws: `EngineError` if the engine cannot hold them.
  public func say(_ samples: inout [Float], from beacon: Int) throws(EngineError) -> Bool {
    if speech == nil { try openSpeech() }
    // Before the scene's first moment, with it.
    return speech?.add(&samples, from: beacon, at: madeFrames ?? stage.frame) ?? false
  }

  /// Begins the voices with the scene's first moment, which takes effect at a frame; later calls do
  /// nothing.
  public func begin(_ scene: BeaconScene, at frame: Int) {
    guard madeFrames == nil else { return }
    madeFrames = frame
    volumeRamp.jump()
    prepare(scene, at: frame)
  }

  /// Makes the pieces that are due at a frame, by the scene as it is; allocates nothing.
  ///
  /// To be called before the scene moves on at that frame.
  public func prepare(_ scene: BeaconScene, at frame: Int) {
    make(scene, upTo: frame + Self.lead + 1)
  }

  /// Makes the pieces that begin before a frame, by the scene as it is; allocates nothing.
  public func make(_ scene: BeaconScene, upTo end: Int) {
    guard var madeFrames else { return }
    defer { self.madeFrames = madeFrames }
    let dimming = scene.heading == nil ? Self.dimmedGain : 1
    while madeFrames < end {
      ducking.target = isSpeaking(at: madeFrames) ? Self.duckedGain : 1
      for index in parts.indices {
        let state = scene.beacons[index]
        let wish = BeaconVoice.Wish(
          presence: state.presence, region: state.regionIndex, closeness: state.closeness)
        let wasSilent = parts[index].voice.isSilent
        parts[index].voice.render(into: piece, from: madeFrames, wish)
        // One that falls silent in the midst of a piece has sounded before.
        if !wasSilent || !parts[index].voice.isSilent {
          parts[index].outlet.sounds(until: madeFrames + piece.count)
        }
        let fall = Float(parts[index].distanceModel.gain(distance: state.geometry.distance))
        parts[index].loudness.target = parts[index].gain * dimming * min(1, fall)
        // What was silent need not fade.
        if wasSilent { parts[index].loudness.jump() }
        parts[index].loudness.apply(to: piece)
        parts[index].loudness.advance(piece.count)
        ducking.apply(to: piece)
        volumeRamp.apply(to: piece)
        if let peak { self.peak = piece.reduce(peak) { max($0, abs($1)) } }
        parts[index].outlet.write(piece, from: madeFrames, loopLength: Self.loopLength)
      }
      if speech != nil {
        speech?.render(into: piece, from: madeFrames)
        volumeRamp.apply(to: piece)
        speech?.outlet.write(piece, from: madeFrames, loopLength: Self.loopLength)
      }
      ducking.advance(piece.count)
      volumeRamp.advance(piece.count)
      madeFrames += piece.count
    }
  }

  /// Sets listener and sources to the scene's present moment, or on the way there (see `isGliding`); allocates
  /// nothing.
  ///
  /// - Parameter goesOn: Whether what the last call set has been heard since, and turns start from there. Several
  ///   calls of which none is heard are as the last alone, so that a record need not tell them apart.
  public func update(_ scene: BeaconScene, goesOn: Bool) {
    let frame = stage.frame
    isGliding = false
    turnListener(to: Facing(ahead: scene.orientation.ahead, up: scene.orientation.up), goesOn)
    for index in parts.indices {
      move(index, to: scene.beacons[index].geometry, goesOn)
    }
    if let beacon = speech?.beacon(at: frame), beacon < parts.count {
      speech?.outlet.source.setPosition(place(of: beacon, scene.beacons[beacon].geometry.distance))
    }
    // What has yet to begin may sound at once, and would fade in if it rested.
    guard madeFrames != nil else { return }
    for index in parts.indices { parts[index].outlet.update(at: frame) }
    speech?.outlet.update(at: frame)
  }

  /// Lets the next `update` be heard at once, wherever things were before.
  func jump() {
    facing = nil
    for index in parts.indices { parts[index].bearing = nil }
  }

  private func turnListener(to target: Facing, _ goesOn: Bool) {
    var facing = self.facing ?? GlidingFacing(target)
    facing.turn(to: target, goesOn: goesOn)
    self.facing = facing
    if facing.value != target { isGliding = true }
    stage.setListener(ahead: facing.value.ahead, up: facing.value.up)
  }

  private func move(_ index: Int, to geometry: BeaconGeometry, _ goesOn: Bool) {
    var bearing = parts[index].bearing ?? GlidingBearing(geometry.bearing)
    bearing.turn(to: geometry.bearing, goesOn: goesOn)
    parts[index].bearing = bearing
    if bearing.value != geometry.bearing { isGliding = true }
    parts[index].outlet.source.setPosition(place(of: index, geometry.distance))
  }

  /// Where a beacon is heard, metres from the listener in the world frame.
  private func place(of index: Int, _ distance: Double) -> Vector3 {
    max(Self.nearest, distance)
      * WorldFrame.direction(azimuth: parts[index].bearing?.value ?? 0)
  }
}
