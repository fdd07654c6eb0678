public import Files
import Glibc

/// A motion log that is written: a database of SQLite with the table `airpods_motion`.
///
/// Records are stored in batches, one transaction each: a process that is killed loses nothing that
/// `append` has returned from. One store at a time writes into a log; any number of readers may look
/// on. One thread at a time may use it.
public final class MotionStore {
  /// How much a batch must survive.
  public enum Durability: Sendable {
    /// A loss of power too: each batch is on the disk when `append` returns.
    case power
    /// A killed process. After a loss of power the newest batches may be gone, never old ones.
    case process
    /// Nothing, for a file that nobody has yet.
    case none
  }

  /// Where the database is.
  public let path: String
  let database: SQLiteConnection
  private let insert: SQLiteStatement
  private var nextID: Int64
  /// What the text parameters are bound to; they change rarely.
  private var bound: (label: String, deviceId: String, os: String)?

  /// Opens a log, or makes one.
  ///
  /// - Throws: `FileError` if it is a database of another program or of a newer version, if another
  ///   process writes into it, or if it cannot be written.
  public convenience init(path: String, durability: Durability = .power) throws(FileError) {
    try self.init(path: path, name: path, durability: durability)
  }

  /// - Parameter name: what the user calls it.
  init(path: String, name: String, durability: Durability) throws(FileError) {
    self.path = path
    let lock = try WriterLock(path: path, name: name, role: .append)
    let database = try SQLiteConnection(path: path, name: name, access: .write, lock: lock)
    let isNew = try MotionSchema.isNew(database)
    if isNew {
      // Fewer, fuller pages: a record takes some 280 bytes.
      try database.execute("PRAGMA page_size = 16384")
    } else {
      try MotionSchema.check(database)
      try Self.checkIsWhole(database, path: path, name: name)
    }
    switch durability {
    case .power: try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    case .process: try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    case .none: try database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    }
    if isNew { try MotionSchema.create(in: database) }
    insert = try SQLiteStatement(Self.insertion, database)
    // Numbers are never used again, not even those of records that a user has deleted: hosts that
    // have acknowledged them are sent what comes after.
    nextID =
      1
      + (try database.number(
        """
        SELECT max(coalesce((SELECT max(id) FROM airpods_motion), 0),
          coalesce((SELECT max(record) - 1 FROM tracking_events), 0),
          coalesce((SELECT max(record) FROM sync_marks), 0))
        """))
    self.database = database
  }

  /// Bytes up to which a log is checked before it is added to, which takes a second then.
  private static let mostChecked = 1 << 28

