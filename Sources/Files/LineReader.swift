import Glibc

/// Reads a text file a line at a time through one buffer, whatever its length.
public final class LineReader {
  /// The file, as the user named it.
  public let path: String
  /// The number of the current line, counted from 1.
  public private(set) var line = 0
  /// How much of the file has been read so far, 0 to 1; 0 where its length isn't known.
  public var fractionRead: Double { length > 0 ? min(1, Double(bytesRead) / Double(length)) : 0 }

  private static let longestLine = 1 << 20

  private let descriptor: Int32
  private let length: Int
  private var bytesRead = 0
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 2 * longestLine, alignment: 16)
  private var start = 0
  private var end = 0
  private var isAtEndOfFile = false

  /// Opens the file.
  public init(path: String) throws(FileError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    let failure = errno
    var status = stat()
    length = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    guard descriptor >= 0 else { throw .system(.unreadable, file: path, errno: failure) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    buffer.deallocate()
  }

  /// The next line without its end, valid until the one after is read; nil at the end of the file.
  ///
  /// - Throws: `FileError` if the file cannot be read or the line is longer than a mebibyte.
  public func next() throws(FileError) -> UnsafeRawBufferPointer? {
    while true {
      let pending = UnsafeRawBufferPointer(rebasing: buffer[start..<end])
      let length = lineLength(pending)
      guard (length ?? pending.count) <= Self.longestLine else {
        throw FileError(
          .malformed, file: path, place: "line \(line + 1)",
          "longer than a mebibyte; not a text file?")
      }
      if let length {
        start = min(end, start + length + 1)
        line += 1
        var last = length
        while last > 0, pending[last - 1] == UInt8(ascii: "\r") { last -= 1 }
        return UnsafeRawBufferPointer(rebasing: pending[..<last])
      }
      if isAtEndOfFile { return nil }
      try refill()
    }
  }

  /// Bytes before the first line end; of the last line all that is there.
  private func lineLength(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return nil }
    if let found = memchr(base, Int32(UInt8(ascii: "\n")), bytes.count) {
      return UnsafeRawPointer(found) - base
    }
    return isAtEndOfFile ? bytes.count : nil
  }

  private func refill() throws(FileError) {
    guard let base = buffer.baseAddress else { return }
    memmove(base, base + start, end - start)
    end -= start
    start = 0
    var count: Int
    repeat {
      count = read(descriptor, base + end, buffer.count - end)
    } while count < 0 && errno == EINTR
    guard count >= 0 else { throw .system(.unreadable, file: path, errno: errno) }
    end += count
    bytesRead += count
    isAtEndOfFile = count == 0
  }
}
