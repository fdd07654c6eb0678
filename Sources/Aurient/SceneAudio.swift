public import SpatialAudio
import Geometry
import Glibc
import Navigation

/// A scene's sound in the engine: one listener at the centre and a source for each beacon around. A far
/// beacon stays as audible as a near one; its distance is heard only in data sets of several.
public final class SceneAudio {
  private let mix: LoopbackMix
  private let sources: [MixSource]
  private let gains: [Float]
  private var isDimmed = false

  /// Metres; a beacon on the very spot still has a direction.
  private static let nearest = 0.1
  /// Gain while no heading is known: the beacons' directions are then not to be trusted. −8 dB, as
  /// Soundscape dims them.
  private static let dimmedGain: Float = 0.4

  /// Loads a beacon's sound and gain (a factor) each, and starts them together.
  ///
  /// - Throws: `EngineError` if the engine cannot hold them.
  public init(
    _ beacons: [(sound: [Float], gain: Float)], on mix: LoopbackMix
  ) throws(EngineError) {
    self.mix = mix
    gains = beacons.map(\.gain)
    var sources: [MixSource] = []
    for beacon in beacons {
      sources.append(try MixSource(beacon.sound, looping: true, on: mix))
    }
    self.sources = sources
    for (source, gain) in zip(sources, gains) {
      source.setGain(gain)
      source.play()
    }
  }

  /// Sets listener and sources to the scene's present moment; allocates nothing.
  public func update(_ scene: BeaconScene) {
    mix.setListener(ahead: scene.orientation.ahead, up: scene.orientation.up)
    for index in sources.indices {
      sources[index].setPosition(
        max(Self.nearest, scene.geometry[index].distance)
          * WorldFrame.direction(azimuth: scene.geometry[index].bearing))
    }
    let isUncertain = scene.heading == nil
    if isUncertain != isDimmed {
      isDimmed = isUncertain
      for index in sources.indices {
        sources[index].setGain(gains[index] * (isDimmed ? Self.dimmedGain : 1))
      }
    }
  }
}
