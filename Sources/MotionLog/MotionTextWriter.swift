public import Files

/// Writes records as text: CSV, JSON Lines, or as the app Sensor Logger does. Numbers are in the
/// shortest form that reads back as the same Double.
public final class MotionTextWriter {
  private let writer: TextWriter
  private let path: String
  private let format: MotionLogFormat
  private let hasNanoseconds: Bool
  private let start: () throws(FileError) -> Timestamp?
  private var started: Timestamp?
  private var texts = (label: "", deviceId: "", os: "")
  private var encoded = (label: "", deviceId: "", os: "")

  /// Opens the output.
  ///
  /// - Parameters:
  ///   - format: any but a database.
  ///   - hasNanoseconds: whether CSV gets a column of nanoseconds beyond the millisecond.
  ///   - start: when the recording started, asked for at the first record; nil for its time.
  public init(
    path: String, format: MotionLogFormat, hasNanoseconds: Bool,
    start: @escaping () throws(FileError) -> Timestamp? = { nil }
  ) throws(FileError) {
    precondition(format != .sqlite, "a database is no text")
    self.path = path
    self.format = format
    self.hasNanoseconds = hasNanoseconds
    self.start = start
    writer = try TextWriter(path: path)
    encoded = (quoted(""), quoted(""), quoted(""))
    switch format {
    case .csv:
      let names = MotionColumn.all.map(\.name)
      let header = hasNanoseconds ? names : Array(names.dropLast())
      writer.append(header.joined(separator: ",") + "\n")
    case .sensorLogger: writer.append(SensorLogger.names.joined(separator: ",") + "\n")
    case .jsonl, .sqlite: break
    }
  }

  /// Appends a record.
  public func append(_ record: MotionRecord) throws(FileError) {
    encode(record)
    switch format {
    case .csv: appendCSV(record)
    case .sensorLogger: try appendSensorLogger(record)
    case .jsonl, .sqlite: appendJSON(record)
    }
  }

  /// Writes the rest and moves the file to its place.
  public func commit() throws(FileError) { try writer.commit() }

  private func encode(_ record: MotionRecord) {
    guard texts != (record.label, record.deviceId, record.os) else { return }
    texts = (record.label, record.deviceId, record.os)
    encoded = (quoted(record.label), quoted(record.deviceId), quoted(record.os))
  }

  private func quoted(_ text: String) -> String {
    format == .jsonl ? jsonText(text) : csvField(text)
  }

  private func appendCSV(_ record: MotionRecord) {
    for index in 0..<MotionField.count {
      writer.append(record.value(index))
      writer.append(",")
    }
    append(record.headphonePlacement)
    writer.append(",")
    writer.append(encoded.label)
    writer.append(",")
    writer.append(encoded.deviceId)
    writer.append(",")
    append(record.timestamp)
    writer.append(",")
    append(record.timezone)
    writer.append(",")
    writer.append(encoded.os)
    writer.append(",")
    append(record.jsonVersion)
    if hasNanoseconds {
      writer.append(",")
      append(record.nanoseconds == 0 ? nil : record.nanoseconds)
    }
    writer.append("\n")
  }

  private func appendJSON(_ record: MotionRecord) {
    appendJSONObject(of: record, texts: encoded, to: writer.append)
    writer.append("\n")
  }

  private func appendSensorLogger(_ record: MotionRecord) throws(FileError) {
    guard let time = record.time else {
      throw FileError(
        .unsupported, file: path,
        "the timestamp \(record.timestamp) is not of the years 1678 to 2261")
    }
    if started == nil {
      let told = try start()
      started = told ?? time
    }
    append(time.nanoseconds)
    writer.append(",")
    writer.append(time.seconds(since: started ?? time))
    for name in SensorLogger.names.dropFirst(2).dropLast() {
      writer.append(",")
      guard case .field(let field) = SensorLogger.columns[name] else { continue }
      let value = record[field]
      let isGravity = SensorLogger.gravity.contains(field)
      writer.append(isGravity ? value.map(SensorLogger.metresPerSecondSquared) : value)
    }
    writer.append("," + SensorLogger.name(placement: record.headphonePlacement) + "\n")
  }

  private func append(_ number: Int64?) {
    if let number { writer.append(number.description) }
  }
}

/// Appends a record as one JSON object; what is missing is null.
///
/// - Parameter texts: its texts as JSON strings.
func appendJSONObject(
  of record: MotionRecord, texts: (label: String, deviceId: String, os: String),
  to append: (String) -> Void
) {
  for index in 0..<MotionField.count {
    append(jsonKeys[index])
    append(record.value(index)?.description ?? "null")
  }
  append(",\"headphonePlacement\":\(record.headphonePlacement?.description ?? "null"),\"label\":")
  append(texts.label)
  append(",\"deviceId\":")
  append(texts.deviceId)
  append(",\"timestamp\":\(record.timestamp)")
  append(",\"timezone\":\(record.timezone?.description ?? "null"),\"os\":")
  append(texts.os)
  append(",\"jsonVersion\":\(record.jsonVersion?.description ?? "null")")
  if record.nanoseconds != 0 { append(",\"nanoseconds\":\(record.nanoseconds)") }
  append("}")
}

private let jsonKeys = MotionField.names.enumerated().map { index, name in
  (index == 0 ? "{" : ",") + "\"\(name)\":"
}