  /// A damaged log would take records that nobody could read again.
  private static func checkIsWhole(
    _ database: SQLiteConnection, path: String, name: String
  ) throws(FileError) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_size <= mostChecked else { return }
    let faults = try database.number(
      "SELECT count(*) FROM pragma_quick_check(1) WHERE quick_check <> 'ok'")
    guard faults == 0 else {
      throw FileError(.malformed, file: name, "the database is damaged; nothing is added to it")
    }
  }

  private static let insertion: String = {
    let names = ["id"] + MotionField.names + MotionAttribute.names
    let places = names.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO airpods_motion (\(names.joined(separator: ", "))) VALUES (\(places))"
  }()

  /// Stores records, and what happened before or between them, as one transaction.
  ///
  /// - Parameters:
  ///   - records: the records, in any order of time.
  ///   - events: what yaw's zero depends on; an event's `record` counts the records of this call that
  ///     come before it.
  /// - Throws: `FileError` if the disk is full or another program holds the database; nothing of this
  ///   call is stored then, and all that was before is.
  public func append(
    _ records: [MotionRecord], events: [TrackingEvent] = []
  ) throws(FileError) {
    guard !records.isEmpty || !events.isEmpty else { return }
    let first = nextID
    do throws(FileError) {
      try database.transaction { () throws(FileError) in
        for index in records.indices { try add(records[index]) }
        for event in events { try add(event, before: first + event.record) }
      }
    } catch {
      nextID = first
      throw error
    }
  }

  /// Stores all that `work` adds as one transaction, or, if it throws, nothing.
  public func transaction(_ work: () throws(FileError) -> Void) throws(FileError) {
    let first = nextID
    do throws(FileError) {
      try database.transaction(work)
    } catch {
      nextID = first
      throw error
    }
  }

  /// The number that the next record will have.
  public var nextRecord: Int64 { nextID }

  /// Adds a record within a transaction.
  public func add(_ record: MotionRecord) throws(FileError) {
    insert.bind(1, nextID)
    for index in 0..<MotionField.count {
      insert.bind(Int32(truncatingIfNeeded: index + 2), record.value(index))
    }
    insert.bind(27, record.headphonePlacement)
    if bound?.label != record.label || bound?.deviceId != record.deviceId
      || bound?.os != record.os
    {
      insert.bind(28, record.label)
      insert.bind(29, record.deviceId)
      insert.bind(32, record.os)
      bound = (record.label, record.deviceId, record.os)
    }
    insert.bind(30, record.timestamp)
    insert.bind(31, record.timezone)
    insert.bind(33, record.jsonVersion)
    insert.bind(34, record.nanoseconds == 0 ? nil : record.nanoseconds)
    try insert.run()
    nextID += 1
  }

  /// Adds an event before a record, within a transaction.
  public func add(_ event: TrackingEvent, before record: Int64) throws(FileError) {
    var place = MotionRecord()
    place.time = event.time
    let statement = try SQLiteStatement(
      """
      INSERT INTO tracking_events
        (event, timestamp, nanoseconds, record, placement, sampleClock, source)
        VALUES (?, ?, ?, ?, ?, ?, ?)
      """, database)
    statement.bind(1, event.kind.rawValue)
    statement.bind(2, place.timestamp)
    statement.bind(3, place.nanoseconds)
    statement.bind(4, record)
    statement.bind(5, event.placement)
    statement.bind(6, event.sampleClock)
    statement.bind(7, event.source)
    try statement.run()
  }

  /// The device that recorded last; nil if the log is empty.
  public func lastDevice() throws(FileError) -> String? {
    let statement = try SQLiteStatement(
      "SELECT deviceId FROM airpods_motion ORDER BY id DESC LIMIT 1", database)
    return try statement.step() ? statement.text(0) : nil
  }

  /// Writes a log that appears whole or not at all.
  ///
  /// - Parameters:
  ///   - replacing: whether a file of that name is replaced; else a log of that name is added to, in
  ///     which the records of `work` must be one transaction.
  ///   - work: adds the records.
  public static func write(
    to path: String, replacing: Bool = false, _ work: (MotionStore) throws -> Void
  ) throws {
    let exists = access(path, F_OK) == 0
    if exists, !replacing {
      try work(try MotionStore(path: path, durability: .process))
      return
    }
    // Whoever records into the file that is replaced would go on with one that nobody can find.
    let lock = exists && isRegularFile(path) ? try WriterLock(path: path, role: .append) : nil
    let file = try OutputFile(path: path)
    // SQLite keeps one beside while it builds the file.
    let journal = file.temporaryPath + "-journal"
    let slot = TemporaryFiles.add(journal)
    defer {
      if file.temporaryPath != path { unlink(journal) }
      TemporaryFiles.remove(slot)
    }
    do {
      let store = try MotionStore(path: file.temporaryPath, name: path, durability: .none)
      try work(store)
      try store.database.execute("PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL")
    }
    try synchronise(file.temporaryPath, name: path)
    try withExtendedLifetime(lock) {
      // What a killed writer has left beside the old file would be taken for the new one's.
      for ending in ["-wal", "-shm"] { unlink(path + ending) }
      try file.commit()
    }
  }
}
