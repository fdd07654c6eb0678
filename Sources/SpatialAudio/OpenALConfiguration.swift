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
  /// - Parameters:
  ///   - cache: Where data sets are.
  ///   - latency: How far ahead devices mix that play; nil leaves it to the user's settings, else to
  ///     OpenAL.
  /// - Throws: `FileError` if the configuration cannot be written.
  public static func prepare(
    cache: HRTFCache, latency: LatencyPreset? = nil
  ) throws(FileError) {
    try isPrepared.withLock { isPrepared throws(FileError) in
      guard !isPrepared else { return }
      guard !cache.folder.contains(",") else {
        throw FileError(
          .unsupported, file: cache.folder, "OpenAL Soft cannot read data sets below a comma")
      }
      let text = content(
        files: userFiles, own: UserFolders.environment("ALSOFT_CONF"), latency: latency)
      let path = "\(cache.folder)/alsoft-\(contentHash(Array(text.utf8))).conf"
      if access(path, R_OK) != 0 {
        try UserFolders.make(cache.folder)
        try OutputFile.write(text.utf8, to: path)
      }
      setenv(cacheVariable, cache.folder, 1)
      setenv("ALSOFT_CONF", path, 1)
      // What goes wrong is told by errors, once.
      setenv("ALSOFT_LOGLEVEL", "0", 0)
      // PulseAudio's library, which OpenAL asks even where nothing plays, logs to the system's log then.
      setenv("PULSE_LOG_SYSLOG", "1", 0)
      isPrepared = true
    }
  }

  private static let isPrepared = Mutex(false)

  /// The environment variable that tells OpenAL the cache's folder. In the file itself a `#` or `$`
  /// in the folder's name would have a meaning, and a line's end beyond 255 bytes would be cut.
  private static let cacheVariable = "AURIENT_HRTF_CACHE"

  /// The content of the file for `ALSOFT_CONF`.
  ///
  /// - Parameters:
  ///   - files: The configuration files that OpenAL reads by itself, in its order.
  ///   - own: The file that the user's `ALSOFT_CONF` names, which the new one stands in for.
  ///   - latency: See `prepare`.
  static func content(files: [String], own: String?, latency: LatencyPreset? = nil) -> String {
    func text(_ file: String) -> String? {
      // What cannot be read, OpenAL passes over too.
      (try? InputFile.bytes(path: file, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
    }
    let ownText = own.flatMap(text) ?? ""
    let texts = files.compactMap(text) + [ownText]
    let paths = texts.compactMap { setting("hrtf-paths", of: $0) }
    // A trailing comma keeps the system's own folders.
    var content = ownText + "\n[general]\nhrtf-paths = $\(cacheVariable),\(paths.last ?? "")\n"
    if let latency {
      content += "period_size = \(latency.period)\nperiods = \(latency.periodCount)\n"
      // OpenAL Soft 1.19 mixes at ordinary priority unless told to.
      if texts.allSatisfy({ setting("rt-prio", of: $0) == nil }) { content += "rt-prio = 1\n" }
      // What PulseAudio itself keeps ahead counts too; OpenAL Soft 1.19 always asks for that.
      content += "[pulse]\nadjust-latency = true\n"
    }
    return content
  }

  /// The files that OpenAL Soft reads before that of `ALSOFT_CONF`, later ones over earlier
  /// (`ReadALConfig` in its sources).
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
    if let program = realpath("/proc/self/exe", nil) {
      defer { free(program) }
      let path = String(cString: program)
      files.append(path[..<(path.lastIndex(of: "/") ?? path.startIndex)] + "/alsoft.conf")
    }
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
        value = unquoted(trimmed(line[line.index(after: equals)...]))
      }
    }
    return value
  }

  private static func unquoted(_ value: Substring) -> String {
    guard let quote = value.first, quote == "\"" || quote == "'" else { return String(value) }
    return String(value.dropFirst().prefix { $0 != quote })
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
