import Geometry

/// An angle without the step at 360°, for a needle that turns the short way round.
public struct UnwrappedAngle: Equatable, Sendable {
  /// Degrees; any number of turns.
  public private(set) var degrees: Double

  /// Starts at an angle.
  public init(_ degrees: Double) { self.degrees = degrees }

  /// Turns to a direction by the shortest signed turn, and returns the angle. One that is not finite
  /// changes nothing.
  @discardableResult
  public mutating func turn(to direction: Double) -> Double {
    if direction.isFinite { degrees += signedDegrees(direction - degrees) }
    return degrees
  }
}
