import Files
import Glibc

/// Folders that are made for outputs of several files.
enum Folder {
  /// Makes a folder, of which the one above exists; an empty one may be there.
  ///
  /// - Throws: `FileError` if it cannot be made, or holds files.
  static func make(_ path: String) throws(FileError) {
    if mkdir(path, 0o777) == 0 { return }
    guard errno == EEXIST, let names = names(in: path) else {
      throw .system(.unwritable, file: path, errno: errno)
    }
    guard names.allSatisfy({ $0 == "." || $0 == ".." }) else {
      throw FileError(.unwritable, file: path, "is not empty")
    }
  }

  /// The names of what is in a folder, `.` and `..` too; nil if it cannot be read.
  static func names(in path: String) -> [String]? {
    guard let listing = opendir(path) else { return nil }
    defer { closedir(listing) }
    var names: [String] = []
    while let item = readdir(listing), let offset = MemoryLayout<dirent>.offset(of: \.d_name) {
      // An entry ends with its name, and the memory perhaps with it, however long the structure is said to be.
      let name = (UnsafeRawPointer(item) + offset).assumingMemoryBound(to: CChar.self)
      names.append(String(cString: name))
    }
    return names
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
