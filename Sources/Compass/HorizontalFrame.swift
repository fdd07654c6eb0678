public import Geometry
import Glibc

/// Where magnetic east, north and down lie in a device, from the field and gravity measured there: the
/// tilt compensation of a compass.
///
/// East is down × field, north is east × down. Device axes: x right, y to the top edge, z out of the
/// screen. M. J. Caruso, "Applications of magnetic sensors for low cost compass systems", IEEE PLANS 2000.
public struct HorizontalFrame: Equatable, Sendable {
  /// Unit vectors in the device's axes.
  public let east, north, down: Vector3
  /// Length of the field's horizontal part, in the field's unit.
  public let horizontalStrength: Double
  /// Angle of the field below the horizontal, degrees, [−90, 90].
  public let dip: Double

  /// The frame, or nil where there is none: a vector is zero or not finite, or the field is vertical.
  ///
  /// - Parameters:
  ///   - field: The magnetic field in the device's axes, any unit.
  ///   - gravity: The direction of gravity, pointing down, of any length.
  public init?(field: Vector3, gravity: Vector3) {
    let down = gravity.normalized
    let across = down.cross(field)
    let horizontal = across.length
    // A comparison with a number that is none is false.
    guard horizontal > 1e-9 * field.length, horizontal.isFinite, gravity.length.isFinite else {
      return nil
    }
    east = across / horizontal
    north = east.cross(down)
    self.down = down
    horizontalStrength = horizontal
    dip = degrees(radians: atan2(down.dot(field), horizontal))
  }

  /// Heading of an axis of the device from magnetic north, [0, 360) degrees; nil for a vertical axis.
  public func heading(of axis: Vector3) -> Double? {
    let (x, y) = (axis.dot(east), axis.dot(north))
    guard hypot(x, y) > 1e-9 * axis.length else { return nil }
    return positiveDegrees(degrees(radians: atan2(x, y)))
  }

  /// Elevation of an axis of the device above the horizontal, degrees, [−90, 90].
  public func elevation(of axis: Vector3) -> Double {
    degrees(radians: atan2(-axis.dot(down), hypot(axis.dot(east), axis.dot(north))))
  }

  /// The top edge's heading by the formula that takes the device to be level, [0, 360) degrees. Its
  /// error grows with tilt and dip; it is here to show that.
  public static func flatHeading(field: Vector3) -> Double {
    positiveDegrees(degrees(radians: atan2(-field.x, field.y)))
  }
}
