public import Files
public import HeadTracking

/// Makes records of what a motion source tells and stores them in batches.
///
/// One thread at a time may use it.
public final class MotionRecorder {
  /// Records that are kept while the log cannot be written; further ones are lost.
  public static let mostPending = 500_000
  /// Records after which a batch is stored early.
  public static let largestBatch = 10_000

  #if os(iOS)
    private static let operatingSystem = "iOS"
  #elseif os(macOS)
    private static let operatingSystem = "macOS"
  #else
    private static let operatingSystem = "Linux"
  #endif

  /// What records are labelled with from now on.
  public var label: String
  /// Records that have been stored.
  public private(set) var storedCount = 0
  /// Records that have come while there was no room for them.
  public private(set) var lostCount = 0
  /// Records that are not stored yet.
  public var pendingCount: Int { records.count }

  private let store: MotionStore?
  private let deviceId: String
  private let source: String
  private let sampleClock: String
  private let timezone: Int64
  private let now: () -> Timestamp
  private let period: Double
  private var records: [MotionRecord] = []
  private var events: [TrackingEvent] = []
  private var placements = PlacementWatch()
  private var hasStarted = false
  private var batchStart: Timestamp?
  /// When to try again after a batch could not be stored.
  private var nextTry: Timestamp?

  /// A recorder into a log.
  ///
  /// - Parameters:
  ///   - store: the log; nil to keep nothing.
  ///   - period: seconds after which what has come is stored.
  ///   - source: where the motion comes from, as in `OSC port 9000`.
  ///   - sampleClock: which clock its times are of.
  public init(
    into store: MotionStore?, period: Double, label: String, deviceId: String, source: String,
    sampleClock: String, clock: @escaping () -> Timestamp = { MonotonicClock.now }
  ) {
    self.store = store
    self.period = period
    self.label = label
    self.deviceId = deviceId
    self.source = source
    self.sampleClock = sampleClock
    timezone = hoursAheadOfUTC()
    now = clock
  }

  /// Tells when tracking starts, by the wall clock; without it that is the time of the first event.
  public func start(at time: Timestamp) {
    guard !hasStarted else { return }
    hasStarted = true
    add(TrackingEvent(.started, at: time, sampleClock: sampleClock, source: source))
  }

  /// Takes an event of the source; the record of a frame.
  @discardableResult public func take(_ event: MotionEvent) -> MotionRecord? {
    if let time = event.time { start(at: time) }
    switch event {
    case .connected(let time): add(TrackingEvent(.connected, at: time))
    case .disconnected(let time): add(TrackingEvent(.disconnected, at: time))
    case .ended: break
    case .frame(let frame):
      var record = MotionRecord(frame)
      record.label = label
      record.deviceId = deviceId
      record.timezone = timezone
      record.os = Self.operatingSystem
      guard store != nil else { return record }
      guard records.count < Self.mostPending else {
        lostCount += 1
        return record
      }
      if let change = placements.change(record), record.headphonePlacement != nil { add(change) }
      records.append(record)
      if batchStart == nil { batchStart = now() }
      return record
    }
    return nil
  }

  /// Tells when tracking stops.
  public func stop(at time: Timestamp) {
    if hasStarted { add(TrackingEvent(.stopped, at: time)) }
  }

  /// Whether it is time to store what has come.
  public var isDue: Bool {
    if let nextTry { return now() >= nextTry }
    guard let batchStart else { return false }
    return records.count >= Self.largestBatch || now().seconds(since: batchStart) >= period
  }

  /// Stores what has come, as one transaction.
  ///
  /// - Throws: `FileError` if that cannot be done; all is kept, and tried again after another period.
  public func flush() throws(FileError) {
    do throws(FileError) {
      try store?.append(records, events: events)
    } catch {
      nextTry = now() + max(1, period)
      throw error
    }
    nextTry = nil
    storedCount += records.count
    records.removeAll(keepingCapacity: true)
    events.removeAll()
    batchStart = nil
  }

  private func add(_ event: TrackingEvent) {
    guard store != nil, events.count < Self.mostPending else { return }
    var event = event
    event.record = Int64(records.count)
    events.append(event)
  }
}
