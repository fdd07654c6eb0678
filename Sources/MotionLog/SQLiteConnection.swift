import CSQLite
public import Files

/// A connection to an SQLite database, which it alone owns. One thread at a time may use it.
final class SQLiteConnection {
  /// What it may do.
  enum Access {
    /// Read alone; what a killed writer has left beside the file is put in order.
    case read
    /// Read a file that nobody can change and beside which no file can be made.
    case readImmutable
    /// Read and write; the file is made if there is none.
    case write
  }

  /// Seconds that it waits for another program's lock.
  private static let patience: Int32 = 5

  /// The database, as the user named it.
  let path: String
  let handle: OpaquePointer
  /// Let go after the connection is closed.
  private let lock: WriterLock?

  /// - Parameters:
  ///   - name: what the user calls it, if not by its path.
  ///   - lock: a lock to hold as long as the connection.
  init(
    path: String, name userName: String? = nil, access: Access, lock: WriterLock? = nil
  ) throws(FileError) {
    self.path = userName ?? path
    self.lock = lock
    // Not to be taken for a URI or a name like :memory:.
    var name = path.hasPrefix("/") ? path : "./" + path
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    switch access {
    // Who may not write either leaves the two files of a write-ahead log behind.
    case .read: flags |= SQLITE_OPEN_READWRITE
    case .readImmutable:
      flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      name = "file:" + percentEncoded(name) + "?immutable=1"
    case .write: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    }
    var opened: OpaquePointer?
    let result = sqlite3_open_v2(name, &opened, flags, nil)
    guard let opened, result == SQLITE_OK else {
      defer { sqlite3_close_v2(opened) }
      throw sqliteError(result, path: self.path, handle: opened)
    }
    handle = opened
    sqlite3_busy_timeout(handle, Self.patience * 1000)
    // The database may be anyone's: its views and triggers get no functions, its pages are checked.
    sqliteDefend(handle)
    try execute("PRAGMA cell_size_check = ON")
    if access == .read { try execute("PRAGMA query_only = ON") }
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs statements without parameters.
  func execute(_ sql: String) throws(FileError) {
    let result = sqlite3_exec(handle, sql, nil, nil, nil)
    guard result == SQLITE_OK else { throw error(result) }
  }

  /// The whole number that a statement gives, 0 where it gives none.
  func number(_ sql: String) throws(FileError) -> Int64 {
    let statement = try SQLiteStatement(sql, self)
    return try statement.step() ? statement.integer(0) : 0
  }

  /// Does something in one transaction: all of it is stored or nothing.
  func transaction(_ work: () throws(FileError) -> Void) throws(FileError) {
    try execute("BEGIN IMMEDIATE")
    do throws(FileError) {
      try work()
      try execute("COMMIT")
    } catch {
      // Some faults have ended the transaction already.
      if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// The fault of the last call.
  func error(_ result: Int32) -> FileError { sqliteError(result, path: path, handle: handle) }
}

extension FileError {
  /// The cause where another program holds a database.
  public static let lockedCause = "is locked by another program"
}

/// What a result code of SQLite means to a user.
private func sqliteError(_ result: Int32, path: String, handle: OpaquePointer?) -> FileError {
  let system = handle.map { sqlite3_system_errno($0) } ?? 0
  let text = handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "no memory"
  switch result & 0xFF {
  case SQLITE_BUSY, SQLITE_LOCKED:
    return FileError(.unwritable, file: path, FileError.lockedCause)
  case SQLITE_FULL: return FileError(.unwritable, file: path, "no space left on device")
  case SQLITE_CORRUPT: return FileError(.malformed, file: path, "the database is damaged")
  case SQLITE_NOTADB: return FileError(.malformed, file: path, "is no SQLite database")
  case SQLITE_READONLY:
    return FileError(.unwritable, file: path, "the file or its folder is read-only")
  case SQLITE_IOERR where result == sqliteShortRead || result == sqliteReadFault:
    return FileError(.malformed, file: path, "the database is damaged or cannot be read")
  case SQLITE_IOERR, SQLITE_CANTOPEN:
    let isRead = result == sqliteReadFault
    return system == 0
      ? FileError(.unwritable, file: path, "cannot be written: \(text)")
      : .system(isRead ? .unreadable : .unwritable, file: path, errno: system)
  default: return FileError(.malformed, file: path, text)
  }
}

/// A path as part of a URI (RFC 3986).
private func percentEncoded(_ path: String) -> String {
  var result = ""
  for byte in path.utf8 {
    let scalar = Unicode.Scalar(byte)
    if scalar.properties.isAlphabetic && byte < 128 || byte &- 48 < 10
      || "/-._~".utf8.contains(byte)
    {
      result.unicodeScalars.append(scalar)
    } else {
      result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }
  return result
}
