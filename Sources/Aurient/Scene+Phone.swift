import Compass
import Files
public import HeadTracking

extension Scene {
  /// The headings of the scene's phone, or of its raw magnetometer; empty without a phone.
  ///
  /// - Throws: `FileError` if its log or its calibration cannot be read.
  public func phoneSeries() throws -> ReferenceSeries {
    guard let phone else { return ReferenceSeries() }
    var settings = CompassSettings()
    settings.modelFolder = DataFolder.magnetism
    settings.calibration = try calibration.map { try MagnetometerCalibration(path: $0) }
    return try ReferenceSeries(phoneLog: phone, settings: settings)
  }
}
