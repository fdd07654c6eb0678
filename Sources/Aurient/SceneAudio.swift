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
    let source: MixSource
    var voice: BeaconVoice
    var gain: Float
    var distanceModel: DistanceModel
    /// The frame at which its loop in OpenAL began.
    var start: Int
    var sent: Float = -1
  }

  private let mix: LoopbackMix
  private var parts: [Part] = []
  /// Up to which frame voices are made; nil before the scene's first moment.
  private var madeFrames: Int?
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
  public init(_ beacons: [Sounding], on mix: LoopbackMix) throws(EngineError) {
    self.mix = mix
    piece = .allocate(capacity: Self.pieceLength)
    silence = [Float](repeating: 0, count: Self.loopLength)
    for beacon in beacons {
      let source = try MixSource(silence, looping: true, on: mix)
      parts.append(
        Part(
          source: source, voice: BeaconVoice(beacon.sounds, sampleRate: mix.sampleRate),
          gain: beacon.gain, distanceModel: beacon.distanceModel, start: mix.frameCount))
    }
    for part in parts { part.source.play() }
  }

  deinit { piece.deallocate() }

  /// Makes the pieces that are due at a frame, by the scene as it is; allocates nothing.
  ///
  /// To be called before the scene moves on at that frame.
  public func prepare(_ scene: BeaconScene, at frame: Int) {
    guard var madeFrames else { return }
    defer { self.madeFrames = madeFrames }
    while madeFrames - Self.lead <= frame {
      for index in parts.indices {
        let state = scene.beacons[index]
        let wish = BeaconVoice.Wish(
          isSounding: state.isSounding, region: state.regionIndex, closeness: state.closeness)
        parts[index].voice.render(into: piece, from: madeFrames, wish)
        parts[index].source.write(
          UnsafeBufferPointer(piece), at: (madeFrames - parts[index].start) % Self.loopLength)
      }
      madeFrames += Self.pieceLength
    }
  }

  /// Sets listener and sources to the scene's present moment, which comes at a frame; allocates nothing.
  public func update(_ scene: BeaconScene, at frame: Int) {
    if madeFrames == nil {
      madeFrames = frame
      prepare(scene, at: frame)
    }
    mix.setListener(ahead: scene.orientation.ahead, up: scene.orientation.up)
    let dimming = scene.heading == nil ? Self.dimmedGain : 1
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
