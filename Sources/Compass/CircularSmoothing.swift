import Geometry
import Glibc

/// Smooths a direction over time: an exponential mean of its sine and cosine, which knows no step at
/// north.
public struct CircularSmoothing: Equatable, Sendable {
  /// Seconds in which the weight of a reading falls to 1/e.
  public let timeConstant: Double
  private var sine = 0.0
  private var cosine = 0.0

  /// A smoothing that has seen nothing; with a time constant of 0 each reading counts alone.
  public init(timeConstant: Double) { self.timeConstant = timeConstant }

  /// The smoothed direction, [0, 360) degrees; nil before the first reading and where readings cancel.
  public var direction: Double? {
    hypot(sine, cosine) > 1e-9
      ? positiveDegrees(degrees(radians: atan2(sine, cosine))) : nil
  }

  /// Takes a direction in degrees, `seconds` after the one before. One that is not finite changes
  /// nothing.
  @discardableResult
  public mutating func update(_ direction: Double, after seconds: Double) -> Double? {
    guard direction.isFinite, seconds.isFinite else { return self.direction }
    let isFirst = sine == 0 && cosine == 0
    let weight = isFirst || timeConstant <= 0 ? 1 : -expm1(-max(0, seconds) / timeConstant)
    let angle = radians(degrees: direction)
    sine += weight * (sin(angle) - sine)
    cosine += weight * (cos(angle) - cosine)
    return self.direction
  }
}
