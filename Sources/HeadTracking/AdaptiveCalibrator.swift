import Files
import Geometry
import Glibc

/// Finds the offset between a head's yaw and its heading from two references that may both mislead: a
/// phone whose bias is unknown and changes at times, and a course that tells where the body goes while
/// the head may look elsewhere.
///
/// At each new fix, or each second without, what phone and course say goes to an `OffsetBank`. Only what
/// moved since the last time is suspected: a glance where the yaw turned, a new bias where the phone's
/// heading did. The applied offset follows the bank's estimate as a `SteadyOffset`.
struct AdaptiveCalibrator: Sendable {
  /// Degrees to add to the frame's yaw, [0, 360), or nil before the first estimate.
  var offset: Double? { applied.map { positiveDegrees($0.degrees) } }
  /// Half-width in degrees about the offset within which the true one lies at 95 %, at most 180; nil
  /// before anything was measured. While it is large there is no offset yet. In tenths, rounded up.
  private(set) var uncertainty: Double?

  private var bank: OffsetBank?
  private var estimate = (offset: 0.0, halfWidth: 180.0)
  private var applied: SteadyOffset?
  private var turns = TurnMemory()
  private var lastFrame: Timestamp?
  private var lastFix: Timestamp?
  private var start: Timestamp?
  /// The last moment of measurement, with the yaw and the phone's heading at it.
  private var last: (time: Timestamp, yaw: Double, phone: Double?)?

  /// Whether the yaw has turned faster since than a head does: it may have another zero now.
  private var hasJumped = false

  /// Degrees a second that no head turns faster than, and degrees beyond that which are a jump.
  private static let fastestTurn = 1000.0
  private static let jump = 60.0
  /// Seconds for which a reading counts as new, and a phone's heading holds: some phones report only
  /// changes.
  private static let validity = 3.0
  /// Seconds between measurements: at least, at most, and at most while fixes come.
  private static let intervals = (least: 0.5, most: 1.0, awaitingFix: 1.5)
  /// A first offset is given once it is so sure, degrees; one that is less so after some seconds, by
  /// when a course has spoken if there is one.
  private static let sure = 9.0
  private static let usable = 30.0
  private static let patience = 5.8
  /// Degrees between measurements up to which a head or phone counts as not having moved, and how much
  /// less likely then a glance or another bias is to have begun.
  private static let motion = 10.0
  private static let unmoved = 0.1

  /// Takes a frame with the newest reading of each reference at its time. A frame that is not later
  /// than the one before, or whose yaw is not finite, changes nothing.
  mutating func update(
    _ frame: MotionFrame, phoneHeading: ReferenceSeries.Reading?, course: ReferenceSeries.Reading?
  ) {
    let (now, yaw) = (frame.time, frame.frameYaw)
    let seconds = lastFrame.map { now.seconds(since: $0) }
    guard yaw.isFinite, seconds ?? 1 > 0 else { return }
    lastFrame = now
    turns.add(yaw: yaw, seconds: seconds ?? 0)
    if abs(turns.lastTurn) > Self.jump + Self.fastestTurn * (seconds ?? 0) { hasJumped = true }

    let sinceLast = last.map { now.seconds(since: $0.time) } ?? .infinity
    let fix = newFix(course, now, sinceLast)
    let isFixExpected = lastFix.map { now.seconds(since: $0) < Self.validity } ?? false
    let longest = isFixExpected ? Self.intervals.awaitingFix : Self.intervals.most
    if fix != nil || sinceLast >= longest { measure(yaw, phoneHeading, fix, now) }
    apply(now, seconds ?? 0)
  }

  /// The course of a fix that is new, unless it follows too closely on the last measurement.
  private mutating func newFix(
    _ course: ReferenceSeries.Reading?, _ now: Timestamp, _ sinceLast: Double
  ) -> Double? {
    guard let course, let direction = course.direction, direction.isFinite, course.time != lastFix
    else { return nil }
    lastFix = course.time
    let isFresh = now.seconds(since: course.time) < Self.validity
    return isFresh && sinceLast > Self.intervals.least ? direction : nil
  }

  private mutating func measure(
    _ yaw: Double, _ phone: ReferenceSeries.Reading?, _ course: Double?, _ now: Timestamp
  ) {
    var heading: Double?
    if let phone, let direction = phone.direction, direction.isFinite,
      now.seconds(since: phone.time) < Self.validity
    {
      heading = direction
    }
    let isMeasured = heading != nil || course != nil
    if bank == nil {
      guard isMeasured else { return }
      bank = OffsetBank()
      start = now
    }
    let seconds = last.map { now.seconds(since: $0.time) } ?? 0
    bank?.predict(seconds: seconds)
    if isMeasured {
      let evidence = OffsetBank.Evidence(
        phone: heading.map { $0 - yaw }, course: course.map { $0 - yaw },
        lag: course.map { turns.lag(course: $0) } ?? 0)
      let odds = odds(seconds, heading)
      bank?.update(evidence, odds)
    }
    last = (now, turns.yaw, heading)
    hasJumped = false
    guard let bank else { return }
    let offset = bank.estimate
    estimate = (offset, bank.halfWidth(about: offset))
  }

  private func odds(_ seconds: Double, _ heading: Double?) -> OffsetBank.Odds {
    let hasTurned = last.map { abs(turns.yaw - $0.yaw) > Self.motion } ?? false
    var hasPhoneTurned = false
    if let heading, let before = last?.phone {
      hasPhoneTurned = abs(signedDegrees(heading - before)) > Self.motion
    }
    func probability(_ rate: Double) -> Double { -expm1(-rate * seconds) }
    return OffsetBank.Odds(
      glance: probability(CalibrationModel.glanceRate) * (hasTurned ? 1 : Self.unmoved),
      glanceEnd: probability(CalibrationModel.glanceEndRate),
      phoneJump: probability(CalibrationModel.phoneJumpRate)
        * (hasPhoneTurned ? 1 : Self.unmoved),
      mistake: hasJumped ? 0.01 : CalibrationModel.mistakeRate * seconds)
  }

  private mutating func apply(_ now: Timestamp, _ seconds: Double) {
    guard let start else { return }
    if applied != nil {
      applied?.follow(estimate.offset, seconds: seconds)
    } else if estimate.halfWidth <= Self.sure && lastFix != nil
      || estimate.halfWidth <= Self.usable && now.seconds(since: start) >= Self.patience
    {
      applied = SteadyOffset(estimate.offset)
    }
    let behind = applied.map { abs(signedDegrees(estimate.offset - $0.degrees)) } ?? 0
    uncertainty = min(180, ((estimate.halfWidth + behind) * 10).rounded(.up) / 10)
  }
}
