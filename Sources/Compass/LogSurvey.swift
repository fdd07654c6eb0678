public import Files
public import Geometry
import Glibc

/// What a raw log as a whole tells: its readings for a calibration, and which way its gravity points.
public struct LogSurvey: Sendable {
  /// The readings.
  public private(set) var samples = FieldSamples()
  /// The first place in the log; nil if there is none.
  public private(set) var place: GeodeticCoordinate?
  /// From the first reading to the last.
  public private(set) var span: ClosedRange<Timestamp>
  /// Which way the gravity points by the columns' names, if they tell.
  public let namedSense: GravitySense?

  /// Readings with gravity, the sum of their verticals, and of the products of vertical and field. From
  /// these comes the mean vertical component of the field under any calibration.
  private var count = 0.0
  private var verticalSum = Vector3()
  private var products = (x: Vector3(), y: Vector3(), z: Vector3())

  /// Reads the log.
  ///
  /// - Parameter progress: Called now and then with the fraction that is done.
  /// - Throws: `FileError` as `MagnetometerLog` does, and for a pipe, which cannot be read again.
  public init(
    path: String, gravityPath: String? = nil, progress: (Double) -> Void = { _ in }
  ) throws(FileError) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO {
      throw FileError(.unsupported, file: path, "is a pipe; a raw log is read twice, from a file")
    }
    let log = try MagnetometerLog(path: path, gravityPath: gravityPath)
    namedSense = log.namedSense
    guard let first = try log.next() else {
      throw FileError(.malformed, file: path, "no readings of a magnetometer")
    }
    span = first.time...first.time
    var reading: MagnetometerReading? = first
    while let now = reading {
      add(now)
      if samples.count % 4096 == 0 { progress(log.fractionRead) }
      reading = try log.next()
    }
  }

  private mutating func add(_ reading: MagnetometerReading) {
    samples.add(reading.field)
    span = span.lowerBound...max(span.lowerBound, reading.time)
    place = place ?? reading.place
    guard let vertical = reading.gravity?.normalized, vertical.length.isFinite else { return }
    count += 1
    verticalSum += vertical
    products.x += vertical.x * reading.field
    products.y += vertical.y * reading.field
    products.z += vertical.z * reading.field
  }

  /// The mean of the calibrated field along the logged gravity, µT; nil if no gravity was logged.
  func meanVertical(_ calibration: MagnetometerCalibration?) -> Double? {
    guard count > 0 else { return nil }
    let offset = calibration?.offset ?? Vector3()
    let matrix = calibration?.matrix ?? .identity
    let rows = matrix.rows.map { Vector3($0[0], $0[1], $0[2]) }
    let sum = rows[0].dot(products.x) + rows[1].dot(products.y) + rows[2].dot(products.z)
    return (sum - verticalSum.dot(matrix * offset)) / count
  }

  /// Which way the gravity points: by a dip of at least 15° that the place or the calibration gives, else by the
  /// columns' names, else so that the phone mostly lay with its screen up.
  ///
  /// - Returns: The sense, and whether it is more than a guess.
  public func sense(
    calibration: MagnetometerCalibration?, dip: Double?
  ) -> (sense: GravitySense, isKnown: Bool) {
    // Without calibration the phone's own field may be stronger than the Earth's: names count more.
    if let dip, abs(dip) >= 15, calibration != nil || namedSense == nil,
      let vertical = meanVertical(calibration), vertical != 0
    {
      return ((vertical > 0) == (dip > 0) ? .down : .up, true)
    }
    if let namedSense { return (namedSense, true) }
    return (verticalSum.z > 0 ? .up : .down, false)
  }

  /// The field's dip, degrees, by a calibration of these readings; nil if no gravity was logged.
  public func dip(_ calibration: MagnetometerCalibration, sense: GravitySense) -> Double? {
    guard let vertical = meanVertical(calibration) else { return nil }
    let sine = vertical / calibration.strength * (sense == .down ? 1 : -1)
    return degrees(radians: asin(max(-1, min(1, sine))))
  }

  /// The field to be expected where the log begins, by the World Magnetic Model; nil where no place is known.
  ///
  /// - Returns: The field, and what makes it doubtful.
  public func earthField(
    _ settings: CompassSettings
  ) throws(FileError) -> (field: FieldExpectation?, warnings: [String]) {
    var earth = EarthField(settings: settings, calibration: nil)
    let field = try earth.expectation(at: place, time: span.lowerBound)
    return (field, earth.warnings)
  }
}
