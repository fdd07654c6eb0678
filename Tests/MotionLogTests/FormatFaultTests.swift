import CSQLite
import Files
import Glibc
import MotionLog
import TestSupport
import Testing

/// Logs that are hostile, damaged or none: one line with file, place and cause.
@Suite struct FormatFaultTests {
  static let csv = "timestamp,quaternionX,quaternionY,quaternionZ,quaternionW,label,jsonVersion\n"

  @Test(arguments: [
    ("", "the file is empty"),
    ("timestamp,yaw,yaw\n1,0,0\n", "line 1: column yaw stands there twice"),
    ("yaw\n0\n", "line 1: there is no column timestamp or time"),
    ("timestamp,pitch\n1,0\n", "line 1: there is no column quaternionX or yaw"),
    ("timestamp,quaternionX,yaw\n1,0,0\n", "line 1: there is no column quaternionY"),
    (csv + "1,0,0,0\n", "line 2: 4 columns where the header has 7"),
    (csv + "1,nan,0,0,1,,1\n", "line 2, column quaternionX: \"nan\" is not a finite number"),
    (csv + "1,0,0,0,1e999,,1\n", "line 2, column quaternionW: \"1e999\" is not a finite number"),
    (csv + "1.5,0,0,0,1,,1\n", "line 2, column timestamp: \"1.5\" is not a whole number"),
    (csv + ",0,0,0,1,,1\n", "line 2, column timestamp: \"\" is not a time in milliseconds"),
    (
      csv + "9223372036854775808,0,0,0,1,,1\n",
      "line 2, column timestamp: \"9223372036854775808\" is not a whole number"
    ),
    (
      "timestamp,yaw,headphonePlacement\n1,0,3\n",
      "line 2, column headphonePlacement: \"3\" is not 0, 1 or 2"
    ),
    (
      "time,yaw,devicelocation\n1,0,ear\n",
      "line 2, column devicelocation: \"ear\" is not left, right or unknown"
    ),
    ("{", "line 1: is no JSON object, or is cut short"),
    ("{}\n", "line 1: there is no key timestamp"),
    ("{\"timestamp\":1}\n", "line 1: there is neither a quaternion nor a yaw"),
    ("{\"timestamp\":1,\"yaw\":0,\"yaw\":0}", "line 1, key yaw: stands there twice"),
    ("{\"timestamp\":1,\"yaw\":\"0\"}", "line 1, key yaw: is not a finite number"),
    ("{\"timestamp\":1,\"yaw\":[0]}", "line 1, key yaw: is no number, text or null"),
    ("{\"timestamp\":1,\"yaw\":NaN}", "line 1, key yaw: is no number, text or null"),
    ("{\"timestamp\":1.5,\"yaw\":0}", "line 1, key timestamp: is not a whole number"),
    ("{\"timestamp\":null,\"yaw\":0}", "line 1, key timestamp: is null"),
    ("{\"timestamp\":1,\"yaw\":0,\"label\":7}", "line 1, key label: is not a text"),
    (
      "{\"timestamp\":1,\"yaw\":0,\"label\":\"\\x\"}",
      "line 1, key label: is no number, text or null"
    ),
    ("{\"timestamp\":1,\"yaw\":0} x", "line 1: text after the object"),
    (
      "{\"timestamp\":1,\"yaw\":0}\n{\"timestamp\":2,\"ya",
      "line 2: is no JSON object, or is cut short"
    ),
    (String(repeating: "{\"a\":", count: 1000), "line 1: is no JSON object"),
  ])
  func text(_ content: String, _ fault: String) {
    let folder = TemporaryFolder()
    let path = folder.file("log", content)
    let error = #expect(throws: FileError.self) { try records(path) }
    #expect(error?.description == "\(path): \(fault)")
  }

