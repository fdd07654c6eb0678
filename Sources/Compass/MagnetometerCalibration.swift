public import Geometry

/// What takes a phone's own magnetism out of its magnetometer's readings, and how well.
public struct MagnetometerCalibration: Equatable, Sendable {
  /// The surface that was fitted.
  public enum Model: String, CaseIterable, Sendable {
    /// Hard iron alone.
    case sphere
    /// Hard and soft iron.
    case ellipsoid
  }

  /// The surface that was fitted.
  public var model: Model
  /// Hard iron: the field of the phone itself, µT in the device's axes.
  public var offset: Vector3
  /// Soft iron: what is multiplied to a reading less the offset.
  public var matrix: SymmetricMatrix3
  /// Strength of the field where it was calibrated, µT: the length of corrected readings.
  public var strength: Double
  /// Dip of the field there, degrees below the horizontal; nil where gravity was not logged.
  public var dip: Double?
  /// Root mean square of the differences of corrected readings' lengths from `strength`, µT, outliers
  /// left aside.
  public var residual: Double
  /// Share of the sphere of directions that the readings reached, [0, 1].
  public var coverage: Double
  /// How many readings were made.
  public var readingCount: Int
  /// Share of the samples that were left out as outliers, [0, 1].
  public var outlierShare: Double

  /// The calibration of these values.
  public init(
    model: Model, offset: Vector3, matrix: SymmetricMatrix3, strength: Double, dip: Double? = nil,
    residual: Double, coverage: Double, readingCount: Int, outlierShare: Double
  ) {
    self.model = model
    self.offset = offset
    self.matrix = matrix
    self.strength = strength
    self.dip = dip
    self.residual = residual
    self.coverage = coverage
    self.readingCount = readingCount
    self.outlierShare = outlierShare
  }

  /// The Earth's field of a reading, µT in the device's axes.
  public func corrected(_ field: Vector3) -> Vector3 { matrix * (field - offset) }

  /// The calibration in units in which the field where it was made has a known strength, µT: soft iron
  /// changes the scale, too, which turning the phone cannot tell.
  public func scaled(toStrength known: Double) -> MagnetometerCalibration {
    var scaled = self
    let factor = known / strength
    scaled.matrix = factor * matrix
    scaled.strength = known
    scaled.residual *= factor
    return scaled
  }
}
