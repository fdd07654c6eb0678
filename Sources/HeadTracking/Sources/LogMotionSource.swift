public import Files

/// A head log played as a source of motion, in either layout that `HeadLog` reads.
///
/// Events bear the log's own times. A gap of more than `HeadTracker.longestGap` between frames is a
/// disconnection and a connection.
public struct LogMotionSource: MotionSource, ~Copyable {
  private var log: HeadLog
  /// Seconds of the log in a second; nil for as fast as it is read.
  private let speed: Double?
  /// What was read and isn't due yet.
  private var ahead: MotionFrame?
  private var start: (log: Timestamp, clock: Timestamp)?
  private var last: Timestamp?
  private var isConnected = false
  private var hasEnded = false
  private let now: @Sendable () -> Timestamp

  /// What has come so far; a log's faults are thrown, not counted.
  public private(set) var counts = MotionSourceCounts()

  /// Opens the log.
  ///
  /// - Parameters:
  ///   - path: the log's file.
  ///   - speed: seconds of the log in a second of the clock, more than 0, 1 for real time; nil for
  ///     as fast as it can be read.
  public init(path: String, speed: Double? = nil) throws(FileError) {
    self.init(try HeadLog(path: path), speed: speed)
  }

  /// Plays a log that is open, at a speed as above.
  public init(_ log: consuming HeadLog, speed: Double? = nil) {
    self.init(log, speed: speed, clock: { MonotonicClock.now })
  }

  init(path: String, speed: Double?, clock: @escaping @Sendable () -> Timestamp) throws(FileError) {
    self.init(try HeadLog(path: path), speed: speed, clock: clock)
  }

  private init(
    _ log: consuming HeadLog, speed: Double?, clock: @escaping @Sendable () -> Timestamp
  ) {
    precondition(speed ?? 1 > 0, "a log that stands still")
    self.log = log
    self.speed = speed
    now = clock
  }

  /// The next event, or nil where none is due yet.
  ///
  /// - Throws: `FileError` as `HeadLog.next` does.
  public mutating func next() throws(FileError) -> MotionEvent? {
    if hasEnded { return .ended }
    if ahead == nil { ahead = try log.next() }
    guard let frame = ahead else {
      guard isConnected, let last else {
        hasEnded = true
        return .ended
      }
      isConnected = false
      return .disconnected(last)
    }
    guard isDue(frame) else { return nil }
    if isConnected, let last, frame.time.seconds(since: last) > HeadTracker.longestGap {
      isConnected = false
      return .disconnected(
        Timestamp(nanoseconds: last.nanoseconds + Int64(HeadTracker.longestGap * 1e9)))
    }
    guard isConnected else {
      isConnected = true
      last = frame.time
      return .connected(frame.time)
    }
    ahead = nil
    last = frame.time
    counts.frames += 1
    return .frame(frame)
  }

  private mutating func isDue(_ frame: MotionFrame) -> Bool {
    guard let speed else { return true }
    let begin = start ?? (log: frame.time, clock: now())
    start = begin
    return frame.time.seconds(since: begin.log) <= now().seconds(since: begin.clock) * speed
  }
}
