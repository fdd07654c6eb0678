public import Files
public import Geometry

/// The field to be expected along a log: what its user says, else the World Magnetic Model's where the
/// place is known, else that of the calibration.
public struct EarthField: Sendable {
  private let settings: CompassSettings
  private let calibrated: FieldExpectation?
  private var modelled: (place: GeodeticCoordinate, time: Timestamp, field: FieldExpectation)?
  private var model: WorldMagneticModel?
  /// What makes the first field doubtful.
  public private(set) var warnings: [String] = []

  /// Degrees and seconds after which the model is asked anew: it changes by some nT over them.
  private static let (step, duration) = (0.05, 86_400.0)

  /// The field by what is known of a log, and by a calibration's of its own.
  public init(settings: CompassSettings, calibration: MagnetometerCalibration? = nil) {
    self.settings = settings
    calibrated = calibration.map { FieldExpectation(strength: $0.strength, dip: $0.dip) }
  }

  /// Whether the last field was the model's.
  var isModelled: Bool { modelled != nil && settings.strength == nil }

  /// The field at a place, or at the last that was known; nil where nothing tells it.
  ///
  /// - Throws: `FileError` if the model's file cannot be read.
  public mutating func expectation(
    at place: GeodeticCoordinate?, time: Timestamp
  ) throws(FileError) -> FieldExpectation? {
    if let place = settings.place ?? place ?? modelled?.place { try update(place, time) }
    var field = modelled?.field ?? calibrated
    if let strength = settings.strength {
      field = FieldExpectation(
        strength: strength, dip: field?.dip, declination: field?.declination)
    }
    if let dip = settings.dip { field?.dip = dip }
    return field
  }

  private mutating func update(
    _ place: GeodeticCoordinate, _ time: Timestamp
  ) throws(FileError) {
    guard let folder = settings.modelFolder else { return }
    if let last = modelled, abs(last.place.latitude - place.latitude) < Self.step,
      abs(last.place.longitude - place.longitude) < Self.step,
      abs(time.seconds(since: last.time)) < Self.duration
    {
      return
    }
    let year = settings.year ?? time.decimalYear
    let model: WorldMagneticModel
    if let loaded = self.model {
      model = loaded
    } else {
      model = try WorldMagneticModel(folder: folder, year: year)
      self.model = model
    }
    let field = model.field(at: place, altitude: settings.altitude, year: year)
    if modelled == nil { warnings = model.warnings(field, year: year) }
    modelled = (place, time, field.expectation)
  }
}
