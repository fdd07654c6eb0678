public import Files

/// What was copied from one log into another.
public struct MotionCopyReport: Equatable, Sendable {
  /// Records that were copied.
  public var count = 0
  /// Faulty records that were left out.
  public var faultyCount = 0
  /// What was wrong with the first of them.
  public var firstFault: FileError?
  /// Records that were earlier than the one before.
  public var lateCount = 0

  /// Nothing yet.
  public init() {}
}

/// Copies records one at a time.
///
/// - Parameters:
///   - skipsFaulty: whether faulty records are counted and left out, not thrown.
///   - progress: called with how much is done, 0 to 1.
///   - write: takes a record.
/// - Throws: `FileError` for the first fault, and if there are no records.
public func copyRecords(
  from reader: any MotionRecordReader, skipsFaulty: Bool = false,
  progress: (Double) -> Void = { _ in },
  to write: (MotionRecord) throws(FileError) -> Void
) throws(FileError) -> MotionCopyReport {
  var report = MotionCopyReport()
  var record = MotionRecord()
  var last: (milliseconds: Int64, nanoseconds: Int64)?
  var faultyPlace: String?
  while true {
    do throws(FileError) {
      guard try reader.next(&record) else { break }
    } catch {
      // A fault that stays in its place can't be passed over.
      guard skipsFaulty, error.code == .malformed, error.place != faultyPlace else { throw error }
      faultyPlace = error.place
      report.faultyCount += 1
      report.firstFault = report.firstFault ?? error
      continue
    }
    if let last, (record.timestamp, record.nanoseconds) < last { report.lateCount += 1 }
    last = (record.timestamp, record.nanoseconds)
    try write(record)
    report.count += 1
    if report.count % 1024 == 0 { progress(reader.fractionRead) }
  }
  return report
}

/// Copies a log into a database, with what it tells of yaw's zero, all or nothing.
///
/// - Parameter deviceId: the device of records that name none.
public func importRecords(
  from reader: any MotionRecordReader, into store: MotionStore, deviceId: String? = nil,
  skipsFaulty: Bool = false, progress: (Double) -> Void = { _ in }
) throws(FileError) -> MotionCopyReport {
  var report = MotionCopyReport()
  try store.transaction { () throws(FileError) in
    var events = (try reader.trackingEvents())[...]
    let database = reader as? MotionDatabaseReader
    let isTold = database != nil && !events.isEmpty
    var placements = PlacementWatch()
    report = try copyRecords(from: reader, skipsFaulty: skipsFaulty, progress: progress) {
      (record: MotionRecord) throws(FileError) in
      if isTold, let database {
        while let event = events.first, database.isBefore(event, record) {
          try store.add(events.removeFirst(), before: store.nextRecord)
        }
      } else if let time = record.time {
        if placements.isUnused {
          let start = TrackingEvent(
            .started, at: time, sampleClock: "of the log", source: reader.path)
          let told = try reader.trackingEvents().first
          try store.add(told ?? start, before: store.nextRecord)
        }
        if let event = placements.change(record) { try store.add(event, before: store.nextRecord) }
      }
      if let deviceId, record.deviceId.isEmpty {
        var named = record
        named.deviceId = deviceId
        try store.add(named)
      } else {
        try store.add(record)
      }
    }
    if isTold { for event in events { try store.add(event, before: store.nextRecord) } }
  }
  return report
}

/// Notices when another earbud measures.
struct PlacementWatch {
  private(set) var isUnused = true
  private var placement: Int64?

  /// The change that a record shows, the first placement included.
  mutating func change(_ record: MotionRecord) -> TrackingEvent? {
    isUnused = false
    guard let time = record.time, record.headphonePlacement != placement else { return nil }
    placement = record.headphonePlacement
    return TrackingEvent(.placement, at: time, placement: placement)
  }
}

extension MotionDatabaseReader {
  /// Whether an event comes before the record that was read last.
  fileprivate func isBefore(_ event: TrackingEvent, _ record: MotionRecord) -> Bool {
    guard isByTime else { return event.record <= recordID }
    return record.time.map { event.time <= $0 } ?? false
  }
}
