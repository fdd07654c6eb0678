import Glibc

/// The first trigonometric moment of a sample of directions, from which mean and spread follow.
///
/// K. V. Mardia and P. E. Jupp, *Directional Statistics* (Wiley, 2000), section 2.3.
public struct CircularMoments: Equatable, Sendable {
  /// Sum of the sines.
  public var sineSum: Double
  /// Sum of the cosines.
  public var cosineSum: Double
  /// Number of directions.
  public var count: Int

  /// The moments of `count` directions whose sines and cosines have these sums.
  public init(sineSum: Double = 0, cosineSum: Double = 0, count: Int = 0) {
    self.sineSum = sineSum
    self.cosineSum = cosineSum
    self.count = count
  }

  /// The moments of directions in degrees.
  public init(degrees: some Sequence<Double>) {
    self.init()
    for direction in degrees { add(degrees: direction) }
  }

  /// Takes one more direction into the sample.
  public mutating func add(degrees direction: Double) {
    let angle = radians(degrees: direction)
    sineSum += sin(angle)
    cosineSum += cos(angle)
    count += 1
  }

  /// Mean resultant length in [0, 1]: 1 when all directions are the same, 0 when they cancel; 0 for
  /// an empty sample.
  ///
  /// Rounding takes the quotient above 1 in half of all samples of one repeated direction, which
  /// would leave their standard deviation undefined; it is clamped.
  public var meanResultantLength: Double {
    count > 0 ? min(1, hypot(sineSum, cosineSum) / Double(count)) : 0
  }

  /// Mean direction in [0, 360) degrees, or nil where the directions cancel or there are none.
  public var meanDegrees: Double? {
    meanResultantLength > 0
      ? positiveDegrees(degrees(radians: atan2(sineSum, cosineSum))) : nil
  }

  /// Circular standard deviation √(−2 ln R) in degrees (Mardia and Jupp, eq. 2.3.11): 0 for one
  /// repeated direction, unbounded for directions that cancel, nil for an empty sample.
  public var standardDeviationDegrees: Double? {
    guard count > 0 else { return nil }
    let length = meanResultantLength
    return length > 0 ? degrees(radians: (-2 * log(length)).squareRoot()) : .infinity
  }
}
