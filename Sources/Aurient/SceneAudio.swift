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

  private struct Part {
    var outlet: SceneOutlet
    var voice: BeaconVoice
    var gain: Float
    var distanceModel: DistanceModel
    /// How loud it is by gain, distance, and whether a heading is known.
    var loudness: GainRamp
    /// Whether it has still to be made for the first time.
    var isNew = true
    /// Where it is heard, degrees; nil before its first moment.
    var bearing: Gliding<Double>?
  }

  /// Words, and where they come out.
  private struct Speech {
    var outlet: SceneOutlet
    /// What is said and what is to be said after it.
    var utterances: [Utterance] = []
  }

  private struct Utterance {
    var samples: [Float]
    /// The beacon that it comes from; nil once that is gone.
    var beacon: Int?
    /// The frames of the scene from and until which it lasts.
    var frames: Range<Int>
  }

  private let stage: any SoundStage
  private var parts: [Part] = []
  private var speech: Speech?
  /// Where the listener is heard to face; nil before the scene's first moment.
  private var facing: Gliding<Facing>?
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
  static let loopLength = 4 * lead
  /// Utterances that may wait for the one before them.
  private static let mostUtterances = 16

  /// Starts the beacons together.
  ///
  /// - Parameter canSpeak: whether there will be words; else the first ones open a source for them.
  /// - Throws: `EngineError` if the engine cannot hold them.
  public init(
    _ beacons: [Sounding], canSpeak: Bool = false, on stage: any SoundStage
  ) throws(EngineError) {
    self.stage = stage
    piece = .allocate(capacity: Self.pieceLength)
    silence = [Float](repeating: 0, count: Self.loopLength)
    // 100 ms from full to nothing.
    volumeRamp = GainRamp(length: stage.sampleRate / 10)
    ducking = volumeRamp
    for beacon in beacons { parts.append(try part(beacon)) }
    for index in parts.indices { parts[index].outlet.begin() }
    if canSpeak { try openSpeech() }
  }

  deinit { piece.deallocate() }

  private func part(_ beacon: Sounding) throws(EngineError) -> Part {
    Part(
      outlet: SceneOutlet(
        try stage.makeSource(silence, looping: true), from: madeFrames ?? stage.frame),
      voice: BeaconVoice(beacon.sounds, sampleRate: stage.sampleRate), gain: beacon.gain,
      distanceModel: beacon.distanceModel, loudness: ducking)
  }

  private func openSpeech() throws(EngineError) {
    var outlet = SceneOutlet(try stage.makeSource(silence, looping: true), from: stage.frame)
    outlet.begin()
    speech = Speech(outlet: outlet)
  }

  /// Adds a beacon at the end; it begins on a beat.
  ///
  /// - Throws: `EngineError` if the engine cannot hold it.
  public func add(_ beacon: Sounding) throws(EngineError) {
    parts.append(try part(beacon))
    parts[parts.count - 1].outlet.begin()
  }

  /// Takes a beacon away; the numbers of those after it become one less.
  public func remove(_ index: Int) {
    parts[index].outlet.source.stop()
    parts.remove(at: index)
    for number in speech?.utterances.indices ?? 0..<0 {
      guard let beacon = speech?.utterances[number].beacon, beacon >= index else { continue }
      speech?.utterances[number].beacon = beacon == index ? nil : beacon - 1
    }
  }

  /// Gives a beacon other sounds, from the next beat of theirs on.
  public func setSounds(_ sounds: StyleSounds, of index: Int) {
    parts[index].voice = BeaconVoice(sounds, sampleRate: stage.sampleRate)
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
    speech?.utterances.contains { frame < $0.frames.upperBound } ?? false
  }

  /// Says words from the place of a beacon, with what is made next or after the words before; until they end the
  /// beacons are dimmed. Neither that dimming nor a beacon's own loudness is theirs.
  ///
  /// To be called after the scene's first moment.
  ///
  /// - Parameter samples: the words at the engine's rate.
  /// - Returns: Whether they will be said: not if too many wait already.
  /// - Throws: `EngineError` if the engine cannot hold them.
  @discardableResult
  public func say(_ samples: [Float], from beacon: Int) throws(EngineError) -> Bool {
    guard let madeFrames else { return false }
    if speech == nil { try openSpeech() }
    // What is said now may be heard yet.
    speech?.utterances.removeAll { $0.frames.upperBound <= madeFrames - 2 * Self.lead }
    let start = max(madeFrames, speech?.utterances.last?.frames.upperBound ?? 0)
    let waiting = speech?.utterances.count { $0.frames.lowerBound > madeFrames } ?? 0
    guard waiting < Self.mostUtterances else { return false }
    speech?.utterances.append(
      Utterance(samples: samples, beacon: beacon, frames: start..<start + samples.count))
    return true
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
        parts[index].voice.render(into: piece, from: madeFrames, wish)
        let isSilent = parts[index].voice.isSilent
        if !isSilent { parts[index].outlet.sounds(until: madeFrames + piece.count) }
        let fall = Float(parts[index].distanceModel.gain(distance: state.geometry.distance))
        parts[index].loudness.target = parts[index].gain * dimming * min(1, fall)
        // What is silent, or has not been heard yet, need not fade.
        if isSilent || parts[index].isNew { parts[index].loudness.jump() }
        parts[index].isNew = false
        parts[index].loudness.apply(to: piece)
        parts[index].loudness.advance(piece.count)
        ducking.apply(to: piece)
        volumeRamp.apply(to: piece)
        if let peak { self.peak = piece.reduce(peak) { max($0, abs($1)) } }
        parts[index].outlet.write(piece, from: madeFrames, loopLength: Self.loopLength)
      }
      speak(from: madeFrames)
      ducking.advance(piece.count)
      volumeRamp.advance(piece.count)
      madeFrames += piece.count
    }
  }

  /// Makes the piece of what is said.
  private func speak(from frame: Int) {
    guard speech != nil else { return }
    let end = frame + piece.count
    piece.update(repeating: 0)
    for index in speech?.utterances.indices ?? 0..<0 {
      guard let frames = speech?.utterances[index].frames.clamped(to: frame..<end), !frames.isEmpty,
        let utterance = speech?.utterances[index]
      else { continue }
      speech?.outlet.sounds(until: utterance.frames.upperBound)
      for now in frames {
        piece[now - frame] = utterance.samples[now - utterance.frames.lowerBound]
      }
    }
    volumeRamp.apply(to: piece)
    speech?.outlet.write(piece, from: frame, loopLength: Self.loopLength)
  }

  /// Sets listener and sources to the scene's present moment, or on the way there (see `isGliding`); allocates
  /// nothing.
  ///
  /// - Parameter goesOn: whether what turns since an earlier call may turn further, since that has been heard.
  public func update(_ scene: BeaconScene, goesOn: Bool) {
    let frame = stage.frame
    let isNext = goesOn || !isGliding
    isGliding = false
    turnListener(to: Facing(ahead: scene.orientation.ahead, up: scene.orientation.up), isNext)
    for index in parts.indices {
      move(index, to: scene.beacons[index].geometry, isNext)
      parts[index].outlet.update(at: frame)
    }
    guard speech != nil else { return }
    if let said = speech?.utterances.first(where: { frame < $0.frames.upperBound }),
      let beacon = said.beacon, beacon < parts.count
    {
      speech?.outlet.source.setPosition(place(of: beacon, scene.beacons[beacon].geometry.distance))
    }
    speech?.outlet.update(at: frame)
  }

  /// Lets the next `update` be heard at once, wherever things were before.
  func jump() {
    facing = nil
    for index in parts.indices { parts[index].bearing = nil }
  }

  private func turnListener(to target: Facing, _ isNext: Bool) {
    var facing = self.facing ?? Gliding(target)
    if isNext { facing.settle() }
    facing.turn(to: target, Glide.step)
    self.facing = facing
    if facing.value != target { isGliding = true }
    stage.setListener(ahead: facing.value.ahead, up: facing.value.up)
  }

  private func move(_ index: Int, to geometry: BeaconGeometry, _ isNext: Bool) {
    var bearing = parts[index].bearing ?? Gliding(geometry.bearing)
    if isNext { bearing.settle() }
    bearing.turn(to: geometry.bearing, Glide.step)
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
