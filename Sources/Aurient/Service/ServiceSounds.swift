import Files
import Glibc

/// The sounds and styles that clients may name: those below some folders, and nothing else.
struct ServiceSounds {
  /// The folders, as the system resolves them.
  private let folders: [String]
  private var loaded: [String: LoadedSounds] = [:]

  /// Sounds that are kept in case that they are asked for again.
  private static let mostKept = 32

  /// - Throws: `FileError` if one is no folder.
  init(folders: [String]) throws(FileError) {
    for folder in folders where !Folder.isThere(folder) {
      throw FileError(.notFound, file: folder, "is no folder")
    }
    self.folders = folders.map(Folder.absolutePath)
  }

  /// Finds a style by the name of its folder, and reads it.
  mutating func style(_ name: String, sampleRate: Int) throws -> LoadedSounds {
    guard let description = find(name + "/style.json") else {
      throw ServiceRequest.Refusal("there is no style \(quoted(name))")
    }
    let path = String(description.dropLast("/style.json".utf8.count))
    return try load(path, sampleRate) { () throws(FileError) in
      try LoadedSounds(style: path, sampleRate: sampleRate)
    }
  }

  /// Finds a sound file by its name, and reads it.
  mutating func sound(_ name: String, sampleRate: Int) throws -> LoadedSounds {
    guard let path = find(name) else {
      throw ServiceRequest.Refusal("there is no sound \(quoted(name))")
    }
    return try load(path, sampleRate) { () throws(FileError) in
      try LoadedSounds(sound: path, sampleRate: sampleRate)
    }
  }

  private mutating func load(
    _ path: String, _ sampleRate: Int, _ read: () throws(FileError) -> LoadedSounds
  ) throws(FileError) -> LoadedSounds {
    if let known = loaded[path], known.sampleRate == sampleRate, known.areCurrent { return known }
    let sounds = try read()
    if loaded.count >= Self.mostKept { loaded.removeAll() }
    loaded[path] = sounds
    return sounds
  }

  /// The path of a file below one of the folders, whatever links there are on the way; nil for any other.
  func find(_ name: String) -> String? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { return nil }
    for folder in folders {
      let path = Folder.absolutePath(folder + "/" + name)
      var status = stat()
      guard path.hasPrefix(folder == "/" ? "/" : folder + "/"), stat(path, &status) == 0,
        status.st_mode & S_IFMT == S_IFREG
      else { continue }
      return path
    }
    return nil
  }
}
