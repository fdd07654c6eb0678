import Geometry

/// Checks a measured field against the Earth's: iron and magnets nearby change strength and dip.
///
/// What turns the horizontal field and leaves its length passes unseen: to 48 µT dipping 66° another 8 µT
/// to the east and 1.5 to the south turn the heading by 24°, and change strength by 0.2 % and dip by 0.2°.
public struct InterferenceCheck: Equatable, Sendable {
  /// Largest share by which the strength may differ.
  public var strengthTolerance: Double
  /// Degrees by which the dip may differ.
  public var dipTolerance: Double

  /// A check with these tolerances.
  public init(strengthTolerance: Double = 0.15, dipTolerance: Double = 5) {
    self.strengthTolerance = strengthTolerance
    self.dipTolerance = dipTolerance
  }

  /// What speaks against a field, of `strength` µT and `dip` degrees.
  public func faults(
    strength: Double, dip: Double, expected: FieldExpectation
  ) -> FieldFaults {
    var faults: FieldFaults = []
    if !(abs(strength - expected.strength) <= strengthTolerance * expected.strength) {
      faults.insert(.strength)
    }
    if let other = expected.dip, !(abs(dip - other) <= dipTolerance) { faults.insert(.dip) }
    return faults
  }
}

/// What speaks against a measured field.
public struct FieldFaults: OptionSet, Hashable, Sendable {
  /// The faults as bits.
  public let rawValue: UInt8
  /// The faults of these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It is stronger or weaker than the Earth's.
  public static let strength = FieldFaults(rawValue: 1)
  /// It dips otherwise.
  public static let dip = FieldFaults(rawValue: 2)
  /// It changed while the phone did not turn, or not as the phone turned.
  public static let rotation = FieldFaults(rawValue: 4)
  /// There is no horizontal direction in it.
  public static let vertical = FieldFaults(rawValue: 8)
}
