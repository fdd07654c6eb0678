public import Files
import Glibc

/// Reads the records of a log one at a time, so that a log of any length takes the same memory.
public protocol MotionRecordReader: AnyObject {
  /// The log, as the user named it.
  var path: String { get }
  /// Where the record that was read last stands, as in `line 12`.
  var place: String { get }
  /// How much of the log has been read, 0 to 1; 0 where its length isn't known.
  var fractionRead: Double { get }

  /// Reads the next record that is selected; false at the end.
  ///
  /// - Throws: `FileError` with the place of a faulty record; the one after can be read then, unless
  ///   the same fault comes again.
  func next(_ record: inout MotionRecord) throws(FileError) -> Bool
  /// Whether a record may have nanoseconds beyond its millisecond.
  func mayHaveNanoseconds() throws(FileError) -> Bool
  /// When tracking started or changed, as far as the log tells; complete once all has been read.
  func trackingEvents() throws(FileError) -> [TrackingEvent]
}

/// A form that a log can have.
public enum MotionLogFormat: String, CaseIterable, Sendable {
  /// A database of SQLite with the table `airpods_motion`.
  case sqlite
  /// Comma-separated values with the columns of that table.
  case csv
  /// JSON Lines: an object with the fields of that table on each line.
  case jsonl
  /// What the app Sensor Logger writes as `Headphone.csv`.
  case sensorLogger = "sensor-logger"

  /// The format that a file's name ends in; nil if it doesn't tell.
  public init?(ending path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    switch name[dot...].lowercased() {
    case ".sqlite", ".sqlite3", ".db": self = .sqlite
    case ".csv": self = .csv
    case ".jsonl", ".ndjson", ".json": self = .jsonl
    default: return nil
    }
  }
}

/// Opens a log of any format, which its content tells, not its name.
///
/// - Parameters:
///   - path: the log; a pipe is taken for CSV unless told otherwise.
///   - format: the format, if it is known.
///   - selection: which of its records count.
///   - isTimeOrdered: whether a database's records come in the order of time, not of storage; those
///     of a selected span always do.
/// - Throws: `FileError` if it cannot be read, is no log, or lacks a column that is needed.
public func openMotionLog(
  path: String, format: MotionLogFormat? = nil, selection: MotionSelection = MotionSelection(),
  isTimeOrdered: Bool = false
) throws(FileError) -> any MotionRecordReader {
  let detected: MotionLogFormat
  if let format { detected = format } else { detected = try detectedFormat(path) }
  switch detected {
  case .sqlite:
    return try MotionDatabaseReader(
      path: path, selection: selection, isTimeOrdered: isTimeOrdered)
  case .jsonl: return try MotionJSONReader(path: path, selection: selection)
  case .csv, .sensorLogger: return try MotionCSVReader(path: path, selection: selection)
  }
}

/// The format that a file's content tells.
///
/// SQLite is asked first whether it is a database: who opens and closes a file of one by himself takes
/// SQLite's locks off it, see `WriterLock`.
func detectedFormat(_ path: String) throws(FileError) -> MotionLogFormat {
  guard isRegularFile(path), access(path, R_OK) == 0 else { return .csv }
  do throws(FileError) {
    let database = try SQLiteConnection(path: path, access: .read)
    // An empty file is a database without tables, too.
    if try database.number("SELECT count(*) FROM sqlite_schema") > 0 { return .sqlite }
    if try database.number("PRAGMA page_count") > 0 { return .sqlite }
  } catch {
    // No database, one that is damaged, or a file system without locks: its first bytes tell.
  }
  let beginning = try InputFile.beginning(path: path, count: 64).bytes
  if beginning.starts(with: "SQLite format 3\0".utf8) { return .sqlite }
  let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  let text = beginning.starts(with: mark) ? beginning.dropFirst(3) : beginning[...]
  return text.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{") ? .jsonl : .csv
}
