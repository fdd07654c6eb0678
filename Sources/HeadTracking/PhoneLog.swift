public import Compass
public import Files
import Geometry

/// Reads a log of a phone's compass a reading at a time.
///
/// A log is a CSV file whose columns are found by name, in any order: named after `CLHeading`
/// (`timestamp`, `magneticHeading`, `trueHeading`, `headingAccuracy`) or as the phone app Sensor
/// Logger writes them (`time`, `magneticBearing`). One heading column is enough: where the settings tell the
/// place, the declination there makes a magnetic heading a true one. A heading whose `disturbed` is not 0 is
/// invalid. A file without headings may be a raw magnetometer's, see `MagnetometerLog`: it goes
/// through a `CompassLog`, and what that finds disturbed is invalid.
public struct PhoneLog: ~Copyable {
  /// What its user should know.
  public let warnings: [FileError]
  private let finished: HeadingColumns?
  private var earth: EarthField
  private var raw: CompassLog?
  private var last: Timestamp?

  /// Opens the log.
  ///
  /// - Parameter settings: What is known besides a raw log.
  /// - Throws: `FileError` if it cannot be read or a column is missing.
  public init(path: String, settings: CompassSettings = CompassSettings()) throws(FileError) {
    let reader = try CSVReader(path: path)
    if !HeadingColumns.isThere(in: reader), MagnetometerLog.isRaw(header: reader.header) {
      let log = try CompassLog(path: path, settings: settings)
      warnings = log.warnings
      finished = nil
      raw = consume log
    } else {
      finished = try HeadingColumns(reader)
      warnings = []
      raw = nil
    }
    earth = EarthField(settings: settings)
  }

  /// The next reading, or nil at the end.
  ///
  /// - Throws: `FileError` with line and column for a value that is no number or out of range, for
  ///   time that goes backwards, and for a log of no readings.
  public mutating func next() throws(FileError) -> PhoneHeading? {
    guard let finished else { return try raw?.next().map(PhoneHeading.init) }
    guard try finished.reader.next() else {
      guard last != nil else {
        throw FileError(.malformed, file: finished.reader.path, "no headings")
      }
      return nil
    }
    var heading = try finished.heading
    if let last, heading.time < last {
      throw finished.reader.bad(finished.time, "is earlier than the reading before")
    }
    last = heading.time
    if heading.trueHeading ?? -1 < 0, let magnetic = heading.magneticHeading, magnetic >= 0,
      let declination = try earth.expectation(at: nil, time: heading.time)?.declination
    {
      heading.trueHeading = positiveDegrees(magnetic + declination)
    }
    return heading
  }

  /// Whether a file holds headings, not raw readings.
  ///
  /// - Throws: `FileError` if it cannot be read.
  public static func holdsHeadings(path: String) throws(FileError) -> Bool {
    HeadingColumns.isThere(in: try CSVReader(path: path))
  }

  /// All readings of a log, in the order of time.
  public static func headings(path: String) throws(FileError) -> [PhoneHeading] {
    var log = try PhoneLog(path: path)
    var headings: [PhoneHeading] = []
    while let heading = try log.next() { headings.append(heading) }
    return headings
  }
}

/// Where the values of a heading stand in a record.
private struct HeadingColumns {
  let reader: CSVReader
  let time: Int
  private let magnetic: Int?
  private let trueNorth: Int?
  private let accuracy: Int?
  private let disturbed: Int?

  private static let headings = ["trueHeading", "magneticHeading", "magneticBearing"]

  static func isThere(in reader: CSVReader) -> Bool {
    headings.contains { reader.column($0) != nil }
  }

  init(_ reader: CSVReader) throws(FileError) {
    time = try reader.requiredColumn(of: ["timestamp", "time"])
    _ = try reader.requiredColumn(of: Self.headings)
    magnetic = reader.column("magneticHeading") ?? reader.column("magneticBearing")
    trueNorth = reader.column("trueHeading")
    accuracy = reader.column("headingAccuracy")
    disturbed = reader.column("disturbed")
    self.reader = reader
  }

  /// The heading of the current record.
  var heading: PhoneHeading {
    get throws(FileError) {
      let isDisturbed = try number(disturbed) ?? 0 != 0
      return PhoneHeading(
        time: try reader.timestamp(time), magneticHeading: try heading(magnetic),
        trueHeading: try heading(trueNorth),
        headingAccuracy: try isDisturbed ? -1 : number(accuracy))
    }
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
}

extension PhoneHeading {
  /// The heading of a raw log; invalid where it is disturbed.
  init(_ heading: CompassHeading) {
    self.init(
      time: heading.time, magneticHeading: heading.magneticHeading,
      trueHeading: heading.trueHeading,
      headingAccuracy: heading.isDisturbed ? -1 : heading.accuracy)
  }
}
