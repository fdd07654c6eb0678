public import Files
public import Geometry

/// What the head tracker knows about the head at one frame.
public struct HeadPose: Equatable, Sendable {
  /// The frame that it follows from.
  public var frame: MotionFrame
  /// Degrees to add to the frame's yaw, [0, 360), or nil before calibration.
  public var offset: Double?
  /// Half-width in degrees about the heading within which the true one lies at 95 %; nil where that is
  /// not known. Before calibration it says how far off a heading would be.
  public var uncertainty: Double?
  /// The tracker's status after the frame.
  public var status: HeadTrackerStatus

  /// The pose of a frame.
  public init(
    frame: MotionFrame, offset: Double?, uncertainty: Double? = nil, status: HeadTrackerStatus
  ) {
    self.frame = frame
    self.offset = offset
    self.uncertainty = uncertainty
    self.status = status
  }

  /// When the frame was measured.
  public var time: Timestamp { frame.time }

  /// Where the head looks, degrees clockwise from north, [0, 360), or nil before calibration.
  public var heading: Double? { offset.map { positiveDegrees(frame.frameYaw + $0) } }

  /// The head's attitude in the world frame (see `WorldFrame`), or nil before calibration.
  public var attitude: Quaternion? {
    heading.map { WorldFrame.attitude(frame.attitude, yaw: frame.yaw, heading: $0) }
  }
}
