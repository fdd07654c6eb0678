public import Geometry
import Glibc

/// Checks changes of the field against the gyroscope: in a steady field dB/dt = −ω × B in the device's
/// axes, for a phone's turn is all that changes B.
///
/// A reference field is turned as the gyroscope says and follows what is measured with a time constant of
/// five seconds, as long as the two agree. A field that departs by more than the tolerance is at fault
/// until it returns; after 30 s the gyroscope's drift has used up the reference, and it starts anew. So a
/// source that comes within some seconds is caught, whatever its direction; one that is there from the
/// start, or comes slower than tolerance / 5 s, is not.
public struct RotationCheck: Equatable, Sendable {
  /// µT by which the field may depart.
  public let tolerance: Double
  private var reference: Vector3?
  private var secondsAtFault = 0.0

  private static let timeConstant = 5.0
  private static let longestFault = 30.0
  /// Seconds between readings beyond which the turn between them is not known.
  private static let longestStep = 0.25
  /// Seconds by which the sensors' clocks may differ, which matters while the phone turns fast.
  private static let delay = 0.03

  /// A check that has seen nothing.
  public init(tolerance: Double = 5) { self.tolerance = tolerance }

  /// Takes a reading and says whether it is at fault; nil where it cannot be told: at first, after a gap,
  /// and without gyroscope.
  ///
  /// - Parameters:
  ///   - field: µT, calibrated, in the device's axes.
  ///   - rotationRate: rad/s about the device's axes, right-handed.
  ///   - seconds: Since the reading before.
  public mutating func update(
    _ field: Vector3, rotationRate: Vector3?, after seconds: Double
  ) -> Bool? {
    guard let rotationRate, rotationRate.length.isFinite, field.length.isFinite else {
      reference = nil
      return nil
    }
    guard let before = reference, seconds > 0, seconds <= Self.longestStep else {
      if seconds > 0 || reference == nil { restart(field) }
      return nil
    }
    let turned = Self.turned(before, by: -seconds * rotationRate)
    let departure = (field - turned).length
    let allowance = tolerance + Self.delay * rotationRate.length * field.length
    guard departure > allowance else {
      reference = turned + -expm1(-seconds / Self.timeConstant) * (field - turned)
      secondsAtFault = 0
      return false
    }
    secondsAtFault += seconds
    if secondsAtFault > Self.longestFault { restart(field) } else { reference = turned }
    return true
  }

  private mutating func restart(_ field: Vector3) {
    reference = field
    secondsAtFault = 0
  }

  private static func turned(_ vector: Vector3, by rotation: Vector3) -> Vector3 {
    let angle = rotation.length
    guard angle > 0 else { return vector }
    return Quaternion(radians: angle, about: rotation / angle).rotate(vector)
  }
}
