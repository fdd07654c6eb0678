import Files
import Navigation

/// The sounds of a beacon that were read before a session is told to use them, on a thread that may wait
/// for files.
public final class LoadedSounds: Sendable {
  /// The file or folder that they are from.
  public let path: String
  /// Hz.
  let sampleRate: Int
  let sounds: StyleSounds
  /// How the style divides the directions; nil for a plain sound.
  let division: AngularRegions?

  /// Reads a style; see `BeaconStyle(path:)`.
  ///
  /// - Throws: `FileError` if it cannot be read.
  init(style path: String, sampleRate: Int) throws(FileError) {
    let style = try BeaconStyle(path: path)
    sounds = try StyleSounds(style, sampleRate: sampleRate)
    division = style.division
    self.path = path
    self.sampleRate = sampleRate
  }

  /// Reads a sound file.
  ///
  /// - Throws: `FileError` if it cannot be read.
  init(sound path: String, sampleRate: Int) throws(FileError) {
    sounds = try StyleSounds(path: path, sampleRate: sampleRate)
    division = nil
    self.path = path
    self.sampleRate = sampleRate
  }
}

extension LoadedSounds: Equatable {
  /// Whether both are the same ones.
  public static func == (one: LoadedSounds, other: LoadedSounds) -> Bool { one === other }
}
