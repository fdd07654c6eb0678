/// What the Earth's field is like where a phone is.
public struct FieldExpectation: Equatable, Sendable {
  /// µT.
  public var strength: Double
  /// Degrees below the horizontal; nil where not known.
  public var dip: Double?
  /// Degrees of magnetic north clockwise from true north; nil where not known.
  public var declination: Double?

  /// The expectation of these values.
  public init(strength: Double, dip: Double? = nil, declination: Double? = nil) {
    self.strength = strength
    self.dip = dip
    self.declination = declination
  }
}
