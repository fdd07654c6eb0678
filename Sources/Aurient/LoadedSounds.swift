import Files
import Glibc
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
  private let files: [String]
  /// What the files were before they were read.
  private let versions: [FileVersion?]

  /// Reads a style from its folder; see `BeaconStyle(path:)`.
  ///
  /// - Throws: `FileError` if it cannot be read.
  init(style path: String, sampleRate: Int) throws(FileError) {
    let style = try BeaconStyle(path: path)
    files =
      style.loops.map(\.file)
      + [path + "/style.json", style.start, style.end, style.hum].compactMap { $0 }
    versions = files.map(FileVersion.init)
    sounds = try StyleSounds(style, sampleRate: sampleRate)
    division = style.division
    self.path = path
    self.sampleRate = sampleRate
  }

  /// Reads a sound file.
  ///
  /// - Throws: `FileError` if it cannot be read.
  init(sound path: String, sampleRate: Int) throws(FileError) {
    files = [path]
    versions = files.map(FileVersion.init)
    sounds = try StyleSounds(path: path, sampleRate: sampleRate)
    division = nil
    self.path = path
    self.sampleRate = sampleRate
  }

  /// Whether the files are still as they were read.
  var areCurrent: Bool { files.map(FileVersion.init) == versions }
}

/// What tells a file from what it was before.
private struct FileVersion: Equatable {
  let size: Int
  let seconds: Int
  let nanoseconds: Int

  /// Nil where there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    size = Int(status.st_size)
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}

extension LoadedSounds: Equatable {
  /// Whether both are the same ones.
  public static func == (one: LoadedSounds, other: LoadedSounds) -> Bool { one === other }
}
