import Files

/// Reads records from a database that has the table `airpods_motion`, this program's or AWARE's own.
///
/// Columns are found by name; a table may lack any but the timestamp and an attitude.
final class MotionDatabaseReader: MotionRecordReader {
  let path: String
  var place: String { "record \(id)" }
  private(set) var fractionRead = 0.0

  private let database: SQLiteConnection
  private let rows: SQLiteStatement
  private let selection: MotionSelection
  private let absent: MotionFields
  private let isOurs: Bool
  private let table: String
  private let hasNanoseconds: Bool
  private let span: ClosedRange<Int64>
  let isByTime: Bool
  private var id: Int64 = 0
  private var label = RepeatedText()
  private var deviceId = RepeatedText()
  private var os = RepeatedText()

  /// The tables that AWARE has used, the newest name last.
  private static let tables = ["airpods_motion", "ios_airpods_motion"]

  convenience init(
    path: String, selection: MotionSelection, isTimeOrdered: Bool
  ) throws(FileError) {
    try self.init(
      try openForReading(path), selection: selection, isTimeOrdered: isTimeOrdered)
  }

  /// - Parameter after: the number of the record before the first one.
  init(
    _ database: SQLiteConnection, selection: MotionSelection = MotionSelection(),
    isTimeOrdered: Bool = false, after: Int64? = nil, limit: Int? = nil
  ) throws(FileError) {
    path = database.path
    self.database = database
    self.selection = selection
    isOurs = try MotionSchema.isOurs(database)
    let (table, columns) = try Self.table(of: database)
    self.table = table
    hasNanoseconds = columns.contains("nanoseconds")
    var absent = MotionFields.all
    for field in MotionField.allCases where columns.contains(field.name) { absent.remove(field) }
    self.absent = absent
    let selected = MotionColumn.all.map { columns.contains($0.name) ? $0.name : "NULL" }
    let isByTime = isTimeOrdered || selection.from != nil || selection.to != nil
    var conditions: [String] = []
    if selection.from != nil { conditions.append("timestamp >= ?1") }
    if selection.to != nil { conditions.append("timestamp <= ?2") }
    if after != nil { conditions.append("id > ?3") }
    let rows = try SQLiteStatement(
      "SELECT rowid, \(selected.joined(separator: ", ")) FROM \(table)"
        + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
        + (isByTime ? " ORDER BY timestamp, rowid" : " ORDER BY rowid")
        + (limit.map { " LIMIT \($0)" } ?? ""), database)
    if let from = selection.from { rows.bind(1, milliseconds(from)) }
    if let to = selection.to { rows.bind(2, milliseconds(to)) }
    if let after { rows.bind(3, after) }
    self.rows = rows
    self.isByTime = isByTime
    let column = isByTime ? "timestamp" : "rowid"
    let lowest = try database.number("SELECT min(\(column)) FROM \(table)")
    let highest = try database.number("SELECT max(\(column)) FROM \(table)")
    let low = max(lowest, isByTime ? selection.from.map(milliseconds) ?? .min : after ?? .min)
    let high = min(highest, isByTime ? selection.to.map(milliseconds) ?? .max : .max)
    span = low...max(low, high)
  }

