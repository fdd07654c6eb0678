public import Files
import Geometry
public import HeadTracking
public import Navigation

/// What a live session listens to: any of these, freely mixed. Logs are played as they were recorded.
public final class LiveInputs {
  /// What other threads send to the session.
  public let inbox = SessionInbox()
  private var head: NetworkMotionSource?
  private var headLog: LogMotionSource?
  private var location: LocationSource?
  private var walk: Walk?
  private var walkSpan: ClosedRange<Timestamp>?
  private var lastPhone: ReferenceSeries.Reading?
  /// The moment of the logs that is played when the session begins, and that moment by the clock.
  private var logStart: (log: Timestamp, clock: Timestamp)?
  private var isHeadLogOver = false

  /// Nothing to listen to: the listener stands still.
  public init() {}

  /// Listens to head motion, and to a phone's headings beside it.
  public func listen(to source: consuming NetworkMotionSource) { head = consume source }

  /// Listens to a receiver of locations.
  public func listen(to source: consuming LocationSource) { location = consume source }

  /// Plays a walk and what was recorded on it, from when all are there.
  ///
  /// - Throws: `FileError` for what cannot be read or has no time in common.
  public func play(
    track path: String, course: CourseSource, head headPath: String?, phone: ReferenceSeries
  ) throws(FileError) {
    let track = try Track(path: path).courses(from: course)
    walk = Walk(track, phone: phone)
    walkSpan = track.span
    if let headPath { try play(head: headPath) }
  }

  /// Plays a log of head motion.
  ///
  /// - Throws: `FileError` if it cannot be read.
  public func play(head path: String) throws(FileError) {
    headLog = LogMotionSource(try HeadLog(motionLog: path), speed: 1)
  }

  /// The port that head motion is listened to on; nil for none.
  public var headPort: UInt16? { head?.port }
  /// What has come from the network and what of it was no use.
  public var headCounts: MotionSourceCounts? { head?.counts }
  /// What has come from the receiver of locations, and why nothing does.
  public var locationCounts: LocationCounts? { location?.counts }
  /// Why no location comes; nil while one does, or none is listened to.
  public var locationTrouble: String? { location?.trouble }

  /// Whether the logs that were to be played have come to their end; false without logs.
  public func isOver(at now: Timestamp) -> Bool {
    if let walkSpan, let moment = logMoment(now) { return moment > walkSpan.upperBound }
    return headLog != nil && walkSpan == nil && isHeadLogOver
  }

  private func logMoment(_ now: Timestamp) -> Timestamp? {
    logStart.map { $0.log + now.seconds(since: $0.clock) }
  }

  /// Takes what has come, oldest first in each source.
  ///
  /// - Parameter take: Called with each input and the time at which it came.
  /// - Throws: `FileError` for a fault of a log, and what `take` throws.
  public func poll(
    at now: Timestamp, isTick: Bool, _ take: (SessionInput, Timestamp) throws -> Void
  ) throws {
    while let event = head?.next() {
      switch event {
      case .connected, .ended: break
      case .frame(let frame): try take(.head(frame), frame.time)
      case .disconnected(let time): try take(.headLost, time)
      }
    }
    while let heading = head?.nextPhoneHeading() { try take(.phone(heading), heading.time) }
    while !isHeadLogOver, let event = try headLog?.next() {
      switch event {
      case .connected(let time): if logStart == nil { logStart = (time, now) }
      case .frame(let frame): try take(.head(frame), now)
      case .disconnected: try take(.headLost, now)
      case .ended: isHeadLogOver = true
      }
    }
    while let event = location?.next() {
      switch event {
      case .connected, .ended: break
      case .fix(let fix, let time): try take(.fix(fix), time)
      case .noFix(let time), .disconnected(let time): try take(.noFix, time)
      case .heading(let heading): try take(.phone(heading), heading.time)
      }
    }
    if isTick { try pollWalk(at: now, take) }
  }

  private func pollWalk(
    at now: Timestamp, _ take: (SessionInput, Timestamp) throws -> Void
  ) throws {
    guard let walkSpan else { return }
    if logStart == nil, headLog == nil { logStart = (walkSpan.lowerBound, now) }
    guard let moment = logMoment(now), walkSpan.contains(moment),
      let readings = walk?.readings(at: moment)
    else { return }
    if let location = readings.location {
      try take(
        .fix(
          LocationFix(
            time: nil, coordinate: location, course: readings.course?.direction,
            courseAccuracy: readings.course?.accuracy)), now)
    }
    if let phone = readings.phone, phone != lastPhone {
      lastPhone = phone
      try take(
        .phone(
          PhoneHeading(
            time: now, trueHeading: phone.direction ?? -1, headingAccuracy: phone.accuracy)), now)
    }
  }
}
