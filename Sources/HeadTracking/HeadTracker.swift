import Files
import Geometry

/// How far head tracking has come. Only `HeadTracker` sets it.
public enum HeadTrackerStatus: String, CaseIterable, Sendable {
  /// There is no source of head motion.
  case unavailable
  /// There is a source, which isn't used.
  case inactive
  /// The source is used; no headphones are connected.
  case disconnected
  /// Headphones are connected; where their yaw's zero lies isn't known yet.
  case connected
  /// The heading is known.
  case calibrated
}

/// Turns frames of head motion into headings, and keeps the status.
///
/// A value without references: a frame neither allocates nor locks. Events that a status does not
/// expect change nothing; each that ends a connection forgets its calibration, for the next one has
/// another zero of yaw.
public struct HeadTracker: Sendable {
  /// How far head tracking has come.
  public private(set) var status = HeadTrackerStatus.unavailable
  private var calibrator: Calibrator
  private let reference: HeadReference
  private let isRecenteringAutomatically: Bool
  private var lastFrame: MotionFrame?
  private var ahead: Ahead?

  /// What `recenter` took as ahead.
  private struct Ahead {
    var attitude: Quaternion
    var offset: Double
    var time: Timestamp
  }

  /// The longest time in seconds between two frames of one connection.
  public static let longestGap = 2.0

  /// A tracker without a source.
  ///
  /// - Parameters:
  ///   - calibrator: How it finds the heading.
  ///   - reference: What the zero of yaw is; where that is known nothing is calibrated.
  ///   - isRecenteringAutomatically: Whether, while neither phone nor course is given, the direction
  ///     that the head mostly looks in is taken as heading 0. For uses without any reference, such as
  ///     listening tests at a desk: the yaw may drift, and ahead stays ahead.
  public init(
    calibrator: CalibratorName = .adaptive, reference: HeadReference = .unknown,
    isRecenteringAutomatically: Bool = false
  ) {
    self.calibrator = Calibrator(calibrator)
    self.reference = reference
    self.isRecenteringAutomatically = isRecenteringAutomatically
  }

  /// A source of head motion has turned up.
  public mutating func becomeAvailable() {
    if status == .unavailable { status = .inactive }
  }

  /// The source has gone.
  public mutating func becomeUnavailable() { reset(to: .unavailable) }

  /// Use the source.
  public mutating func start() {
    if status == .inactive { status = .disconnected }
  }

  /// Use it no longer.
  public mutating func stop() {
    if status != .unavailable { reset(to: .inactive) }
  }

  /// Headphones have connected, perhaps without a word of their going.
  public mutating func connect() {
    if isStarted { reset(to: .connected) }
  }

  /// The headphones have gone.
  public mutating func disconnect() {
    if isStarted { reset(to: .disconnected) }
  }

  /// Takes the head's present attitude as looking level in a direction, without any reference: later
  /// frames are relative to it, until the connection ends.
  ///
  /// The difference is taken of the quaternions, so that an inclined head or headband counts as level
  /// too. The heading is then as uncertain as the yaw may have drifted.
  /// - Parameter heading: That direction, degrees clockwise from north or from whatever is ahead.
  /// - Returns: Whether there was a frame to take it from.
  @discardableResult
  public mutating func recenter(heading: Double = 0) -> Bool {
    guard isConnected, let frame = lastFrame, heading.isFinite else { return false }
    let level = MotionFrame(time: frame.time, attitude: .identity)
    ahead = Ahead(
      attitude: frame.attitude, offset: positiveDegrees(heading - level.frameYaw),
      time: frame.time)
    status = .calibrated
    return true
  }

  /// Takes a frame, with the newest readings of the phone's heading and the course at its time (nil
  /// where there is none), and returns the head's pose.
  ///
  /// After more than `longestGap` without one it is the first of a new connection. A frame that comes
  /// while no headphones are connected, or whose yaw is not finite, calibrates nothing and has no
  /// heading.
  public mutating func update(
    _ frame: MotionFrame, phoneHeading: ReferenceSeries.Reading?, course: ReferenceSeries.Reading?
  ) -> HeadPose {
    guard isConnected, frame.yaw.isFinite else {
      return HeadPose(frame: frame, offset: nil, status: status)
    }
    if let last = lastFrame?.time, frame.time.seconds(since: last) > Self.longestGap {
      reset(to: .connected)
    }
    lastFrame = frame
    if let ahead { return pose(of: frame, relativeTo: ahead) }
    if reference == .north {
      status = .calibrated
      let identity = MotionFrame(time: frame.time, attitude: .identity)
      return HeadPose(
        frame: frame, offset: positiveDegrees(-identity.frameYaw), uncertainty: 0, status: status)
    }
    var course = course
    if isRecenteringAutomatically, phoneHeading == nil, course == nil {
      course = ReferenceSeries.Reading(time: frame.time, direction: 0)
    }
    calibrator.update(frame, phoneHeading: phoneHeading, course: course)
    if calibrator.offset != nil { status = .calibrated }
    return HeadPose(
      frame: frame, offset: calibrator.offset, uncertainty: calibrator.uncertainty, status: status)
  }

  private func pose(of frame: MotionFrame, relativeTo ahead: Ahead) -> HeadPose {
    let drifted = CalibrationModel.drift * max(0, frame.time.seconds(since: ahead.time))
    return HeadPose(
      frame: frame.recentered(on: ahead.attitude), offset: ahead.offset,
      uncertainty: min(180, 1.96 * drifted), status: status)
  }

  private var isStarted: Bool { status != .unavailable && status != .inactive }
  private var isConnected: Bool { status == .connected || status == .calibrated }

  private mutating func reset(to status: HeadTrackerStatus) {
    self.status = status
    calibrator = Calibrator(calibrator.name)
    lastFrame = nil
    ahead = nil
  }
}
