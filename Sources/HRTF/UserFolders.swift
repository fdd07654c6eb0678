public import Files
import Glibc

/// The user's folders, by the XDG Base Directory Specification.
public enum UserFolders {
  /// An environment variable that is set and not empty.
  public static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// The folder for files that can be made again: `$XDG_CACHE_HOME/aurient`, else
  /// `~/.cache/aurient`.
  public static var cache: String {
    if let folder = environment("XDG_CACHE_HOME"), folder.hasPrefix("/") {
      return folder + "/aurient"
    }
    return (environment("HOME") ?? "/tmp") + "/.cache/aurient"
  }

  /// Makes a folder and those above it.
  ///
  /// - Throws: `FileError` if one cannot be made.
  public static func make(_ folder: String) throws(FileError) {
    var path = folder.hasPrefix("/") ? "" : "."
    for part in folder.split(separator: "/") {
      path += "/" + part
      guard mkdir(path, 0o777) != 0, errno != EEXIST else { continue }
      let fault = errno
      var status = stat()
      guard stat(path, &status) == 0 else {
        var error = FileError.system(.unwritable, file: path, errno: fault)
        error.cause += "; XDG_CACHE_HOME names another folder for the cache"
        throw error
      }
    }
  }
}
