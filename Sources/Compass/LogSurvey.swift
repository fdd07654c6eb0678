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

  /// Readings with gravity, evenly thinned out: the logged vertical, a unit vector, and the field. From these
  /// comes the vertical component of the field under any calibration.
  private var pairs: [(vertical: Vector3, field: Vector3)] = []
  /// One reading in so many is kept, and so many have been passed over since the last.
  private var (stride, passed) = (1, 0)
  private static let mostPairs = 8192

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
    passed += 1
    guard passed == stride else { return }
    passed = 0
    pairs.append((vertical, reading.field))
    if pairs.count == Self.mostPairs {
      pairs = pairs.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
      stride *= 2
    }
  }

  /// The calibrated field along the logged gravity, µT, which a few wrong readings don't move; nil if no
  /// gravity was logged.
  ///
  /// Of calibrated readings the median, of others the mean of the middle nine tenths: what the phone itself adds
  /// takes every sign as it turns.
  func typicalVertical(_ calibration: MagnetometerCalibration?) -> Double? {
    guard let calibration else {
      let sorted = pairs.map { $0.vertical.dot($0.field) }.filter(\.isFinite).sorted()
      let middle = sorted.dropFirst(sorted.count / 20).dropLast(sorted.count / 20)
      return middle.isEmpty ? nil : middle.reduce(0, +) / Double(middle.count)
    }
    return median(pairs.map { $0.vertical.dot(calibration.corrected($0.field)) })
  }

  private func median(_ values: [Double]) -> Double? {
    let sorted = values.filter(\.isFinite).sorted()
    guard !sorted.isEmpty else { return nil }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
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
      let vertical = typicalVertical(calibration), vertical != 0
    {
      return ((vertical > 0) == (dip > 0) ? .down : .up, true)
    }
    if let namedSense { return (namedSense, true) }
    return (pairs.reduce(0) { $0 + $1.vertical.z } > 0 ? .up : .down, false)
  }

  /// The field's dip, degrees, by a calibration of these readings; nil if no gravity was logged.
  public func dip(_ calibration: MagnetometerCalibration, sense: GravitySense) -> Double? {
    guard let vertical = typicalVertical(calibration) else { return nil }
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
