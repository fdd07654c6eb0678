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
    let source: any StageSource
    var voice: BeaconVoice
    var gain: Float
    var distanceModel: DistanceModel
    /// The frame at which its loop in OpenAL began.
    var start: Int
    var sent: Float = -1
  }

  private let stage: any SoundStage
  private var parts: [Part] = []
  /// Up to which frame voices are made; nil before the scene's first moment.
  public private(set) var madeFrames: Int?
  private let piece: UnsafeMutableBufferPointer<Float>
  private let silence: [Float]

  /// Metres; a beacon on the very spot still has a direction.
  private static let nearest = 0.1
  /// Gain while no heading is known: the beacons' directions are then not to be trusted. −8 dB, as
  /// Soundscape dims them.
  private static let dimmedGain: Float = 0.4
  /// Frames of a piece; of how far pieces are made ahead; and of the loop in which OpenAL plays them.
  static let pieceLength = 256
  static let lead = 4096
  static let loopLength = 4 * lead

  /// Starts the beacons together.
  ///
  /// - Throws: `EngineError` if the engine cannot hold them.
  public init(_ beacons: [Sounding], on stage: any SoundStage) throws(EngineError) {
    self.stage = stage
    piece = .allocate(capacity: Self.pieceLength)
    silence = [Float](repeating: 0, count: Self.loopLength)
    for beacon in beacons { parts.append(try part(beacon)) }
    for index in parts.indices { parts[index].start = parts[index].source.play() }
  }

  deinit { piece.deallocate() }

  private func part(_ beacon: Sounding) throws(EngineError) -> Part {
    Part(
      source: try stage.makeSource(silence, looping: true),
      voice: BeaconVoice(beacon.sounds, sampleRate: stage.sampleRate), gain: beacon.gain,
      distanceModel: beacon.distanceModel, start: 0)
  }

  /// Adds a beacon at the end; it begins on a beat.
  ///
  /// - Throws: `EngineError` if the engine cannot hold it.
  public func add(_ beacon: Sounding) throws(EngineError) {
    parts.append(try part(beacon))
    parts[parts.count - 1].start = parts[parts.count - 1].source.play()
  }

  /// Takes a beacon away; the numbers of those after it become one less.
  public func remove(_ index: Int) {
    parts[index].source.stop()
    parts.remove(at: index)
  }

  /// Gives a beacon other sounds, from the next beat of theirs on.
  public func setSounds(_ sounds: StyleSounds, of index: Int) {
    parts[index].voice = BeaconVoice(sounds, sampleRate: stage.sampleRate)
  }

  /// Sets a beacon's loudness, a factor from 0 to 1.
  public func setGain(_ gain: Float, of index: Int) { parts[index].gain = gain }

  /// The loudest sample made since it was last set to 0.
  var peak: Float = 0

  /// Loudness of all, a factor from 0 to 1.
  public var volume: Float = 1

  /// Begins the voices with the scene's first moment, which takes effect at a frame; later calls do
  /// nothing.
  public func begin(_ scene: BeaconScene, at frame: Int) {
    guard madeFrames == nil else { return }
    madeFrames = frame
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
      for index in parts.indices {
        let state = scene.beacons[index]
        let wish = BeaconVoice.Wish(
          isSounding: state.isSounding, region: state.regionIndex, closeness: state.closeness)
        parts[index].voice.render(into: piece, from: madeFrames, wish)
        let gain = max(0, parts[index].sent)
        for sample in piece { peak = max(peak, gain * abs(sample)) }
        let place = (madeFrames - parts[index].start) % Self.loopLength
        write(at: place < 0 ? place + Self.loopLength : place, to: parts[index].source)
      }
      madeFrames += Self.pieceLength
    }
  }

  /// Writes the piece into the loop that OpenAL plays, of which it may go over the end.
  private func write(at place: Int, to source: any StageSource) {
    let count = min(Self.pieceLength, Self.loopLength - place)
    source.write(UnsafeBufferPointer(rebasing: piece[..<count]), at: place)
    if count < Self.pieceLength {
      source.write(UnsafeBufferPointer(rebasing: piece[count...]), at: 0)
    }
  }

  /// Sets listener and sources to the scene's present moment; allocates nothing.
  public func update(_ scene: BeaconScene) {
    stage.setListener(ahead: scene.orientation.ahead, up: scene.orientation.up)
    let dimming = volume * (scene.heading == nil ? Self.dimmedGain : 1)
    for index in parts.indices {
      let geometry = scene.beacons[index].geometry
      parts[index].source.setPosition(
        max(Self.nearest, geometry.distance) * WorldFrame.direction(azimuth: geometry.bearing))
      let fall = Float(parts[index].distanceModel.gain(distance: geometry.distance))
      let gain = parts[index].gain * dimming * min(1, fall)
      if gain != parts[index].sent {
        parts[index].sent = gain
        parts[index].source.setGain(gain)
      }
    }
  }
}
