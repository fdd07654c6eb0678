import Glibc

/// A file that appears whole or not at all: it is written under a temporary name beside its place
/// and renamed by `commit`. Dropped before that, it leaves nothing.
///
/// A pipe, a device, or an open file of the process (`/dev/stdout`) is written directly. A signal that
/// ends the process leaves nothing either, see `TemporaryFiles`.
public final class OutputFile {
  /// Where the file will be, as the user named it.
  public let path: String
  /// Where it is written until then.
  public let temporaryPath: String
  private let finalPath: String
  private let temporary: TemporaryFiles.Slot?
  private var isCommitted = false

  /// Makes the temporary file.
  ///
  /// - Throws: `FileError` if the folder does not exist or cannot be written to.
  public init(path: String) throws(FileError) {
    self.path = path
    var status = stat()
    if stat(path, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR {
        throw FileError(.unwritable, file: path, "is a directory")
      }
      let isDescriptor = ["/dev/std", "/dev/fd/", "/proc/self/fd/"].contains(where: path.hasPrefix)
      if status.st_mode & S_IFMT != S_IFREG || isDescriptor {
        finalPath = path
        temporaryPath = path
        temporary = nil
        return
      }
    } else if errno != ENOENT || path.isEmpty || path.hasSuffix("/") {
      throw .system(.unwritable, file: path, errno: errno)
    }
    // Through a link to the file that it names, so that the link survives.
    var place = path
    if let resolved = realpath(path, nil) {
      place = String(cString: resolved)
      free(resolved)
    }
    // To replace a file asks for a right of its folder alone; one that is protected stays.
    if access(place, F_OK) == 0, access(place, W_OK) != 0 {
      throw .system(.unwritable, file: path, errno: errno)
    }
    finalPath = place
    let folder = place.lastIndex(of: "/").map { String(place[...$0]) } ?? ""
    temporaryPath = "\(folder).aurient-\(String(UInt64.random(in: 0...(.max)), radix: 36))"
    temporary = TemporaryFiles.add(temporaryPath)
    let descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .system(.unwritable, file: path, errno: errno) }
    close(descriptor)
  }

  deinit {
    if !isCommitted, temporaryPath != finalPath { unlink(temporaryPath) }
    TemporaryFiles.remove(temporary)
  }

  /// Moves the file to its place.
  public func commit() throws(FileError) {
    if temporaryPath != finalPath, rename(temporaryPath, finalPath) != 0 {
      throw .system(.unwritable, file: path, errno: errno)
    }
    isCommitted = true
  }

  /// Writes a whole file at once.
  public static func write(_ bytes: some Sequence<UInt8>, to path: String) throws(FileError) {
    let writer = try TextWriter(path: path)
    Array(bytes).withUnsafeBytes { writer.append($0) }
    try writer.commit()
  }
}

/// Text or bytes written to an `OutputFile` through a buffer.
///
/// A fault of the disk is kept and thrown by `commit`, so that a loop over rows stays plain.
public final class TextWriter {
  private let file: OutputFile
  private let descriptor: Int32
  private let pending: UnsafeMutableRawBufferPointer
  private var pendingCount = 0
  private var failure: Int32 = 0

  /// Opens the output.
  public init(path: String) throws(FileError) {
    file = try OutputFile(path: path)
    // Appending leaves what a shell's `>>` has put before it into the file behind /dev/stdout.
    descriptor = open(file.temporaryPath, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(.unwritable, file: path, errno: errno) }
    // Nothing is released of what fails before.
    pending = .allocate(byteCount: 1 << 16, alignment: 16)
  }

  deinit {
    close(descriptor)
    pending.deallocate()
  }

  /// Appends text.
  public func append(_ text: consuming String) {
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Appends a number in the shortest form that reads back as the same Double; nothing for nil.
  public func append(_ number: Double?) {
    guard let number else { return }
    var stream = self
    number.write(to: &stream)
  }

  /// Appends bytes.
  public func append(_ bytes: UnsafeRawBufferPointer) {
    if bytes.count > pending.count - pendingCount { flush() }
    guard let start = bytes.baseAddress, let end = pending.baseAddress else { return }
    if bytes.count > pending.count {
      write(bytes)
    } else {
      (end + pendingCount).copyMemory(from: start, byteCount: bytes.count)
      pendingCount += bytes.count
    }
  }

  private func flush() {
    write(UnsafeRawBufferPointer(rebasing: pending[..<pendingCount]))
    pendingCount = 0
  }

  private func write(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    while !rest.isEmpty, failure == 0 {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno != EINTR {
        failure = errno
      }
    }
  }

  /// Writes the rest, so that `commit` has only to move the file.
  ///
  /// - Throws: `FileError` for the first fault of any write.
  public func finish() throws(FileError) {
    flush()
    guard failure == 0 else { throw .system(.unwritable, file: file.path, errno: failure) }
  }

  /// Writes the rest and moves the file to its place.
  ///
  /// - Throws: `FileError` for the first fault of any write.
  public func commit() throws(FileError) {
    try finish()
    try file.commit()
  }
}

extension TextWriter: TextOutputStream {
  /// Appends text.
  public func write(_ text: String) { append(text) }

  // swift-format-ignore: NoLeadingUnderscores
  /// What the standard library calls with the digits of a number, which so need no string; another library
  /// calls `write`.
  public func _writeASCII(_ text: UnsafeBufferPointer<UInt8>) {
    append(UnsafeRawBufferPointer(text))
  }
}
