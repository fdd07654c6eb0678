import Files
import Glibc

/// The right to write into a motion log, which one process has at a time; it ends with the process.
///
/// SQLite's own locks last for one transaction each. A lock of the file itself won't do: to close any
/// descriptor of a file lets go of all locks that the process has on it (fcntl(2)), SQLite's among them.
/// So the right is a socket's name in Linux's abstract namespace (unix(7)), made of the file's number.
final class WriterLock {
  /// What one process at a time may do.
  enum Role: String {
    /// Append records.
    case append
    /// Send them and mark what was acknowledged.
    case sync
  }

  /// Times, 10 ms apart, that a taken name is asked for: a process that is just being started shares
  /// what its parent has let go of until it runs.
  private static let tries = 30

  private let descriptor: Int32

  /// Takes the lock of a database; to append, an empty file is made if there is none.
  ///
  /// - Parameter name: what the user calls it, if not by its path.
  init(path: String, name: String? = nil, role: Role) throws(FileError) {
    let name = name ?? path
    if role == .append {
      // Of a new file nobody has locks.
      let created = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard created >= 0 || errno == EEXIST else {
        throw .system(.unwritable, file: name, errno: errno)
      }
      if created >= 0 { close(created) }
    }
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw .system(role == .sync ? .unreadable : .unwritable, file: name, errno: errno)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileError(.unwritable, file: name, "is no regular file, which a database needs")
    }
    guard access(path, W_OK) == 0 else { throw .system(.unwritable, file: name, errno: errno) }
    descriptor = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .system(.unwritable, file: name, errno: errno) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let text = "\0aurient motion log \(status.st_dev) \(status.st_ino) \(role)"
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: text.utf8.prefix($0.count)) }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + text.utf8.count)
    for attempt in 1...Self.tries {
      let isBound = withUnsafeBytes(of: &address) { bytes in
        bind(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, size) == 0
      }
      if isBound { return }
      guard errno == EADDRINUSE else { throw .system(.unwritable, file: name, errno: errno) }
      if attempt < Self.tries { usleep(10_000) }
    }
    throw FileError(
      .unwritable, file: name,
      role == .append
        ? "another program is recording or importing into it" : "another program is sending it")
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
