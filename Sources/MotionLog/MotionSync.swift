public import Files
import Glibc

/// Sends the records of a motion log to a host, each until the host has acknowledged it.
///
/// Batches go as `{"deviceId": …, "data": [records]}` to `HOST/airpods_motion/insert`. The log remembers
/// for each host how far it has come: a batch counts as sent once a whole answer of status 200 to 299
/// has come, and is not sent again then. One that was cut off before its answer is sent again, so a
/// host may get records twice; device and time tell.
public struct MotionSync {
  /// How to send.
  public struct Configuration: Sendable {
    /// The host's address; `https` unless it says `http`.
    public var host: String
    /// Records in a request at most.
    public var batchSize = 1000
    /// Seconds in which a request must be done.
    public var timeout = 30.0
    /// How many times a request is tried.
    public var attempts = 8
    /// Seconds before the second try; each further wait is twice as long.
    public var firstDelay = 1.0
    /// Seconds that a wait takes at most.
    public var longestDelay = 60.0
    /// A PEM file of the authorities that are trusted instead of the system's.
    public var caFile: String?
    /// Whether records may go to another machine without encryption.
    public var allowsInsecureHTTP = false

    /// The usual way to send to a host.
    public init(host: String) { self.host = host }
  }

  /// What was sent.
  public struct Report: Equatable, Sendable {
    /// Records that the host has acknowledged.
    public var recordCount = 0
    /// Requests that it has acknowledged.
    public var batchCount = 0
    /// Requests that failed and were tried again.
    public var retryCount = 0
  }

  /// What is waiting to be sent.
  public struct Pending: Equatable, Sendable {
    /// Where it will go.
    public var url: String
    /// How many records.
    public var recordCount: Int
    /// In how many requests, if all are of one device.
    public var batchCount: Int
  }

  private let configuration: Configuration
  private let url: HostURL
  private let path: String

  /// A way to send a log, which must exist.
  ///
  /// - Throws: `MotionSyncError` for an address that is none, or not encrypted.
  public init(path: String, _ configuration: Configuration) throws(MotionSyncError) {
    self.path = path
    self.configuration = configuration
    url = try HostURL(configuration.host)
    guard url.isEncrypted || url.isLoopback || configuration.allowsInsecureHTTP else {
      throw MotionSyncError(
        url.base, "records are private and would go unencrypted; use https, or --insecure-http")
    }
  }

  /// What is waiting, without sending any.
  public func pending() throws(FileError) -> Pending {
    let database = try openForReading(path)
    try MotionSchema.check(database)
    let count = try SQLiteStatement(
      "SELECT count(*) FROM airpods_motion WHERE id > ?", database)
    count.bind(1, try mark(in: database))
    let records = try count.step() ? Int(count.integer(0)) : 0
    let size = configuration.batchSize
    return Pending(
      url: url.insertion, recordCount: records, batchCount: (records + size - 1) / size)
  }

  /// Sends all that is waiting.
  ///
  /// - Parameters:
  ///   - progress: called with how much is done, 0 to 1.
  ///   - onRetry: called with the cause before a request is tried again.
  /// - Throws: `FileError` for faults of the log, `MotionSyncError` if the host refuses or can't be
  ///   reached. What was acknowledged until then stays marked.
  public func run(
    progress: (Double) -> Void = { _ in }, onRetry: (String) -> Void = { _ in }
  ) throws -> Report {
    let lock = try WriterLock(path: path, role: .sync)
    let database = try SQLiteConnection(path: path, access: .write, lock: lock)
    try MotionSchema.check(database)
    try database.execute("PRAGMA synchronous = FULL")
    // Whether marks can be written must be known before anything is sent.
    var mark = try mark(in: database)
    try set(mark, in: database)
    let total = max(1, try pending().recordCount)
    let poster = try HTTPPoster(
      url: url, timeout: configuration.timeout, caFile: configuration.caFile)
    var report = Report()
    while let batch = try nextBatch(in: database, after: mark) {
      report.retryCount += try send(batch.body, poster, onRetry)
      try set(batch.last, in: database)
      mark = batch.last
      report.recordCount += batch.count
      report.batchCount += 1
      progress(Double(report.recordCount) / Double(total))
    }
    return report
  }

  /// Sends one body; how many times it had to be sent again.
  private func send(
    _ body: [UInt8], _ poster: HTTPPoster, _ onRetry: (String) -> Void
  ) throws(MotionSyncError) -> Int {
    var retries = 0
    while true {
      switch poster.post(body) {
      case .acknowledged: return retries
      case .refused(let cause): throw MotionSyncError(url.insertion, cause)
      case .failed(let cause, let retryAfter):
        retries += 1
        guard retries < configuration.attempts else {
          throw MotionSyncError(url.insertion, "\(cause); given up after \(retries) tries")
        }
        onRetry(cause)
        wait(max(delay(beforeRetry: retries), min(retryAfter ?? 0, 5 * configuration.longestDelay)))
      }
    }
  }

  /// Seconds before a request is sent again: twice as long each time, and up to half of it by chance,
  /// so that many senders don't come back at once.
  func delay(beforeRetry retry: Int) -> Double {
    let longest = min(
      configuration.longestDelay, configuration.firstDelay * pow(2, Double(retry - 1)))
    return longest * Double.random(in: 0.5...1)
  }

  private func wait(_ seconds: Double) {
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int((seconds - floor(seconds)) * 1e9))
    var rest = timespec()
    while nanosleep(&time, &rest) != 0, errno == EINTR { time = rest }
  }

  /// The number of the last record that the host has acknowledged.
  private func mark(in database: SQLiteConnection) throws(FileError) -> Int64 {
    let statement = try SQLiteStatement("SELECT record FROM sync_marks WHERE host = ?", database)
    statement.bind(1, url.base)
    return try statement.step() ? statement.integer(0) : 0
  }

  private func set(_ mark: Int64, in database: SQLiteConnection) throws(FileError) {
    let statement = try SQLiteStatement(
      "INSERT INTO sync_marks (host, record) VALUES (?, ?) "
        + "ON CONFLICT (host) DO UPDATE SET record = excluded.record", database)
    statement.bind(1, url.base)
    statement.bind(2, mark)
    try statement.run()
  }

  /// The next records of one device as a request's body; nil if none are waiting.
  private func nextBatch(
    in database: SQLiteConnection, after mark: Int64
  ) throws(FileError) -> (body: [UInt8], count: Int, last: Int64)? {
    let reader = try MotionDatabaseReader(database, after: mark, limit: configuration.batchSize)
    var record = MotionRecord()
    var body: [UInt8] = []
    var (count, last) = (0, mark)
    var device: String?
    while try reader.next(&record) {
      if device == nil {
        device = record.deviceId
        body += "{\"deviceId\":\(jsonText(record.deviceId)),\"data\":[".utf8
      }
      guard record.deviceId == device else { break }
      if count > 0 { body.append(UInt8(ascii: ",")) }
      let texts = (jsonText(record.label), jsonText(record.deviceId), jsonText(record.os))
      appendJSONObject(of: record, texts: texts) { body += $0.utf8 }
      count += 1
      last = reader.recordID
    }
    guard count > 0 else { return nil }
    body += "]}".utf8
    return (body, count, last)
  }
}
