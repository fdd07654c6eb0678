public import Files
public import Geometry

/// What a phone's sensors said at a moment, vectors in the device's axes: x right, y to the top edge, z out
/// of the screen.
public struct MagnetometerReading: Equatable, Sendable {
  /// When.
  public var time: Timestamp
  /// The magnetic field, µT, with the phone's own magnetism in it unless that was taken out before.
  public var field: Vector3
  /// Gravity, of any length; which way it points, see `GravitySense`. Nil where there is none.
  public var gravity: Vector3?
  /// Rate of rotation about the axes, right-handed, rad/s; nil where there is none.
  public var rotationRate: Vector3?
  /// Where the phone was, if that is known.
  public var place: GeodeticCoordinate?

  /// A reading with these values.
  public init(
    time: Timestamp, field: Vector3, gravity: Vector3? = nil, rotationRate: Vector3? = nil,
    place: GeodeticCoordinate? = nil
  ) {
    self.time = time
    self.field = field
    self.gravity = gravity
    self.rotationRate = rotationRate
    self.place = place
  }
}

/// Which way a log's gravity points.
///
/// Core Motion's is down. Android's sensor of that name gives the force that holds the phone, which is up.
/// Taken for the other, it mirrors all headings.
public enum GravitySense: String, CaseIterable, Sendable {
  /// As Core Motion has it: (0, 0, −1) for a phone on its back.
  case down
  /// As Android has it: (0, 0, 9.81) for a phone on its back.
  case up
}
