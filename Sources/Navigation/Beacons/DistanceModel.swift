import Glibc

/// How a beacon's level falls with its distance: the models of OpenAL 1.1 (specification, section 3.4)
/// and their parameters.
public struct DistanceModel: Equatable, Sendable {
  /// The form of the curve.
  public enum Curve: String, CaseIterable, Sendable {
    /// Does not fall (OpenAL's none).
    case constant
    /// As a point source's pressure does: `reference / (reference + rolloff (distance − reference))`.
    case inverse
    /// Straight down from the reference to the maximum distance.
    case linear
    /// `(distance / reference) ^ −rolloff`.
    case exponent
  }

  /// The form.
  public let curve: Curve
  /// Whether distances below the reference and above the maximum count as these.
  public let isClamped: Bool
  /// Metres at which the gain is 1; more than 0.
  public let reference: Double
  /// Metres beyond which nothing changes any more, where clamped, and at which a linear curve ends; not
  /// less than the reference.
  public let maximum: Double
  /// How steep it is, 0 or more; for a linear curve at most 1.
  public let rolloff: Double

  /// No fall: the bearing alone is heard.
  public static let constant = DistanceModel(
    unchecked: .constant, isClamped: false, reference: 1, maximum: .greatestFiniteMagnitude,
    rolloff: 0)

  /// A model with these parameters; nil where one is out of its range or a linear curve has no length.
  public init?(
    _ curve: Curve, isClamped: Bool = true, reference: Double = 10,
    maximum: Double = .greatestFiniteMagnitude, rolloff: Double = 1
  ) {
    guard reference > 0, reference.isFinite, maximum >= reference, maximum.isFinite, rolloff >= 0,
      rolloff.isFinite, curve != .linear || rolloff <= 1 && maximum > reference
    else { return nil }
    self.init(
      unchecked: curve, isClamped: isClamped, reference: reference, maximum: maximum,
      rolloff: rolloff)
  }

  private init(
    unchecked curve: Curve, isClamped: Bool, reference: Double, maximum: Double, rolloff: Double
  ) {
    self.curve = curve
    self.isClamped = isClamped
    self.reference = reference
    self.maximum = maximum
    self.rolloff = rolloff
  }

  /// The gain at a distance in metres, a factor; below the reference distance an unclamped one is above
  /// 1.
  public func gain(distance: Double) -> Double {
    var distance = max(0, distance)
    if isClamped { distance = min(max(distance, reference), maximum) }
    switch curve {
    case .constant: return 1
    case .inverse:
      let way = reference + rolloff * (distance - reference)
      return way > 0 ? reference / way : 1
    case .linear:
      let part = (min(distance, maximum) - reference) / (maximum - reference)
      return 1 - rolloff * part
    case .exponent:
      guard distance > 0 else { return 1 }
      return pow(distance / reference, -rolloff)
    }
  }
}
