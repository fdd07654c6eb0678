public import Files
import Geometry
import Glibc

/// Reads a log of a phone's raw magnetometer a reading at a time.
///
/// A log is a CSV file whose columns are found by name, in any order and case: `timestamp` or `time`; the
/// field in µT as `mag_x`, `magneticFieldX`, `magnetometer_x`, `mx` or the like, or just `x`, `y`, `z`; gravity
/// in any unit as `grav_x` or `gravityX`; where there is a gyroscope its rad/s as `gyro_x`, `rotationRateX`
/// or the like; where there are places `latitude` and `longitude`. Gravity and gyroscope may stand in
/// files beside it, as the phone app Sensor Logger writes them: `Gravity.csv` and `Gyroscope.csv`.
/// Rows without a field are passed over.
public final class MagnetometerLog {
  private let reader: CSVReader
  private let time: Int
  private let field: VectorColumns
  private let gravity: VectorColumns?
  private let rotationRate: VectorColumns?
  private let place: (latitude: Int, longitude: Int)?
  private let gravityLog: VectorLog?
  private let rotationLog: VectorLog?
  private var last: Timestamp?

  /// Which way the gravity points by the columns' names, if they tell.
  let namedSense: GravitySense?

  /// Whether a CSV file of this header is such a log.
  public static func isRaw(header: [String]) -> Bool {
    VectorColumns(VectorColumns.field + [""], in: header) != nil
  }

  /// Opens the log.
  ///
  /// - Parameter gravityPath: The file of the gravity sensor; nil for columns of the log or `Gravity.csv` beside
  ///   it.
  /// - Throws: `FileError` if it cannot be read, or a column is missing.
  public init(path: String, gravityPath: String? = nil) throws(FileError) {
    let reader = try CSVReader(path: path)
    time = try reader.requiredColumn(of: ["timestamp", "time"])
    guard let field = VectorColumns(VectorColumns.field + [""], in: reader.header) else {
      throw FileError(
        .malformed, file: path, place: "line 1",
        "there are no columns of a magnetometer (mag_x, mag_y, mag_z; or x, y, z)")
    }
    self.field = field
    let gravity =
      gravityPath == nil ? VectorColumns(VectorColumns.gravity, in: reader.header) : nil
    self.gravity = gravity
    rotationRate = VectorColumns(VectorColumns.rotationRate, in: reader.header)
    if let latitude = reader.column("latitude"), let longitude = reader.column("longitude") {
      place = (latitude, longitude)
    } else {
      place = nil
    }
    // Named as Core Motion names it.
    namedSense = gravity?.name == "gravityX" ? .down : nil
    self.reader = reader
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    if gravity != nil {
      gravityLog = nil
    } else {
      let beside = folder + "Gravity.csv"
      guard let file = gravityPath ?? (access(beside, F_OK) == 0 ? beside : nil) else {
        throw FileError(
          .malformed, file: path, place: "line 1",
          "there are no columns of gravity (grav_x, grav_y, grav_z), and no Gravity.csv is beside the file"
        )
      }
      gravityLog = try VectorLog(path: file, stems: VectorColumns.gravity)
    }
    let gyroscope = folder + "Gyroscope.csv"
    rotationLog =
      rotationRate == nil && access(gyroscope, F_OK) == 0
      ? try VectorLog(path: gyroscope, stems: VectorColumns.rotationRate) : nil
  }

  /// The part of the file that was read, [0, 1].
  public var fractionRead: Double { reader.fractionRead }

  /// The next reading, or nil at the end.
  ///
  /// - Throws: `FileError` with line and column for a value that is no number or out of range, for time
  ///   that goes backwards, and for a log of no readings.
  public func next() throws(FileError) -> MagnetometerReading? {
    while try reader.next() {
      guard let vector = try field.vector(reader) else { continue }
      let now = try reader.timestamp(time)
      if let last, now < last { throw reader.bad(time, "is earlier than the reading before") }
      last = now
      var reading = MagnetometerReading(time: now, field: vector)
      reading.gravity = try gravity?.vector(reader)
      if gravity == nil { reading.gravity = try gravityLog?.vector(at: now) }
      reading.rotationRate = try rotationRate?.vector(reader)
      if rotationRate == nil { reading.rotationRate = try rotationLog?.vector(at: now) }
      reading.place = try placeOfRecord()
      return reading
    }
    guard last != nil else {
      throw FileError(.malformed, file: reader.path, "no readings of a magnetometer")
    }
    return nil
  }

  private func placeOfRecord() throws(FileError) -> GeodeticCoordinate? {
    guard let place, let latitude = try reader.number(place.latitude),
      let longitude = try reader.number(place.longitude)
    else { return nil }
    let coordinate = GeodeticCoordinate(latitude: latitude, longitude: longitude)
    guard coordinate.isValid else { throw reader.bad(place.latitude, "is no place on Earth") }
    return coordinate
  }
}
