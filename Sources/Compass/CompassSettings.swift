public import Geometry

/// What is known besides a raw magnetometer log.
public struct CompassSettings: Equatable, Sendable {
  /// What takes the phone's magnetism out; nil to find it in the log itself, if that tells it.
  public var calibration: MagnetometerCalibration?
  /// Where the phone was; nil for the log's own places.
  public var place: GeodeticCoordinate?
  /// Metres above the ellipsoid there.
  public var altitude = 0.0
  /// The decimal year; nil for the log's own time.
  public var year: Double?
  /// The folder of the World Magnetic Model's coefficients; nil for no model.
  public var modelFolder: String?
  /// The field's strength, µT, where it is not to be the model's or the calibration's.
  public var strength: Double?
  /// The field's dip, degrees, likewise.
  public var dip: Double?
  /// The file of the gravity sensor, if it is neither in the log nor `Gravity.csv` beside it.
  public var gravityPath: String?
  /// Which way gravity points; nil to find out.
  public var gravitySense: GravitySense?
  /// What a disturbed field is.
  public var check = InterferenceCheck()
  /// µT by which the field may depart from what the gyroscope says.
  public var rotationTolerance = 5.0
  /// The part of the phone whose heading counts; nil to choose by how it is held.
  public var axis: PointingAxis?

  /// Nothing is known.
  public init() {}
}
