import Files

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
  private var calibrator = ClassicCalibrator()
  private var lastFrameTime: Timestamp?

  /// The longest time in seconds between two frames of one connection.
  public static let longestGap = 2.0

  /// A tracker without a source.
  public init() {}

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

  /// Takes a frame, with the phone's heading and the course that hold at its time (degrees; nil where
  /// there is none), and returns the head's pose.
  ///
  /// After more than `longestGap` without one it is the first of a new connection. A frame that comes
  /// while no headphones are connected calibrates nothing.
  public mutating func update(
    _ frame: MotionFrame, phoneHeading: Double?, course: Double?
  ) -> HeadPose {
    guard status == .connected || status == .calibrated else {
      return HeadPose(frame: frame, offset: nil, status: status)
    }
    if let last = lastFrameTime, frame.time.seconds(since: last) > Self.longestGap {
      reset(to: .connected)
    }
    lastFrameTime = frame.time
    calibrator.update(frame, phoneHeading: phoneHeading, course: course)
    if calibrator.offset != nil { status = .calibrated }
    return HeadPose(frame: frame, offset: calibrator.offset, status: status)
  }

  private var isStarted: Bool { status != .unavailable && status != .inactive }

  private mutating func reset(to status: HeadTrackerStatus) {
    self.status = status
    calibrator = ClassicCalibrator()
    lastFrameTime = nil
  }
}
