import Files

/// Reads records from CSV: with the columns of `airpods_motion`, or as the app Sensor Logger writes
/// them. Columns are found by name, in any order; those that no record has are passed over.
final class MotionCSVReader: MotionRecordReader {
  let path: String
  var place: String { "line \(reader.line)" }
  var fractionRead: Double { reader.fractionRead }

  private let reader: CSVReader
  private let selection: MotionSelection
  private let isSensorLogger: Bool
  /// Whether the file says that its records are whole ones: then a timestamp is in milliseconds
  /// whatever its magnitude.
  private let isWholeRecord: Bool
  private var fields: [(column: Int, field: MotionField, isGravity: Bool)] = []
  private var attributes: [(column: Int, attribute: MotionAttribute)] = []
  private let elapsed: Int?
  private var absent = MotionFields.all
  private var label = RepeatedText()
  private var deviceId = RepeatedText()
  private var os = RepeatedText()
  private var start: Timestamp?

  init(path: String, selection: MotionSelection) throws(FileError) {
    self.path = path
    self.selection = selection
    reader = try CSVReader(path: path)
    let time = try reader.requiredColumn(of: ["timestamp", "time"])
    isSensorLogger = reader.header[time] == "time"
    isWholeRecord = !isSensorLogger && reader.column("jsonVersion") != nil
    let leading = try reader.requiredColumn(of: ["quaternionX", "yaw"])
    if reader.header[leading] != "yaw" {
      for name in ["quaternionY", "quaternionZ", "quaternionW"] {
        _ = try reader.requiredColumn(name)
      }
    }
    elapsed = isSensorLogger ? reader.column("seconds_elapsed") : nil
    let names =
      isSensorLogger
      ? SensorLogger.columns
      : Dictionary(
        uniqueKeysWithValues: MotionColumn.all.map { ($0.name, $0) })
    for (index, name) in reader.header.enumerated() {
      switch names[name] {
      case .field(let field):
        let isGravity = isSensorLogger && SensorLogger.gravity.contains(field)
        fields.append((index, field, isGravity))
        absent.remove(field)
      case .attribute(let attribute): attributes.append((index, attribute))
      case nil: continue
      }
    }
  }

  func next(_ record: inout MotionRecord) throws(FileError) -> Bool {
    repeat {
      guard try reader.next() else { return false }
      try read(&record)
    } while !selection.contains(record)
    return true
  }

  func mayHaveNanoseconds() -> Bool {
    isSensorLogger || !isWholeRecord || reader.column("nanoseconds") != nil
  }

  func trackingEvents() -> [TrackingEvent] {
    start.map { [TrackingEvent(.started, at: $0, sampleClock: "Sensor Logger", source: path)] }
      ?? []
  }

  private func read(_ record: inout MotionRecord) throws(FileError) {
    record = MotionRecord()
    for (column, field, isGravity) in fields {
      let value = try reader.number(column)
      record[field] = isGravity ? value.map(SensorLogger.standardGravities) : value
    }
    for (column, attribute) in attributes { try read(attribute, column, &record) }
    record.complete(lacking: absent)
    if let elapsed, start == nil, let time = record.time,
      let seconds = try reader.number(elapsed), abs(seconds) < 1e9
    {
      start = time + -seconds
    }
  }

  private func read(
    _ attribute: MotionAttribute, _ column: Int, _ record: inout MotionRecord
  ) throws(FileError) {
    switch attribute {
    case .timestamp where isWholeRecord:
      guard let milliseconds = try whole(column) else {
        throw reader.bad(column, "is not a time in milliseconds")
      }
      record.timestamp = milliseconds
    case .timestamp: record.time = try reader.timestamp(column)
    case .nanoseconds:
      // After the timestamp, since a whole record has both.
      guard let value = try whole(column) else { return }
      guard 0..<1_000_000 ~= value else { throw reader.bad(column, "is not 0 to 999999") }
      record.nanoseconds = value
    case .headphonePlacement:
      record.headphonePlacement = isSensorLogger ? try location(column) : try placement(column)
    case .label: record.label = label.text(reader.bytes(column))
    case .deviceId: record.deviceId = deviceId.text(reader.bytes(column))
    case .os: record.os = os.text(reader.bytes(column))
    case .timezone: record.timezone = try whole(column)
    case .jsonVersion: record.jsonVersion = try whole(column)
    }
  }

  private func whole(_ column: Int) throws(FileError) -> Int64? {
    let bytes = reader.bytes(column)
    if bytes.isEmpty { return nil }
    if let value = wholeNumber(bytes) { return value }
    guard let value = decimalNumber(bytes).flatMap(Int64.init(exactly:)) else {
      throw reader.bad(column, "is not a whole number")
    }
    return value
  }

  private func placement(_ column: Int) throws(FileError) -> Int64? {
    guard let value = try whole(column) else { return nil }
    guard 0...2 ~= value else { throw reader.bad(column, "is not 0, 1 or 2") }
    return value
  }

  private func location(_ column: Int) throws(FileError) -> Int64? {
    let text = reader.text(column)
    if text.isEmpty { return nil }
    guard let value = SensorLogger.placement(text) else {
      throw reader.bad(column, "is not left, right or unknown")
    }
    return value
  }
}
