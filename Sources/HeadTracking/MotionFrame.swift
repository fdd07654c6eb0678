public import Files
public import Geometry

/// One sample of a head's attitude, as headphones with motion sensors deliver it.
public struct MotionFrame: Equatable, Sendable {
  /// When it was measured.
  public var time: Timestamp
  /// The head's attitude: body x right, y ahead, z up; the reference frame's z is up and its yaw has
  /// an arbitrary zero.
  public var attitude: Quaternion
  /// Core Motion's yaw, radians, counterclockwise as seen from above.
  public var yaw: Double
  /// What else the headphones told; nil where the source has attitudes alone.
  public var readings: HeadphoneReadings?

  /// A frame with the yaw that its source gives.
  public init(
    time: Timestamp, attitude: Quaternion, yaw: Double, readings: HeadphoneReadings? = nil
  ) {
    self.time = time
    self.attitude = attitude
    self.yaw = yaw
    self.readings = readings
  }

  /// A frame with the yaw of its attitude.
  public init(time: Timestamp, attitude: Quaternion) {
    self.init(time: time, attitude: attitude, yaw: CoreMotionAngles(attitude).yaw)
  }

  /// The yaw as a direction: degrees clockwise, [0, 360). A heading is this plus the calibration's
  /// offset.
  public var frameYaw: Double { positiveDegrees(180 - degrees(radians: yaw)) }

  /// The frame relative to a reference attitude: what is measured there becomes the identity.
  ///
  /// The difference of two attitudes is a product of quaternions; differences of Euler angles are no
  /// rotation once the head is pitched or rolled.
  public func recentered(on reference: Quaternion) -> MotionFrame {
    var frame = MotionFrame(time: time, attitude: reference.conjugate * attitude)
    frame.readings = readings
    return frame
  }
}
