import Files
import Glibc

/// The right to write into a motion log, which one process has at a time; it ends with the process.
///
/// SQLite's own locks last for one transaction each; this one lies beyond the bytes that those use. It
/// is of the open file (F_OFD_SETLK of Linux's fcntl(2)), so that it is the holder's alone even within
/// one process.
final class WriterLock {
  /// What one process at a time may do.
  enum Role: off_t {
    /// Append records.
    case append
    /// Send them and mark what was acknowledged.
    case sync
  }

  private static let setOpenFileLock: Int32 = 37
  /// Bytes that no database has.
  private static let start: off_t = 0x7FFF_FFFF_0000_0000

  private let descriptor: Int32
  private let role: Role

  /// Takes the lock of a database, which is made if there is none. It must be let go after the
  /// connection is closed: to close any descriptor of a file lets go all of SQLite's locks on it.
  ///
  /// - Parameter name: what the user calls it, if not by its path.
  init(path: String, name: String? = nil, role: Role) throws(FileError) {
    let name = name ?? path
    let created = role == .append ? O_CREAT : 0
    descriptor = open(path, O_RDWR | O_CLOEXEC | created, 0o666)
    guard descriptor >= 0 else { throw .system(.unwritable, file: name, errno: errno) }
    guard isRegularFile(path) else {
      throw FileError(.unwritable, file: name, "is no regular file, which a database needs")
    }
    self.role = role
    var lock = Self.range(role, F_WRLCK)
    guard fcntl(descriptor, Self.setOpenFileLock, &lock) == 0 else {
      let isTaken = errno == EAGAIN || errno == EACCES
      throw isTaken
        ? FileError(
          .unwritable, file: name,
          role == .append
            ? "another program is recording or importing into it"
            : "another program is sending it")
        : .system(.unwritable, file: name, errno: errno)
    }
  }

  deinit {
    guard descriptor >= 0 else { return }
    // A child that is just being started shares the open file, and would hold the lock on.
    var lock = Self.range(role, F_UNLCK)
    _ = fcntl(descriptor, Self.setOpenFileLock, &lock)
    close(descriptor)
  }

  private static func range(_ role: Role, _ kind: Int32) -> flock {
    var lock = flock()
    lock.l_type = Int16(kind)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = start + role.rawValue
    lock.l_len = 1
    return lock
  }
}
