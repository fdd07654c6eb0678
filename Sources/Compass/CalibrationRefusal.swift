public import Geometry

/// Why readings make no calibration, and what their user can do.
public enum CalibrationRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// There are too few readings.
  case tooFew(Int, needed: Int)
  /// All readings are the same.
  case constant
  /// The field never came from about this direction of the device, within so many degrees; the share of
  /// all directions that was covered.
  case uncovered(Vector3, within: Double, coverage: Double)
  /// The readings determine no surface of the kind.
  case undetermined(MagnetometerCalibration.Model)
  /// The strength, µT, is not that of the Earth's field.
  case strange(strength: Double)
  /// The readings lie too far from any surface; residual in µT and share of outliers.
  case disturbed(residual: Double, outlierShare: Double)

  /// What is missing, on one line.
  public var description: String {
    switch self {
    case .tooFew(let count, let needed):
      return "only \(count) readings; a calibration needs \(needed)"
    case .constant: return "the readings do not change; turn the phone about all axes"
    case .uncovered(let direction, let angle, let share):
      let (side, action) = Self.side(direction)
      return
        "the readings cover \(Int((100 * share).rounded())) % of all directions, and none within "
        + "\(Int(angle.rounded())) degrees of the \(side): \(action)"
    case .undetermined(let model):
      let (article, name) = (model == .sphere ? "a" : "an", model.rawValue)
      return
        "the readings do not determine \(article) \(name): turn the phone about all axes, as in a "
        + "figure eight"
    case .strange(let strength):
      return
        "the field is of \(Self.tenths(strength)) µT, and the Earth's of 22 to 67: are the readings in "
        + "µT, and is a magnet near?"
    case .disturbed(let residual, let share):
      return "the field was not the same all the time: \(Self.tenths(residual)) µT of residual, "
        + "\(Int((100 * share).rounded())) % outliers; keep away from iron and magnets"
    }
  }

  private static func side(_ direction: Vector3) -> (name: String, action: String) {
    let (x, y, z) = (abs(direction.x), abs(direction.y), abs(direction.z))
    if z >= max(x, y) { return (direction.z > 0 ? "screen's side" : "back", "turn the phone over") }
    if y >= x {
      return (
        direction.y > 0 ? "top edge" : "bottom edge", "stand the phone on its head and upright"
      )
    }
    return (
      direction.x > 0 ? "right edge" : "left edge", "roll the phone onto its left and right edge"
    )
  }

  private static func tenths(_ value: Double) -> String {
    // No phone measures a million µT; the bound keeps the conversion from trapping.
    let tenths = Int((min(abs(value), 1e9) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
