import Files
import Geometry
import HeadTracking

/// Joins the sentences of one epoch, which have the same time, into a fix.
///
/// Sentences without a time belong to the epoch that is open. Days are counted on from midnight to
/// midnight; RMC and ZDA tell which they are.
struct NMEAEpochs {
  /// What an epoch comes to.
  enum Outcome: Equatable {
    case fix(LocationFix)
    /// The receiver says that it does not know its place.
    case noFix
  }

  private struct Epoch {
    var timeOfDay: Int64
    var line: Int
    var hasFix: Bool?
    var fix = LocationFix(coordinate: GeodeticCoordinate(latitude: 0, longitude: 0))
    /// Whether it says more than was last told.
    var isNews = true
  }

  /// Nanoseconds of a day.
  static let dayLength: Int64 = 86_400_000_000_000

  /// A day of the year 2243: none after it, so that no log can go beyond what a timestamp holds.
  private static let lastDay = 100_000

  /// Whether the day is the true one; else it counts from the first as 0.
  private(set) var isDated = false
  /// The day of the open epoch, since 1970.
  private(set) var day = 0
  private var open: Epoch?

  /// The line on which the epoch that is open starts.
  var line: Int { open?.line ?? 0 }

  /// The time of the open epoch, or nil before the first.
  var time: Timestamp? {
    open.map { Timestamp(nanoseconds: Int64(day) * Self.dayLength + $0.timeOfDay) }
  }

  /// Whether a sentence ends the open epoch: call `close` before `take` then.
  func isEnded(by sentence: NMEASentence) -> Bool {
    guard let open, let time = sentence.timeOfDay else { return false }
    return time != open.timeOfDay
  }

  /// Takes a sentence; returns by how many days the times told before it must be put later, which
  /// is so at the first date.
  mutating func take(_ sentence: NMEASentence, line: Int = 0) -> Int? {
    if let time = sentence.timeOfDay, time != open?.timeOfDay {
      // More than half a day back is past midnight.
      if let open, time < open.timeOfDay - Self.dayLength / 2 { day = min(day + 1, Self.lastDay) }
      open = Epoch(timeOfDay: time, line: line)
    }
    var shift: Int?
    if let date = sentence.day, sentence.timeOfDay != nil {
      if !isDated { shift = min(date, Self.lastDay) - day }
      (day, isDated) = (min(date, Self.lastDay), true)
    }
    merge(sentence)
    return shift
  }

  private mutating func merge(_ sentence: NMEASentence) {
    guard var epoch = open else { return }
    let before = (epoch.hasFix, epoch.fix)
    if let hasFix = sentence.hasFix { epoch.hasFix = hasFix || epoch.hasFix == true }
    if let coordinate = sentence.coordinate { epoch.fix.coordinate = coordinate }
    epoch.fix.altitude = sentence.altitude ?? epoch.fix.altitude
    epoch.fix.speed = epoch.fix.speed ?? sentence.speed
    epoch.fix.course = epoch.fix.course ?? sentence.course
    if before != (epoch.hasFix, epoch.fix) { epoch.isNews = true }
    open = epoch
  }

  /// What has come of the open epoch, if that is news. The fix has no time before the first date,
  /// unless `undated` is to count from 1970-01-01.
  mutating func tell(undated: Bool = false) -> Outcome? {
    guard let epoch = open, let hasFix = epoch.hasFix, epoch.isNews else { return nil }
    open?.isNews = false
    guard hasFix else { return .noFix }
    var fix = epoch.fix
    fix.time = isDated || undated ? time : nil
    return .fix(fix)
  }

  /// The headings that a sentence has, at a time.
  static func heading(_ sentence: NMEASentence, at time: Timestamp) -> PhoneHeading? {
    guard sentence.magneticHeading != nil || sentence.trueHeading != nil else { return nil }
    return PhoneHeading(
      time: time, magneticHeading: sentence.magneticHeading, trueHeading: sentence.trueHeading)
  }
}
