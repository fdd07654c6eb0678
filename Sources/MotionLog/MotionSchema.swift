import Files

/// The tables of a motion log, version 1.
///
/// The measured quantities have no declared type: a column declared as a number would turn −0.0 into
/// the integer 0.
enum MotionSchema {
  /// "Auri" in ASCII, which marks a file as a motion log of this program.
  static let applicationID: Int64 = 0x4175_7269
  /// The version of the tables; later ones may not be understood.
  static let version: Int64 = 1

  static let statements = [
    """
    CREATE TABLE airpods_motion (
      id INTEGER PRIMARY KEY,
      \(MotionField.names.joined(separator: ", ")),
      headphonePlacement INTEGER, label TEXT NOT NULL, deviceId TEXT NOT NULL,
      timestamp INTEGER NOT NULL, timezone INTEGER, os TEXT NOT NULL, jsonVersion INTEGER,
      nanoseconds INTEGER)
    """,
    "CREATE INDEX airpods_motion_timestamp ON airpods_motion (timestamp)",
    // What yaw's zero depends on; record is the id of the first record after it.
    """
    CREATE TABLE tracking_events (
      id INTEGER PRIMARY KEY, event TEXT NOT NULL, timestamp INTEGER NOT NULL,
      nanoseconds INTEGER NOT NULL, record INTEGER NOT NULL, placement INTEGER, sampleClock TEXT,
      source TEXT)
    """,
    // Records up to this one have been acknowledged by the host.
    """
    CREATE TABLE sync_marks (host TEXT PRIMARY KEY, record INTEGER NOT NULL) WITHOUT ROWID
    """,
  ]

  /// Makes the tables of a new database, all at once.
  static func create(in database: SQLiteConnection) throws(FileError) {
    try database.transaction { () throws(FileError) in
      for statement in statements { try database.execute(statement) }
      try database.execute("PRAGMA application_id = \(applicationID)")
      try database.execute("PRAGMA user_version = \(version)")
    }
  }

  /// Whether nothing has ever been stored in the database.
  static func isNew(_ database: SQLiteConnection) throws(FileError) -> Bool {
    let id = try database.number("PRAGMA application_id")
    let count = try database.number("SELECT count(*) FROM sqlite_schema")
    return id == 0 && count == 0
  }

  /// Checks that the database is a motion log of this version.
  static func check(_ database: SQLiteConnection) throws(FileError) {
    guard try isOurs(database) else {
      throw FileError(
        .unsupported, file: database.path, "is a database of another program, no motion log")
    }
    // A trigger would run at each record, and a view has no place to store one.
    let extras = try database.number(
      """
      SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'
        OR name IN ('airpods_motion', 'tracking_events', 'sync_marks') AND type <> 'table'
      """)
    guard extras == 0 else {
      throw FileError(.unsupported, file: database.path, "has views or triggers of another program")
    }
  }

  /// Whether the database is marked as a motion log.
  ///
  /// - Throws: `FileError` if a newer version of the program has made it.
  static func isOurs(_ database: SQLiteConnection) throws(FileError) -> Bool {
    guard try database.number("PRAGMA application_id") == applicationID else { return false }
    let found = try database.number("PRAGMA user_version")
    guard found <= version else {
      throw FileError(
        .unsupported, file: database.path,
        "was made by a newer version of aurient: its tables are of version \(found)")
    }
    return true
  }
}
