import CSQLite
import Files

/// A prepared statement. Its parameters are bound by position, counted from 1; columns of its rows are
/// counted from 0.
final class SQLiteStatement {
  private let connection: SQLiteConnection
  private let handle: OpaquePointer

  init(_ sql: String, _ connection: SQLiteConnection) throws(FileError) {
    self.connection = connection
    var prepared: OpaquePointer?
    let result = sqlite3_prepare_v3(
      connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard let prepared, result == SQLITE_OK else { throw connection.error(result) }
    handle = prepared
  }

  deinit { sqlite3_finalize(handle) }

  func bind(_ position: Int32, _ value: Double?) {
    if let value {
      sqlite3_bind_double(handle, position, value)
    } else {
      sqlite3_bind_null(handle, position)
    }
  }

  func bind(_ position: Int32, _ value: Int64?) {
    if let value {
      sqlite3_bind_int64(handle, position, value)
    } else {
      sqlite3_bind_null(handle, position)
    }
  }

  func bind(_ position: Int32, _ text: String?) {
    guard var text else {
      sqlite3_bind_null(handle, position)
      return
    }
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        _ = sqliteBindText(handle, position, bytes.baseAddress, Int32(bytes.count))
      }
    }
  }

  /// Goes to the next row; false where there is none.
  func step() throws(FileError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let result: throw connection.error(result)
    }
  }

  /// Runs a statement without rows and makes it ready to be run again; parameters stay bound.
  func run() throws(FileError) {
    let result = sqlite3_step(handle)
    // Before the reset, which may replace the system's own cause.
    let error = result == SQLITE_DONE || result == SQLITE_ROW ? nil : connection.error(result)
    sqlite3_reset(handle)
    if let error { throw error }
  }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
  func isText(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_TEXT }
  func isInteger(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_INTEGER }
  func isNumber(_ column: Int32) -> Bool {
    let type = sqlite3_column_type(handle, column)
    return type == SQLITE_FLOAT || type == SQLITE_INTEGER
  }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
  func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// The bytes of a text, valid until the next step.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let text = sqlite3_column_text(handle, column)
    return UnsafeRawBufferPointer(
      start: text.map { UnsafeRawPointer($0) }, count: Int(sqlite3_column_bytes(handle, column)))
  }

  func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
}
