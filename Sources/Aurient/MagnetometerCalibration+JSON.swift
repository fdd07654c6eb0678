public import Compass
public import Files
import FoundationEssentials
import Geometry

extension MagnetometerCalibration {
  /// Reads a calibration as `json` writes it.
  ///
  /// - Throws: `FileError` if the file cannot be read or is no calibration.
  public init(path: String) throws(FileError) {
    let bytes = try InputFile.bytes(path: path, limit: 1 << 20)
    guard !bytes.isEmpty else { throw FileError(.malformed, file: path, "the file is empty") }
    let file: CalibrationFile
    do {
      file = try JSONDecoder().decode(CalibrationFile.self, from: Data(bytes))
    } catch DecodingError.keyNotFound(let key, _) {
      throw FileError(.malformed, file: path, "there is no \(key.stringValue): not a calibration")
    } catch {
      throw FileError(.malformed, file: path, "not a calibration in JSON")
    }
    guard let calibration = file.calibration else {
      throw FileError(.malformed, file: path, "the values make no calibration")
    }
    self = calibration
  }

  /// The calibration as a JSON object, its numbers such that they read back as the same.
  public var json: String {
    let rows = matrix.rows.map { "\($0)" }.joined(separator: ", ")
    return """
      {
        "model": "\(model.rawValue)",
        "offset_ut": [\(offset.x), \(offset.y), \(offset.z)],
        "matrix": [\(rows)],
        "strength_ut": \(strength),
        "dip_deg": \(dip.map { "\($0)" } ?? "null"),
        "residual_ut": \(residual),
        "coverage": \(coverage),
        "readings": \(readingCount),
        "outliers": \(outlierShare)
      }

      """
  }
}

/// A calibration file as it stands.
private struct CalibrationFile: Decodable {
  var model: String
  var offset: [Double]
  var matrix: [[Double]]
  var strength: Double
  var dip: Double?
  var residual: Double
  var coverage: Double
  var readings: Int
  var outliers: Double

  enum CodingKeys: String, CodingKey {
    case model, matrix, coverage, readings, outliers
    case offset = "offset_ut"
    case strength = "strength_ut"
    case dip = "dip_deg"
    case residual = "residual_ut"
  }

  /// The calibration, unless a value is out of its range or the matrix is not symmetric.
  var calibration: MagnetometerCalibration? {
    guard let model = MagnetometerCalibration.Model(rawValue: model), offset.count == 3,
      matrix.count == 3, matrix.allSatisfy({ $0.count == 3 }), matrix[0][1] == matrix[1][0],
      matrix[0][2] == matrix[2][0], matrix[1][2] == matrix[2][1], strength > 0, residual >= 0,
      abs(dip ?? 0) <= 90, 0...1 ~= coverage, 0...1 ~= outliers, readings >= 0
    else { return nil }
    let symmetric = SymmetricMatrix3(
      xx: matrix[0][0], yy: matrix[1][1], zz: matrix[2][2], xy: matrix[0][1], xz: matrix[0][2],
      yz: matrix[1][2])
    guard symmetric.squareRoot != nil else { return nil }
    return MagnetometerCalibration(
      model: model, offset: Vector3(offset[0], offset[1], offset[2]), matrix: symmetric,
      strength: strength, dip: dip, residual: residual, coverage: coverage,
      readingCount: readings, outlierShare: outliers)
  }
}
