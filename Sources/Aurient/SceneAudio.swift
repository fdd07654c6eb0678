public import SpatialAudio
import Geometry
import Glibc
import Navigation

/// A scene's sound in the engine: one listener at the centre and a source for each beacon on a circle
/// around, so that a far beacon stays as audible as a near one and only its bearing is heard.
public final class SceneAudio {
  private let device: LoopbackDevice
  private let sources: [LoopbackSource]
  private let gains: [Float]
  private var isDimmed = false

  /// Radius of the circle, metres; beyond OpenAL's reference distance nothing depends on it.
  private static let radius = 1.0
  /// Gain while no heading is known: the beacons' directions are then not to be trusted. −8 dB, as
  /// Soundscape dims them.
  private static let dimmedGain: Float = 0.4

  /// Loads a beacon's sound and gain (a factor) each, and starts them together.
  ///
  /// - Throws: `EngineError` if the engine cannot hold them.
  public init(
    _ beacons: [(sound: [Float], gain: Float)], on device: LoopbackDevice
  ) throws(EngineError) {
    self.device = device
    gains = beacons.map(\.gain)
    var sources: [LoopbackSource] = []
    for beacon in beacons {
      sources.append(try LoopbackSource(beacon.sound, looping: true, on: device))
    }
    self.sources = sources
    for (source, gain) in zip(sources, gains) {
      source.setGain(gain)
      source.play()
    }
  }

  /// Sets listener and sources to the scene's present moment; allocates nothing.
  public func update(_ scene: BeaconScene) {
    device.setListener(ahead: scene.orientation.ahead, up: scene.orientation.up)
    for index in sources.indices {
      sources[index].setPosition(
        Self.radius * WorldFrame.direction(azimuth: scene.geometry[index].bearing))
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