  /// The table of records and its columns.
  private static func table(
    of database: SQLiteConnection
  ) throws(FileError) -> (name: String, columns: Set<String>) {
    for name in tables {
      let found = try SQLiteStatement(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?", database)
      found.bind(1, name)
      guard try found.step(), found.integer(0) > 0 else { continue }
      let information = try SQLiteStatement("SELECT name FROM pragma_table_info(?)", database)
      information.bind(1, name)
      var columns: Set<String> = []
      while try information.step() { columns.insert(information.text(0)) }
      for needed in ["timestamp"] where !columns.contains(needed) {
        throw FileError(
          .malformed, file: database.path, place: "table \(name)", "there is no column \(needed)")
      }
      let attitude = ["quaternionX", "quaternionY", "quaternionZ", "quaternionW"]
      guard columns.contains("yaw") || attitude.allSatisfy(columns.contains) else {
        throw FileError(
          .malformed, file: database.path, place: "table \(name)",
          "there are neither columns of a quaternion nor a column yaw")
      }
      return (name, columns)
    }
    throw FileError(
      .unsupported, file: database.path,
      "is a database of another program: it has no table airpods_motion")
  }

  func next(_ record: inout MotionRecord) throws(FileError) -> Bool {
    while try rows.step() {
      try read(&record)
      let position = isByTime ? record.timestamp : id
      if span.upperBound > span.lowerBound {
        fractionRead =
          (Double(position) - Double(span.lowerBound))
          / (Double(span.upperBound) - Double(span.lowerBound))
      }
      if selection.contains(record) { return true }
    }
    return false
  }

  /// The number of the record that was read last.
  var recordID: Int64 { id }

  func mayHaveNanoseconds() throws(FileError) -> Bool {
    guard hasNanoseconds else { return false }
    let found = try SQLiteStatement(
      "SELECT EXISTS (SELECT 1 FROM \(table) WHERE nanoseconds IS NOT NULL"
        + (isByTime ? " AND timestamp BETWEEN ? AND ?)" : ")"), database)
    if isByTime {
      found.bind(1, span.lowerBound)
      found.bind(2, span.upperBound)
    }
    return try found.step() && found.integer(0) != 0
  }

  func trackingEvents() throws(FileError) -> [TrackingEvent] {
    guard isOurs else { return [] }
    let rows = try SQLiteStatement(
      """
      SELECT event, timestamp, nanoseconds, record, placement, sampleClock, source
        FROM tracking_events ORDER BY id
      """, database)
    var events: [TrackingEvent] = []
    while try rows.step() {
      var place = MotionRecord()
      place.timestamp = rows.integer(1)
      place.nanoseconds = rows.integer(2)
      guard let kind = TrackingEvent.Kind(rawValue: rows.text(0)), let time = place.time else {
        throw FileError(.malformed, file: path, place: "tracking_events", "has an unknown event")
      }
      events.append(
        TrackingEvent(
          kind, at: time, record: rows.integer(3),
          placement: rows.isNull(4) ? nil : rows.integer(4),
          sampleClock: rows.isNull(5) ? nil : rows.text(5),
          source: rows.isNull(6) ? nil : rows.text(6)))
    }
    return events
  }

  private func read(_ record: inout MotionRecord) throws(FileError) {
    record = MotionRecord()
    id = rows.integer(0)
    for index in 0..<MotionField.count {
      let column = Int32(index + 1)
      guard let field = MotionField(rawValue: index), !rows.isNull(column) else { continue }
      let value = rows.double(column)
      guard rows.isNumber(column), value.isFinite else {
        throw malformed(field.name, "is not a finite number")
      }
      record[field] = value
    }
    guard let timestamp = try whole(.timestamp) else { throw malformed("timestamp", "is null") }
    record.timestamp = timestamp
    record.headphonePlacement = try whole(.headphonePlacement)
    record.label = try text(.label, &label)
    record.deviceId = try text(.deviceId, &deviceId)
    record.timezone = try whole(.timezone)
    record.os = try text(.os, &os)
    record.jsonVersion = try whole(.jsonVersion)
    let nanoseconds = try whole(.nanoseconds) ?? 0
    guard 0..<1_000_000 ~= nanoseconds else { throw malformed("nanoseconds", "is not 0 to 999999") }
    record.nanoseconds = nanoseconds
    if absent != MotionFields() { record.complete(lacking: absent) }
  }

  private func column(_ attribute: MotionAttribute) -> Int32 {
    Int32(1 + MotionField.count + attribute.rawValue)
  }

  private func whole(_ attribute: MotionAttribute) throws(FileError) -> Int64? {
    let column = column(attribute)
    if rows.isNull(column) { return nil }
    guard rows.isInteger(column) else {
      guard rows.isNumber(column), let whole = Int64(exactly: rows.double(column)) else {
        throw malformed(attribute.name, "is not a whole number")
      }
      return whole
    }
    return rows.integer(column)
  }

  private func text(
    _ attribute: MotionAttribute, _ last: inout RepeatedText
  ) throws(FileError) -> String {
    let column = column(attribute)
    if rows.isNull(column) { return "" }
    guard rows.isText(column) else { throw malformed(attribute.name, "is not a text") }
    return last.text(rows.bytes(column))
  }

  private func malformed(_ column: String, _ cause: String) -> FileError {
    FileError(.malformed, file: path, place: "\(place), column \(column)", cause)
  }
}

/// The millisecond that a moment is in.
private func milliseconds(_ time: Timestamp) -> Int64 {
  var record = MotionRecord()
  record.time = time
  return record.timestamp
}

/// Opens a database to read it, even from a medium that cannot be written.
func openForReading(_ path: String) throws(FileError) -> SQLiteConnection {
  do throws(FileError) {
    let database = try SQLiteConnection(path: path, access: .read)
    _ = try database.number("SELECT count(*) FROM sqlite_schema")
    return database
  } catch {
    // A log that was closed has all in one file, but SQLite wants to make two more beside it.
    guard error.code == .unwritable, !isRegularFile(path + "-wal") else { throw error }
    return try SQLiteConnection(path: path, access: .readImmutable)
  }
}
