public import Files
import Glibc
public import HRTF
import Synchronization

/// How OpenAL Soft learns of the cache of data sets.
///
/// OpenAL reads its configuration once, before its first call, and the file that `ALSOFT_CONF` names
/// last, over all others. That file is written here: what the user's own `ALSOFT_CONF` says, and the
/// user's `hrtf-paths` with the cache before them, so that neither settings nor data sets of the user
/// are lost.
public enum OpenALConfiguration {
  /// Makes OpenAL find the data sets of this cache; must come before the process's first OpenAL call.
  /// Later calls do nothing.
  ///
  /// - Throws: `FileError` if the configuration cannot be written.
  public static func prepare(cache: HRTFCache) throws(FileError) {
    try isPrepared.withLock { isPrepared throws(FileError) in
      guard !isPrepared else { return }
      guard !cache.folder.contains(",") else {
        throw FileError(
          .unsupported, file: cache.folder, "OpenAL Soft cannot read data sets below a comma")
      }
      let text = content(cacheFolder: cache.folder, files: userFiles)
      let path = "\(cache.folder)/alsoft-\(contentHash(Array(text.utf8))).conf"
      if access(path, R_OK) != 0 {
        try UserFolders.make(cache.folder)
        try OutputFile.write(text.utf8, to: path)
      }
      setenv("ALSOFT_CONF", path, 1)
      isPrepared = true
    }
  }

  private static let isPrepared = Mutex(false)

  /// The content of the file for `ALSOFT_CONF`.
  ///
  /// - Parameters:
  ///   - cacheFolder: The folder of the cache.
  ///   - files: The configuration files that OpenAL reads, in its order.
  static func content(cacheFolder: String, files: [String]) -> String {
    var paths = ""
    var own = ""
    for file in files {
      guard let bytes = try? InputFile.bytes(path: file, limit: 1 << 20) else { continue }
      own = String(decoding: bytes, as: UTF8.self)
      paths = setting("hrtf-paths", of: own) ?? paths
    }
    // A trailing comma keeps the system's own folders.
    let userFile = UserFolders.environment("ALSOFT_CONF") == nil ? "" : own
    return userFile + "\n[general]\nhrtf-paths = \(cacheFolder),\(paths)\n"
  }

  /// The files that OpenAL Soft reads, later ones over earlier (`ReadALConfig` in its sources).
  static var userFiles: [String] {
    var files = ["/etc/openal/alsoft.conf"]
    let folders = UserFolders.environment("XDG_CONFIG_DIRS") ?? "/etc/xdg"
    files += folders.split(separator: ":").reversed().map { $0 + "/alsoft.conf" }
    if let home = UserFolders.environment("HOME") { files.append(home + "/.alsoftrc") }
    if let folder = UserFolders.environment("XDG_CONFIG_HOME") {
      files.append(folder + "/alsoft.conf")
    } else if let home = UserFolders.environment("HOME") {
      files.append(home + "/.config/alsoft.conf")
    }
    if let own = UserFolders.environment("ALSOFT_CONF") { files.append(own) }
    return files
  }

  /// A setting of the section `general` (or of none) of a configuration's text.
  private static func setting(_ name: String, of text: String) -> String? {
    var isGeneral = true
    var value: String?
    for line in text.split(whereSeparator: \.isNewline) {
      let line = trimmed(line.prefix { $0 != "#" })
      if line.hasPrefix("[") {
        isGeneral = line.lowercased() == "[general]"
      } else if isGeneral, let equals = line.firstIndex(of: "="),
        trimmed(line[..<equals]).lowercased() == name
      {
        value = String(trimmed(line[line.index(after: equals)...]))
      }
    }
    return value
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
