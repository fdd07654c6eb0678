import Files
import Glibc

/// Folders that are made for outputs of several files.
enum Folder {
  /// Makes a folder, of which the one above exists; an empty one may be there.
  ///
  /// - Throws: `FileError` if it cannot be made, or holds files.
  static func make(_ path: String) throws(FileError) {
    if mkdir(path, 0o777) == 0 { return }
    guard errno == EEXIST, let listing = opendir(path) else {
      throw .system(.unwritable, file: path, errno: errno)
    }
    defer { closedir(listing) }
    while let item = readdir(listing) {
      let name = withUnsafeBytes(of: item.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name == "." || name == ".." else {
        throw FileError(.unwritable, file: path, "is not empty")
      }
    }
  }

  /// Whether a path is a folder's.
  static func isThere(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// A file's path from the root.
  static func absolutePath(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
