import Files

/// Finds the offset between a head's yaw and its heading as Microsoft Soundscape published it: one
/// window against the phone's heading and one against the course, both feeding one filter.
struct ClassicCalibrator: Sendable {
  private var device = CalibrationWindow()
  private var course = CalibrationWindow()
  private var filter = CircularKalmanFilter(sigma: 1)
  /// Degrees to add to the frame's yaw, [0, 360), or nil before the first estimate.
  private(set) var offset: Double?

  /// Takes a frame with the phone's heading and the course at its time; nil clears that window.
  mutating func update(_ frame: MotionFrame, phoneHeading: Double?, course reference: Double?) {
    let yaw = frame.frameYaw
    Self.add(phoneHeading, yaw, to: &device).map { refine($0, at: frame.time) }
    Self.add(reference, yaw, to: &course).map { refine($0, at: frame.time) }
  }

  private static func add(
    _ reference: Double?, _ yaw: Double, to window: inout CalibrationWindow
  ) -> CalibrationWindow.Estimate? {
    guard let reference else {
      window.clear()
      return nil
    }
    return window.add(reference: reference, yaw: yaw)
  }

  private mutating func refine(_ estimate: CalibrationWindow.Estimate, at time: Timestamp) {
    filter.update(direction: estimate.offset, accuracy: estimate.accuracy, at: time)
    offset = filter.direction
  }
}
