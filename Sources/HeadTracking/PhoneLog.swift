public import Files

/// Reads a log of a phone's compass a reading at a time.
///
/// A log is a CSV file whose columns are found by name, in any order: named after `CLHeading`
/// (`timestamp`, `magneticHeading`, `trueHeading`, `headingAccuracy`) or as the phone app Sensor
/// Logger writes them (`time`, `magneticBearing`). One heading column is enough.
public struct PhoneLog: ~Copyable {
  private let reader: CSVReader
  private let time: Int
  private let magnetic: Int?
  private let trueNorth: Int?
  private let accuracy: Int?
  private var last: Timestamp?

  /// Opens the log.
  ///
  /// - Throws: `FileError` if it cannot be read or a column is missing.
  public init(path: String) throws(FileError) {
    let reader = try CSVReader(path: path)
    let time = try reader.requiredColumn(of: ["timestamp", "time"])
    _ = try reader.requiredColumn(of: ["trueHeading", "magneticHeading", "magneticBearing"])
    magnetic = reader.column("magneticHeading") ?? reader.column("magneticBearing")
    trueNorth = reader.column("trueHeading")
    accuracy = reader.column("headingAccuracy")
    self.time = time
    self.reader = reader
  }

  /// The next reading, or nil at the end.
  ///
  /// - Throws: `FileError` with line and column for a value that is no number or out of range, for
  ///   time that goes backwards, and for a log of no readings.
  public mutating func next() throws(FileError) -> PhoneHeading? {
    guard try reader.next() else {
      guard last != nil else { throw FileError(.malformed, file: reader.path, "no headings") }
      return nil
    }
    let now = try reader.timestamp(time)
    if let last, now < last { throw reader.bad(time, "is earlier than the reading before") }
    last = now
    return PhoneHeading(
      time: now, magneticHeading: try heading(magnetic), trueHeading: try heading(trueNorth),
      headingAccuracy: try number(accuracy))
  }

  private func number(_ column: Int?) throws(FileError) -> Double? {
    guard let column else { return nil }
    return try reader.number(column)
  }

  private func heading(_ column: Int?) throws(FileError) -> Double? {
    guard let column, let value = try reader.number(column) else { return nil }
    // A little more than a turn is a rounded 360.
    guard value < 360.0001 else { throw reader.bad(column, "is not below 360 degrees") }
    return value
  }

  /// All readings of a log, in the order of time.
  public static func headings(path: String) throws(FileError) -> [PhoneHeading] {
    var log = try PhoneLog(path: path)
    var headings: [PhoneHeading] = []
    while let heading = try log.next() { headings.append(heading) }
    return headings
  }
}
