public import Files
import HeadTracking

/// What a log holds, found in one pass over its records in the order of time.
public struct MotionLogSummary: Sendable {
  /// Labels that are counted one by one, devices and switches that are listed.
  private static let mostListed = 1000

  /// How many records there are.
  public private(set) var count = 0
  /// The earliest time and the latest; nil without records.
  public private(set) var span: ClosedRange<Timestamp>?
  /// Records a second where there is no gap; nil if that takes no time.
  public var rate: Double? { trackedSeconds > 0 ? Double(intervals) / trackedSeconds : nil }
  /// How many times nothing came for more than `HeadTracker.longestGap`.
  public private(set) var gapCount = 0
  /// The longest time between two records, seconds.
  public private(set) var longestGap = 0.0
  /// Records that are of the same time as the one before.
  public private(set) var duplicateCount = 0
  /// Records that are earlier than the one before.
  public private(set) var lateCount = 0
  /// Records without an attitude.
  public private(set) var withoutAttitude = 0
  /// Records of each earbud: 0 default, 1 left, 2 right, nil unknown.
  public private(set) var placements: [Int64?: Int] = [:]
  /// How many times another earbud took over.
  public private(set) var placementSwitchCount = 0
  /// When that happened, and the earbud from then on; the first thousand times.
  public private(set) var placementSwitches: [(time: Timestamp, placement: Int64)] = []
  /// Records of each label; of labels beyond the first thousand only how many records they have.
  public private(set) var labels: [String: Int] = [:]
  /// Records of labels beyond those.
  public private(set) var otherLabelCount = 0
  /// Records of each device; of the first thousand.
  public private(set) var devices: [String: Int] = [:]

  private var intervals = 0
  private var trackedSeconds = 0.0
  private var last: (time: Timestamp, placement: Int64?)?
  /// Records in a row with the same texts, not yet counted by them.
  private var run: (label: String, deviceId: String, count: Int) = ("", "", 0)

  /// The summary of no records.
  public init() {}

  /// Adds a record.
  public mutating func add(_ record: MotionRecord) {
    count += 1
    placements[record.headphonePlacement, default: 0] += 1
    if record.label != run.label || record.deviceId != run.deviceId {
      finish()
      run = (record.label, record.deviceId, 0)
    }
    run.count += 1
    if record.quaternion == nil, record[.yaw] == nil { withoutAttitude += 1 }
    guard let time = record.time else { return }
    let bounds = span ?? time...time
    span = min(bounds.lowerBound, time)...max(bounds.upperBound, time)
    if let last {
      let seconds = time.seconds(since: last.time)
      if seconds < 0 { lateCount += 1 }
      if seconds == 0 { duplicateCount += 1 }
      if seconds > 0 { longestGap = max(longestGap, seconds) }
      if seconds > HeadTracker.longestGap {
        gapCount += 1
      } else if seconds > 0 {
        intervals += 1
        trackedSeconds += seconds
      }
      if let placement = last.placement, let new = record.headphonePlacement, new != placement {
        placementSwitchCount += 1
        if placementSwitches.count < Self.mostListed {
          placementSwitches.append((time, new))
        }
      }
    }
    last = (time, record.headphonePlacement ?? last?.placement)
  }

  /// Ends the summary; to be called after the last record.
  public mutating func finish() {
    guard run.count > 0 else { return }
    if labels[run.label] != nil || labels.count < Self.mostListed {
      labels[run.label, default: 0] += run.count
    } else {
      otherLabelCount += run.count
    }
    if devices[run.deviceId] != nil || devices.count < Self.mostListed {
      devices[run.deviceId, default: 0] += run.count
    }
    run.count = 0
  }
}
