public import Files

/// Reads a log of a phone's compass.
///
/// A log is a CSV file whose columns are found by name, in any order: named after `CLHeading`
/// (`timestamp`, `magneticHeading`, `trueHeading`, `headingAccuracy`) or as the phone app Sensor
/// Logger writes them (`time`, `magneticBearing`). One heading column is enough.
public enum PhoneLog {
  /// All readings of a log, in the order of time.
  ///
  /// - Throws: `FileError` if it cannot be read, lacks a column, or with line and column for a value
  ///   that is no number or out of range, for time that goes backwards, and for a log of no readings.
  public static func headings(path: String) throws(FileError) -> [PhoneHeading] {
    let reader = try CSVReader(path: path)
    let time = try reader.requiredColumn(of: ["timestamp", "time"])
    let magnetic = reader.column("magneticHeading") ?? reader.column("magneticBearing")
    let trueNorth = reader.column("trueHeading")
    let accuracy = reader.column("headingAccuracy")
    _ = try reader.requiredColumn(of: ["trueHeading", "magneticHeading", "magneticBearing"])
    var headings: [PhoneHeading] = []
    while try reader.next() {
      let reading = PhoneHeading(
        time: try reader.timestamp(time), magneticHeading: try reader.heading(magnetic),
        trueHeading: try reader.heading(trueNorth),
        headingAccuracy: try accuracy.flatMap { column throws(FileError) in
          try reader.number(column)
        })
      if let last = headings.last, reading.time < last.time {
        throw reader.bad(time, "is earlier than the reading before")
      }
      headings.append(reading)
    }
    guard !headings.isEmpty else { throw FileError(.malformed, file: path, "no headings") }
    return headings
  }
}

extension CSVReader {
  /// A heading in degrees, or nil where the field is empty or the column missing.
  fileprivate func heading(_ column: Int?) throws(FileError) -> Double? {
    guard let column, let value = try number(column) else { return nil }
    // A little more than a turn is a rounded 360.
    guard value < 360.0001 else { throw bad(column, "is not below 360 degrees") }
    return value
  }
}