  @Test(arguments: [
    (
      "CREATE TABLE notes (text)",
      "is a database of another program: it has no table airpods_motion"
    ),
    (
      "CREATE VIEW airpods_motion AS SELECT 1 AS timestamp, 2 AS yaw",
      "is a database of another program: it has no table airpods_motion"
    ),
    ("CREATE TABLE airpods_motion (yaw)", "table airpods_motion: there is no column timestamp"),
    (
      "CREATE TABLE airpods_motion (timestamp, roll)",
      "table airpods_motion: there are neither columns of a quaternion nor a column yaw"
    ),
    (
      "CREATE TABLE airpods_motion (timestamp, yaw); INSERT INTO airpods_motion VALUES (1, 'a')",
      "record 1, column yaw: is not a finite number"
    ),
    (
      "CREATE TABLE airpods_motion (timestamp, yaw); INSERT INTO airpods_motion VALUES (1, 9e999)",
      "record 1, column yaw: is not a finite number"
    ),
    (
      "CREATE TABLE airpods_motion (timestamp, yaw); INSERT INTO airpods_motion VALUES ('x', 0)",
      "record 1, column timestamp: is not a whole number"
    ),
    (
      "CREATE TABLE airpods_motion (timestamp, yaw); INSERT INTO airpods_motion VALUES (NULL, 0)",
      "record 1, column timestamp: is null"
    ),
    (
      "CREATE TABLE airpods_motion (timestamp, yaw, label); "
        + "INSERT INTO airpods_motion VALUES (1, 0, x'00')",
      "record 1, column label: is not a text"
    ),
    (
      "PRAGMA application_id = 1098216041; PRAGMA user_version = 2; "
        + "CREATE TABLE airpods_motion (timestamp, yaw)",
      "was made by a newer version of aurient: its tables are of version 2"
    ),
  ])
  func database(_ sql: String, _ fault: String) throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/log"
    try Other(path).run(sql)
    let error = #expect(throws: FileError.self) { try records(path) }
    #expect(error?.description == "\(path): \(fault)")
    // None of them may be written to.
    let refusal = #expect(throws: FileError.self) { try MotionStore(path: path) }
    #expect(refusal?.code == .unsupported)
  }

  @Test func aTableOfAWAREsOwn() throws {
    let folder = TemporaryFolder()
    try Other(folder.path + "/log").run(
      """
      CREATE TABLE ios_airpods_motion (id INTEGER PRIMARY KEY AUTOINCREMENT, label TEXT NOT NULL,
        deviceId TEXT NOT NULL, timestamp INTEGER NOT NULL, yaw DOUBLE NOT NULL,
        pitch DOUBLE NOT NULL, roll DOUBLE NOT NULL);
      INSERT INTO ios_airpods_motion VALUES (7, 'x', 'd', 1790000000000, 0.5, 0.3, -0.2)
      """)
    let record = try #require(try records(folder.path + "/log").first)
    #expect(record.label == "x" && record[.yaw] == 0.5)
    #expect(abs(try #require(record[.rotationMatrixM11]) - MotionRecordTests.matrix[0]) < 2e-15)
  }

  @Test func textThatIsCutShortIsADatabaseOfNobody() throws {
    let folder = TemporaryFolder()
    let path = folder.file("log", "SQLite format 3")
    #expect(throws: FileError.self) { try records(path) }
    let short = folder.path + "/short"
    try write((0..<1000).map { record($0) }, to: folder.path + "/whole", .sqlite)
    let bytes = try InputFile.bytes(path: folder.path + "/whole", limit: 1 << 24)
    for count in [16, 100, 5000, 40_000] {
      try OutputFile.write(bytes.prefix(count), to: short)
      let error = #expect(throws: FileError.self) { try records(short) }
      #expect(error?.file == short)
    }
  }

  /// A log of which a page is overwritten takes nothing more: what it took could not be read again.
  @Test func aDamagedLogTakesNothing() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/log.sqlite"
    try write((0..<500).map { record($0) }, to: path, .sqlite)
    var bytes = try InputFile.bytes(path: path, limit: 1 << 26)
    let middle = bytes.count / 2
    for index in middle..<middle + 4000 { bytes[index] = 0xFF }
    try OutputFile.write(bytes, to: path)
    let error = #expect(throws: FileError.self) { try MotionStore(path: path).append([record(1)]) }
    #expect(error?.file == path && error?.cause.contains("damaged") == true)
    #expect(try InputFile.bytes(path: path, limit: 1 << 26) == bytes)
  }

  /// Every page damaged in turn: an error or records, never a crash; the file stays as it is.
  @Test func damagedPages() throws {
    let folder = TemporaryFolder()
    let (whole, damaged) = (folder.path + "/whole", folder.path + "/damaged")
    try write((0..<500).map { record($0, label: "label \($0 % 7)") }, to: whole, .sqlite)
    let bytes = try InputFile.bytes(path: whole, limit: 1 << 24)
    var random = SeededGenerator(seed: 3)
    var faults = 0
    for page in 0..<bytes.count / 16384 {
      for _ in 0..<8 {
        var copy = bytes
        let start = 16384 * page + (page == 0 ? 100 : 0)
        for _ in 0..<20 {
          copy[start + Int.random(in: 0..<60, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        try OutputFile.write(copy, to: damaged)
        do { _ = try records(damaged) } catch { faults += (error as? FileError) == nil ? 0 : 1 }
        do throws(FileError) {
          try MotionStore(path: damaged).append([record(1)])
        } catch {
          #expect(error.file == damaged && !error.cause.isEmpty)
        }
      }
    }
    #expect(faults > 10)
  }

  @Test func faultyRecordsCanBeLeftOut() throws {
    let folder = TemporaryFolder()
    let log = folder.file(
      "log", "timestamp,yaw\n1,0\n2,x\n3,0\n4,0,0\n5,nan\n1,0\n")
    let store = try MotionStore(path: folder.path + "/out")
    #expect(throws: FileError.self) {
      try importRecords(from: try openMotionLog(path: log), into: store)
    }
    #expect(try records(folder.path + "/out").isEmpty)
    let report = try importRecords(
      from: try openMotionLog(path: log), into: store, skipsFaulty: true)
    #expect(report.count == 3 && report.faultyCount == 3 && report.lateCount == 1)
    #expect(report.firstFault?.place == "line 3, column yaw")
    #expect(try records(folder.path + "/out").count == 3)
  }

  /// A fault that is met again and again ends the reading, even where faults may be left out.
  @Test func whatCannotBePassedOver() throws {
    let folder = TemporaryFolder()
    let log = folder.file(
      "log", "timestamp,yaw\n1,0\n2,\"" + String(repeating: "x", count: 3 << 20))
    let store = try MotionStore(path: folder.path + "/out")
    let error = #expect(throws: FileError.self) {
      try importRecords(from: try openMotionLog(path: log), into: store, skipsFaulty: true)
    }
    #expect(error?.place == "line 3")
  }
}

/// Another program's connection to a database.
final class Other {
  private var handle: OpaquePointer?

  init(_ path: String) {
    precondition(sqlite3_open(path, &handle) == SQLITE_OK)
  }

  deinit { sqlite3_close(handle) }

  func run(_ sql: String) throws {
    try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK, "\(sql)")
  }

  func number(_ sql: String) throws -> Int64 {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    try #require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
    try #require(sqlite3_step(statement) == SQLITE_ROW)
    return sqlite3_column_int64(statement, 0)
  }
}
