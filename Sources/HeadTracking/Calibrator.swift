/// Ways to find the offset between a head's yaw and its heading.
public enum CalibratorName: String, CaseIterable, Sendable {
  /// Weighs phone and course by how they agree over time, and tells how sure it is.
  case adaptive
  /// The published way of Microsoft Soundscape: a window against each reference, trusted if it is steady.
  case classic
}

/// A calibrator of one name.
///
/// Both are stored, for an enumeration would copy its payload out and in at every frame.
struct Calibrator: Sendable {
  let name: CalibratorName
  private var adaptive = AdaptiveCalibrator()
  private var classic = ClassicCalibrator()

  init(_ name: CalibratorName) { self.name = name }

  /// Takes a frame with the newest reading of each reference at its time.
  mutating func update(
    _ frame: MotionFrame, phoneHeading: ReferenceSeries.Reading?, course: ReferenceSeries.Reading?
  ) {
    switch name {
    case .adaptive: adaptive.update(frame, phoneHeading: phoneHeading, course: course)
    case .classic:
      classic.update(frame, phoneHeading: phoneHeading?.direction, course: course?.direction)
    }
  }

  /// Degrees to add to the frame's yaw, [0, 360), or nil before the first estimate.
  var offset: Double? { name == .adaptive ? adaptive.offset : classic.offset }

  /// Half-width in degrees about the offset that holds the true one at 95 %; nil where not known.
  var uncertainty: Double? { name == .adaptive ? adaptive.uncertainty : nil }
}
