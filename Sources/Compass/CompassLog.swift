public import Files
import Geometry

/// Reads a raw magnetometer log as a phone's location framework would: calibrated, tilt-compensated,
/// from true north where the place is known, each heading with what speaks against it.
///
/// The log is read twice, first for what it tells as a whole. Memory does not grow with it.
public struct CompassLog: ~Copyable {
  /// What the readings are calibrated by; nil where they are taken as they are.
  public let calibration: MagnetometerCalibration?
  /// Which way the log's gravity is taken to point.
  public let gravitySense: GravitySense
  /// From the first reading to the last.
  public let span: ClosedRange<Timestamp>
  /// What its user should know.
  public let warnings: [FileError]

  private let log: MagnetometerLog
  private var estimator: HeadingEstimator
  private var earth: EarthField

  /// Opens the log.
  ///
  /// - Parameter progress: Called now and then in the first reading, with the fraction of it that is done.
  /// - Throws: `FileError` as `MagnetometerLog` does, and if a model cannot be read.
  public init(
    path: String, settings: CompassSettings = CompassSettings(),
    progress: (Double) -> Void = { _ in }
  ) throws(FileError) {
    let opening = try Opening(path: path, settings: settings, progress: progress)
    log = try MagnetometerLog(path: path, gravityPath: settings.gravityPath)
    calibration = opening.calibration
    gravitySense = opening.sense
    span = opening.survey.span
    warnings = opening.notes.map { FileError(.unsupported, file: path, $0) }
    earth = opening.earth
    estimator = HeadingEstimator(
      calibration: opening.calibration, check: settings.check,
      rotationCheck: RotationCheck(tolerance: settings.rotationTolerance), axis: settings.axis)
  }

  /// The part of the log that was read the second time, [0, 1].
  public var fractionRead: Double { log.fractionRead }

  /// The next heading, or nil at the end.
  ///
  /// - Throws: `FileError` as `MagnetometerLog.next` does.
  public mutating func next() throws(FileError) -> CompassHeading? {
    guard var reading = try log.next() else { return nil }
    if gravitySense == .up { reading.gravity = reading.gravity.map { -$0 } }
    let expected = try earth.expectation(at: reading.place, time: reading.time)
    return estimator.update(reading, expected: expected)
  }
}

/// What the first reading of a log settles for the second.
private struct Opening {
  let survey: LogSurvey
  private(set) var calibration: MagnetometerCalibration?
  private(set) var earth: EarthField
  let sense: GravitySense
  private(set) var notes: [String] = []

  init(path: String, settings: CompassSettings, progress: (Double) -> Void) throws(FileError) {
    survey = try LogSurvey(path: path, gravityPath: settings.gravityPath, progress: progress)
    calibration = settings.calibration
    if calibration == nil {
      do throws(CalibrationRefusal) {
        calibration = try MagnetometerCalibration(fitting: survey.samples)
      } catch {
        notes.append(
          "not calibrated (\(error)); the readings are taken as free of the phone's own magnetism")
      }
    }
    earth = EarthField(settings: settings, calibration: calibration)
    let start = try earth.expectation(at: survey.place, time: survey.span.lowerBound)
    notes += earth.warnings
    if settings.calibration == nil, earth.isModelled, let strength = start?.strength {
      calibration = calibration?.scaled(toStrength: strength)
    }
    if let sense = settings.gravitySense {
      self.sense = sense
      return
    }
    let (sense, isKnown) = survey.sense(calibration: calibration, dip: start?.dip)
    self.sense = sense
    if !isKnown {
      notes.append(
        "gravity is taken to point \(sense.rawValue), as if the phone mostly lay with its screen up; a "
          + "place or the sense itself would tell")
    }
  }
}
