import Glibc

/// Files read whole.
public enum InputFile {
  /// A file's bytes.
  ///
  /// - Throws: `FileError` if it cannot be read, is a directory, is a device, or is larger than `limit` bytes.
  public static func bytes(path: String, limit: Int) throws(FileError) -> [UInt8] {
    let (descriptor, size) = try opened(path)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: max(4096, min(size + 1, limit)))
    var filled = 0
    while true {
      let count = bytes.withUnsafeMutableBytes { buffer in
        read(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
      }
      guard count >= 0 else { throw .system(.unreadable, file: path, errno: errno) }
      guard count > 0 else { break }
      filled += count
      guard filled < limit else {
        throw FileError(.unsupported, file: path, "larger than \(limit) bytes")
      }
      if filled == bytes.count { bytes += [UInt8](repeating: 0, count: bytes.count) }
    }
    bytes.removeLast(bytes.count - filled)
    return bytes
  }
}

extension InputFile {
  /// Checks that a file, which is there, may be read more than once.
  ///
  /// - Throws: `FileError` for a pipe, a socket or a device.
  public static func checkIsRegular(path: String) throws(FileError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .system(.unreadable, file: path, errno: errno) }
    guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
      throw FileError(.unsupported, file: path, "is a pipe or a device; it takes a file")
    }
  }

  /// The first byte of a file.
  ///
  /// - Throws: `FileError` if it cannot be read, is a directory, or is empty.
  public static func firstByte(path: String) throws(FileError) -> UInt8 {
    guard let byte = try beginning(path: path, count: 1).bytes.first else {
      throw FileError(.malformed, file: path, "the file is empty")
    }
    return byte
  }
}

extension InputFile {
  /// Calls `body` with all of a file, a part at a time.
  ///
  /// - Throws: `FileError` if it cannot be read, is a directory or a device.
  static func forEachPart(
    path: String, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(FileError) {
    let (descriptor, _) = try opened(path)
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count >= 0 else { throw .system(.unreadable, file: path, errno: errno) }
      guard count > 0 else { return }
      buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }
}

extension InputFile {
  /// The first bytes of a file, fewer if it is shorter, and its whole length.
  ///
  /// - Throws: `FileError` if it cannot be read or is a directory.
  public static func beginning(
    path: String, count: Int
  ) throws(FileError) -> (bytes: [UInt8], byteCount: Int) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(.unreadable, file: path, errno: errno) }
    defer { close(descriptor) }
    var status = stat()
    var bytes = [UInt8](repeating: 0, count: count)
    let length = read(descriptor, &bytes, count)
    guard fstat(descriptor, &status) == 0, length >= 0 else {
      throw .system(.unreadable, file: path, errno: errno)
    }
    return (Array(bytes.prefix(length)), Int(status.st_size))
  }
}

extension InputFile {
  /// Opens a file that is no device; its size is 0 where it has none.
  private static func opened(_ path: String) throws(FileError) -> (descriptor: Int32, size: Int) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(.unreadable, file: path, errno: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      defer { close(descriptor) }
      throw .system(.unreadable, file: path, errno: errno)
    }
    guard status.st_mode & S_IFMT != S_IFCHR || path == "/dev/null" else {
      close(descriptor)
      throw FileError(.unreadable, file: path, "is a device")
    }
    return (descriptor, Int(status.st_size))
  }
}
