public import Files
import Glibc
import Navigation

/// The sounds of a scene's beacons at the engine's rate, each read once however many beacons share it.
public struct SoundLibrary: Sendable {
  private let sampleRate: Int
  private var styles: [String: (style: BeaconStyle, sounds: StyleSounds)] = [:]
  private var sounds: [String: StyleSounds] = [:]

  private static let usualSound = "/Sounds/mallet.flac"

  /// An empty library for a rate in Hz.
  public init(sampleRate: Int) { self.sampleRate = sampleRate }

  /// A beacon of a scene as it is heard.
  ///
  /// - Throws: `FileError` if its style or sound cannot be read.
  public mutating func sounding(
    _ beacon: Scene.Beacon, in scene: Scene
  ) throws(FileError) -> SceneAudio.Sounding {
    SceneAudio.Sounding(
      try styleSounds(of: beacon, in: scene),
      gain: Float(pow(10, min(0, beacon.gain + scene.gain) / 20)),
      distanceModel: scene.distanceModel)
  }

  /// A beacon of a scene before its first moment: with regions and an arrival where its style has them.
  ///
  /// - Throws: `FileError` if its style cannot be read.
  public mutating func state(
    _ beacon: Scene.Beacon, in scene: Scene
  ) throws(FileError) -> BeaconState {
    let style = try style(of: beacon, in: scene)
    return BeaconState(
      beacon.beacon, division: style?.style.division,
      vicinity: Self.vicinity(of: scene, hasStyle: style != nil))
  }

  /// Where a beacon is arrived at, if anywhere.
  static func vicinity(of scene: Scene, hasStyle: Bool) -> Vicinity? {
    scene.vicinity ?? (hasStyle ? Vicinity() : nil)
  }

  private mutating func styleSounds(
    of beacon: Scene.Beacon, in scene: Scene
  ) throws(FileError) -> StyleSounds {
    if let style = try style(of: beacon, in: scene) { return style.sounds }
    guard
      let path = beacon.sound ?? scene.sound ?? DataFolder.path.map({ $0 + Self.usualSound })
    else {
      throw FileError(
        .notFound, file: "Sounds",
        "not beside the program: name a sound, or set AURIENT_DATA to the folder that holds HRTF "
          + "and Sounds")
    }
    if let known = sounds[path] { return known }
    let read = try StyleSounds(path: path, sampleRate: sampleRate)
    sounds[path] = read
    return read
  }

  /// The style of a beacon; a sound of its own goes before the scene's style.
  private mutating func style(
    of beacon: Scene.Beacon, in scene: Scene
  ) throws(FileError) -> (style: BeaconStyle, sounds: StyleSounds)? {
    guard let name = beacon.style ?? (beacon.sound == nil ? scene.style : nil) else { return nil }
    if let known = styles[name] { return known }
    let style = try BeaconStyle(named: name)
    let read = (style: style, sounds: try StyleSounds(style, sampleRate: sampleRate))
    styles[name] = read
    return read
  }
}
