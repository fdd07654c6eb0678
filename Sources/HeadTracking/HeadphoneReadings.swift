public import Geometry

/// What headphones measure besides their attitude, in the body's axes: x right, y ahead, z up.
public struct HeadphoneReadings: Equatable, Sendable {
  /// Radians a second about each axis: `CMDeviceMotion.rotationRate`.
  public var rotationRate: Vector3?
  /// In units of standard gravity: `CMDeviceMotion.gravity`.
  public var gravity: Vector3?
  /// Without gravity, in its units: `CMDeviceMotion.userAcceleration`.
  public var userAcceleration: Vector3?
  /// Which earbud measures: `CMDeviceMotion.sensorLocation`.
  public var placement: HeadphoneSample.Location?

  /// Readings of these values, nil for what isn't known.
  public init(
    rotationRate: Vector3? = nil, gravity: Vector3? = nil, userAcceleration: Vector3? = nil,
    placement: HeadphoneSample.Location? = nil
  ) {
    self.rotationRate = rotationRate
    self.gravity = gravity
    self.userAcceleration = userAcceleration
    self.placement = placement
  }
}
