public import Compass
public import Files

/// Directions over time that calibration refers to, such as a phone's headings or courses, asked for
/// in the order of time.
public struct ReferenceSeries: Sendable {
  /// A direction and when it was measured.
  public struct Reading: Equatable, Sendable {
    /// When.
    public var time: Timestamp
    /// Degrees clockwise from north, or nil where nothing valid was measured.
    public var direction: Double?
    /// The largest expected error, degrees; nil where nothing is known.
    public var accuracy: Double?

    /// A direction measured at a time.
    public init(time: Timestamp, direction: Double?, accuracy: Double? = nil) {
      self.time = time
      self.direction = direction
      self.accuracy = accuracy
    }
  }

  /// What the user of a log should know.
  public private(set) var warnings: [FileError] = []
  private let readings: [Reading]
  private var next = 0

  /// A series of readings, in the order of time.
  public init(_ readings: [Reading] = []) { self.readings = readings }

  /// The headings of a phone's log.
  ///
  /// - Parameter settings: What is known besides a raw magnetometer's log.
  /// - Throws: `FileError` as `PhoneLog` does.
  public init(
    phoneLog path: String, settings: CompassSettings = CompassSettings()
  ) throws(FileError) {
    var log = try PhoneLog(path: path, settings: settings)
    var readings: [Reading] = []
    while let reading = try log.next() {
      readings.append(
        Reading(
          time: reading.time, direction: reading.heading, accuracy: reading.headingAccuracy))
    }
    self.init(readings)
    warnings = log.warnings
  }

  /// From the first reading to the last; nil if there is none.
  public var span: ClosedRange<Timestamp>? {
    guard let first = readings.first, let last = readings.last else { return nil }
    return first.time...last.time
  }

  /// The newest reading not later than `time`, however old it is; nil before the first. Times must not
  /// go backwards from call to call.
  public mutating func reading(at time: Timestamp) -> Reading? {
    while next < readings.count, readings[next].time <= time { next += 1 }
    return next > 0 ? readings[next - 1] : nil
  }
}
