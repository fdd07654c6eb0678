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

  /// A source in the engine, which rests while nothing comes from it: it would cost as much as one that
  /// sounds.
  private struct Outlet {
    let source: any StageSource
    /// The frame at which its loop in OpenAL began.
    var start = 0
    /// Up to which frame something was made that is no silence.
    private var soundEnd: Int
    private var isResting = false
    private(set) var gain: Float = 1

    init(_ source: any StageSource, from frame: Int) {
      self.source = source
      soundEnd = frame
    }

    /// A piece was made that sounds, to before a frame.
    mutating func sounds(until frame: Int) {
      soundEnd = frame
      if isResting { source.resume() }
      isResting = false
    }

    /// Sets the gain, and lets it rest at a frame if nothing has come for a while.
    mutating func update(at frame: Int, gain: Float) {
      if gain != self.gain { source.setGain(gain) }
      self.gain = gain
      guard !isResting, frame >= soundEnd + SceneAudio.ringing else { return }
      isResting = true
      source.rest()
    }
  }

  private struct Part {
    var outlet: Outlet
    var voice: BeaconVoice
    var gain: Float
    var distanceModel: DistanceModel
  }

  /// Words, and where they come out.
  private struct Speech {
    var outlet: Outlet
    var samples: [Float] = []
    /// The beacon that they come from, and the frames of the scene from and until which they last.
    var beacon = 0
    var frames = 0..<0
  }

  private let stage: any SoundStage
  private var parts: [Part] = []
  /// Outlets for beacons that are still to come.
  private var spares: [Outlet] = []
  private let keepsSpares: Bool
  private var speech: Speech?
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
  /// Frames after which nothing of a sound is left in OpenAL's filters.
  private static let ringing = 1024

  /// Starts the beacons together.
  ///
  /// - Parameter canSpeak: whether there may be words; that takes a source more.
  /// - Throws: `EngineError` if the engine cannot hold them.
  public convenience init(
    _ beacons: [Sounding], canSpeak: Bool = false, on stage: any SoundStage
  ) throws(EngineError) {
    try self.init(beacons, canSpeak: canSpeak, reserve: nil, on: stage)
  }

  /// Likewise; what is reserved is made at once, so that later changes allocate nothing.
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
      parts.append(
        part(
          beacon, BeaconVoice(beacon.sounds, sampleRate: stage.sampleRate), try makeOutlet()))
    }
    if let reserve {
      for _ in parts.count..<max(parts.count, reserve.capacity) {
        spares.append(try makeOutlet())
      }
      warmUp(reserve.render)
    }
    for index in parts.indices { parts[index].outlet.start = parts[index].outlet.source.play() }
    if canSpeak {
      var outlet = Outlet(try stage.makeSource(silence, looping: true), from: stage.frame)
      outlet.start = outlet.source.play()
      speech = Speech(outlet: outlet)
    }
  }

  deinit { piece.deallocate() }

  /// Has OpenAL make what it makes when a source first plays and changes.
  private func warmUp(_ render: () -> Void) {
    stage.setListener(ahead: Vector3(0, 1, 0), up: Vector3(0, 0, 1))
    let sources = (parts.map(\.outlet) + spares).map(\.source)
    for source in sources {
      _ = source.play()
      source.setPosition(Vector3(0, 1, 0))
      source.setGain(1)
    }
    render()
    for source in sources { source.stop() }
  }

  private func makeOutlet() throws(EngineError) -> Outlet {
    Outlet(try stage.makeSource(silence, looping: true), from: madeFrames ?? stage.frame)
  }

  private func part(_ beacon: Sounding, _ voice: BeaconVoice, _ outlet: Outlet) -> Part {
    Part(outlet: outlet, voice: voice, gain: beacon.gain, distanceModel: beacon.distanceModel)
  }

  /// Adds a beacon at the end, with a voice for its sounds; it begins on a beat.
  ///
  /// - Throws: `EngineError` if the engine cannot hold it.
  func add(_ beacon: Sounding, _ voice: BeaconVoice) throws(EngineError) {
    let outlet =
      if let spare = spares.popLast() {
        Outlet(spare.source, from: madeFrames ?? stage.frame)
      } else { try makeOutlet() }
    parts.append(part(beacon, voice, outlet))
    let last = parts.count - 1
    parts[last].outlet.start = parts[last].outlet.source.play()
  }

  /// Takes a beacon away, and returns its voice; the numbers of those after it become one less.
  func remove(_ index: Int) -> BeaconVoice {
    let part = parts.remove(at: index)
    part.outlet.source.stop()
    if keepsSpares {
      silence.withUnsafeBufferPointer { part.outlet.source.write($0, at: 0) }
      part.outlet.source.setGain(1)
      spares.append(part.outlet)
    }
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
    speech.map { frame < $0.frames.upperBound } ?? false
  }

  /// Says words from the place of a beacon, with what is made next; until they end the beacons are dimmed.
  /// Neither that dimming nor a beacon's own loudness is theirs.
  ///
  /// To be called after the scene's first moment, where words are possible at all, and while none last.
  ///
  /// - Parameter samples: the words at the engine's rate.
  public func say(_ samples: [Float], from beacon: Int) {
    guard let madeFrames, speech != nil else { return }
    speech?.samples = samples
    speech?.beacon = beacon
    speech?.frames = madeFrames..<madeFrames + samples.count
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
    while madeFrames < end {
      ducking.target = isSpeaking(at: madeFrames) ? Self.duckedGain : 1
      for index in parts.indices {
        let state = scene.beacons[index]
        let wish = BeaconVoice.Wish(
          presence: state.presence, region: state.regionIndex, closeness: state.closeness)
        parts[index].voice.render(into: piece, from: madeFrames, wish)
        if !parts[index].voice.isSilent {
          parts[index].outlet.sounds(until: madeFrames + piece.count)
        }
        ducking.apply(to: piece)
        volumeRamp.apply(to: piece)
        meter(parts[index].outlet.gain)
        write(to: parts[index].outlet, from: madeFrames)
      }
      if let speech {
        if isSpeaking(at: madeFrames) {
          self.speech?.outlet.sounds(until: speech.frames.upperBound)
        }
        for index in piece.indices {
          let now = madeFrames + index
          piece[index] =
            speech.frames.contains(now) ? speech.samples[now - speech.frames.lowerBound] : 0
        }
        volumeRamp.apply(to: piece)
        write(to: speech.outlet, from: madeFrames)
      }
      ducking.advance(piece.count)
      volumeRamp.advance(piece.count)
      madeFrames += piece.count
    }
  }

  /// Takes the piece, heard with a gain, into the peak.
  private func meter(_ gain: Float) {
    guard var peak else { return }
    for sample in piece { peak = max(peak, gain * abs(sample)) }
    self.peak = peak
  }

  /// Puts the piece into an outlet's loop, where the scene's frame is played.
  private func write(to outlet: Outlet, from frame: Int) {
    let rest = (frame - outlet.start) % Self.loopLength
    let place = rest < 0 ? rest + Self.loopLength : rest
    let count = min(piece.count, Self.loopLength - place)
    outlet.source.write(UnsafeBufferPointer(rebasing: piece[..<count]), at: place)
    if count < piece.count {
      outlet.source.write(UnsafeBufferPointer(rebasing: piece[count...]), at: 0)
    }
  }

  /// Sets listener and sources to the scene's present moment; allocates nothing.
  public func update(_ scene: BeaconScene) {
    stage.setListener(ahead: scene.orientation.ahead, up: scene.orientation.up)
    let dimming = scene.heading == nil ? Self.dimmedGain : 1
    let frame = stage.frame
    for index in parts.indices {
      let geometry = scene.beacons[index].geometry
      parts[index].outlet.source.setPosition(Self.place(geometry))
      let fall = Float(parts[index].distanceModel.gain(distance: geometry.distance))
      parts[index].outlet.update(
        at: frame, gain: parts[index].gain * dimming * min(1, fall))
    }
    if let speech, speech.beacon < scene.beacons.count, isSpeaking(at: frame) {
      speech.outlet.source.setPosition(Self.place(scene.beacons[speech.beacon].geometry))
    }
    speech?.outlet.update(at: frame, gain: 1)
  }

  private static func place(_ geometry: BeaconGeometry) -> Vector3 {
    max(nearest, geometry.distance) * WorldFrame.direction(azimuth: geometry.bearing)
  }
}
