public import Files
import Geometry

extension Track {
  /// Reads a CSV file whose columns are named after Core Location's `CLLocation` (`timestamp`,
  /// `latitude`, `longitude`, `altitude`, `speed`, `course`, `courseAccuracy`, `horizontalAccuracy`)
  /// or as the phone app Sensor Logger names them (`time`, `bearing`, `bearingAccuracy`), in any
  /// order.
  ///
  /// Time, latitude and longitude are needed. A row without latitude and longitude, as in a log of
  /// several sensors, is passed over. A negative speed, course or accuracy means that there is none.
  /// - Throws: `FileError` if a column is missing, a number or time cannot be read or is out of
  ///   range, times go back, or no row has a position.
  public init(csv path: String) throws(FileError) {
    let reader = try CSVReader(path: path)
    let columns = try LocationColumns(reader)
    var fixes: [LocationFix] = []
    var last: Timestamp?
    while try reader.next() {
      guard let fix = try columns.fix(reader), let time = fix.time else { continue }
      if let last, time < last {
        throw reader.bad(
          columns.time, "is \(last.seconds(since: time)) s before the time of the fix before")
      }
      last = time
      fixes.append(fix)
    }
    guard let track = Track(fixes: fixes) else {
      throw FileError(.malformed, file: path, "no row has a latitude and longitude")
    }
    self = track
  }
}

/// Where the values of a fix are in a record.
private struct LocationColumns {
  let time, latitude, longitude: Int
  let altitude, speed, course, bearing, courseAccuracy, horizontalAccuracy: Int?

  init(_ reader: CSVReader) throws(FileError) {
    guard let time = reader.column("timestamp") ?? reader.column("time") else {
      throw FileError(
        .malformed, file: reader.path, place: "line 1", "there is no column timestamp or time")
    }
    self.time = time
    latitude = try reader.requiredColumn("latitude")
    longitude = try reader.requiredColumn("longitude")
    altitude = reader.column("altitude")
    speed = reader.column("speed")
    course = reader.column("course")
    bearing = reader.column("bearing")
    courseAccuracy = reader.column("courseAccuracy") ?? reader.column("bearingAccuracy")
    horizontalAccuracy = reader.column("horizontalAccuracy")
  }

  /// The fix of the current record, or nil if it has no position.
  func fix(_ reader: CSVReader) throws(FileError) -> LocationFix? {
    if reader.isEmpty(latitude), reader.isEmpty(longitude) { return nil }
    var fix = LocationFix(
      time: try reader.timestamp(time),
      coordinate: GeodeticCoordinate(
        latitude: try degrees(.latitude, latitude, reader),
        longitude: try degrees(.longitude, longitude, reader)))
    func number(_ column: Int?) throws(FileError) -> Double? {
      guard let column else { return nil }
      return try reader.number(column)
    }
    func direction(_ column: Int?) throws(FileError) -> Double? {
      guard let column, let value = try reader.number(column) else { return nil }
      guard value <= 360 else { throw reader.bad(column, "is beyond 360 degrees") }
      return value
    }
    fix.altitude = try number(altitude)
    fix.take(
      LoggedMotion(
        speed: try number(speed), course: try direction(course), bearing: try direction(bearing),
        courseAccuracy: try number(courseAccuracy),
        horizontalAccuracy: try number(horizontalAccuracy)))
    return fix
  }

  private func degrees(
    _ axis: CoordinateAxis, _ column: Int, _ reader: CSVReader
  ) throws(FileError) -> Double {
    guard let value = try reader.number(column) else {
      throw reader.bad(column, "is no \(axis.rawValue)")
    }
    if let fault = axis.fault(of: value) { throw reader.bad(column, fault) }
    return value
  }
}
