import Files
import Glibc
import MotionLog
import TestSupport
import Testing

@Suite struct MotionStoreTests {
  @Test func isAnOrdinaryDatabase() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/log.sqlite"
    try MotionStore(path: path).append([record(1000, label: "a")])
    #expect(folder.names() == ["log.sqlite"])
    let other = Other(path)
    #expect(
      try other.number("SELECT count(*) FROM pragma_journal_mode WHERE journal_mode = 'wal'") == 1)
    #expect(try other.number("PRAGMA user_version") == 1)
    #expect(try other.number("PRAGMA application_id") == 0x4175_7269)
    #expect(
      try other.number("SELECT timestamp FROM airpods_motion WHERE label = 'a'") == 1000)
    #expect(
      try other.number(
        "SELECT count(*) FROM pragma_index_list('airpods_motion') AS i "
          + "JOIN pragma_index_info(i.name) AS c WHERE c.name = 'timestamp'") == 1)
    // Readers leave nothing behind either.
    #expect(try records(path).count == 1)
  }

  @Test func onlyOneWriterAtATime() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/log.sqlite"
    do {
      let store = try MotionStore(path: path)
      try store.append([record(1)])
      let error = #expect(throws: FileError.self) { try MotionStore(path: path) }
      #expect(
        error?.description == "\(path): another program is recording or importing into it")
      // Readers look on.
      #expect(try records(path).count == 1)
      try store.append([record(2)])
      #expect(try records(path).count == 2)
    }
    try MotionStore(path: path).append([record(3)])
    #expect(try records(path).map(\.timestamp) == [1, 2, 3])
  }

  @Test func aLockedDatabase() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/log.sqlite"
    let store = try MotionStore(path: path)
    try store.append([record(1)])
    let other = Other(path)
    try other.run("BEGIN IMMEDIATE")
    let error = #expect(throws: FileError.self) { try store.append([record(2), record(3)]) }
    #expect(error?.description == "\(path): is locked by another program")
    try other.run("COMMIT")
    try store.append([record(4)])
    #expect(try records(path).map(\.timestamp) == [1, 4])
    #expect(try other.number("SELECT max(id) FROM airpods_motion") == 2)
  }

  @Test func aBatchIsStoredWholeOrNotAtAll() throws {
    struct Fault: Error {}
    let folder = TemporaryFolder()
    let path = folder.path + "/log.sqlite"
    let store = try MotionStore(path: path)
    try store.append([record(1)])
    let fault = FileError(.malformed, file: "x", "y")
    #expect(throws: fault) {
      try store.transaction { () throws(FileError) in
        try store.add(record(2))
        throw fault
      }
    }
    #expect(store.nextRecord == 2)
    #expect(try records(path).count == 1)
  }

  @Test func numbersAreNotUsedAgain() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/log.sqlite"
    try MotionStore(path: path).append([record(1), record(2)])
    try Other(path).run(
      "INSERT INTO sync_marks VALUES ('h', 2); DELETE FROM airpods_motion WHERE id = 2")
    #expect(try MotionStore(path: path).nextRecord == 3)
  }

  @Test func aTriggerOfAnotherProgram() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/log.sqlite"
    try MotionStore(path: path).append([record(1)])
    try Other(path).run(
      "CREATE TRIGGER t AFTER INSERT ON airpods_motion BEGIN DELETE FROM airpods_motion; END")
    let error = #expect(throws: FileError.self) { try MotionStore(path: path) }
    #expect(error?.cause == "has views or triggers of another program")
  }

  @Test(arguments: ["missing/log.sqlite", ".", "/dev/full"])
  func placesThatHoldNoDatabase(name: String) {
    let folder = TemporaryFolder()
    let path = name.hasPrefix("/") ? name : "\(folder.path)/\(name)"
    let error = #expect(throws: FileError.self) { try MotionStore(path: path) }
    #expect(error?.code == .unwritable && error?.file == path)
    #expect(folder.names() == [])
  }

  @Test func namesThatMeanSomethingToSQLite() throws {
    let folder = TemporaryFolder()
    for name in ["file:x?mode=ro", ":memory:", "a b%20#?.sqlite"] {
      try MotionStore(path: "\(folder.path)/\(name)").append([record(1)])
      #expect(try records("\(folder.path)/\(name)").count == 1)
    }
    #expect(folder.names().count == 3)
  }

  @Test func writingAnew() throws {
    struct Fault: Error {}
    let folder = TemporaryFolder()
    let path = folder.path + "/log.sqlite"
    #expect(throws: Fault.self) {
      try MotionStore.write(to: path) { store in
        try store.append([record(1)])
        throw Fault()
      }
    }
    #expect(folder.names() == [])
    try MotionStore.write(to: path) { try $0.append([record(1)]) }
    #expect(folder.names() == ["log.sqlite"])
    try MotionStore.write(to: path) { try $0.append([record(2)]) }
    #expect(try records(path).count == 2)
    try MotionStore.write(to: path, replacing: true) { try $0.append([record(3)]) }
    #expect(try records(path).map(\.timestamp) == [3])
    #expect(
      try Other(path).number("SELECT count(*) FROM pragma_journal_mode WHERE journal_mode = 'wal'")
        == 1)
  }

  /// Whoever closes a file lets go of all of the process's locks on it (fcntl(2)). If reading the log in
  /// the process that records did so, the next program would take itself for the only one, and put the
  /// write-ahead log away under the recorder's feet.
  @Test func readingBesideRecordingKeepsTheLocks() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/log.sqlite"
    let store = try MotionStore(path: path)
    try store.append([record(1)])
    #expect(try records(path).count == 1)
    let refused = #expect(throws: FileError.self) { try MotionStore(path: path) }
    #expect(refused?.cause == "another program is recording or importing into it")
    let host = try MotionSyncTests.Host("200", in: folder)
    let configuration = MotionSync.Configuration(host: "http://127.0.0.1:\(host.port)")
    #expect(try MotionSync(path: path, configuration).run().recordCount == 1)
    let python =
      "import sqlite3; c = sqlite3.connect(\"\(path)\"); "
      + "print(c.execute(\"SELECT count(*) FROM airpods_motion\").fetchall()); c.close()"
    #expect(system("python3 -c '\(python)' >/dev/null") == 0)
    #expect(folder.names().contains("log.sqlite-wal"))
    try store.append([record(2)])
    #expect(try records(path).count == 2)
  }

  @Test func whatIsRecordedIntoIsNotReplaced() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/log.sqlite"
    let store = try MotionStore(path: path)
    try store.append([record(1)])
    let error = #expect(throws: FileError.self) {
      try MotionStore.write(to: path, replacing: true) { try $0.append([record(2)]) }
    }
    #expect(error?.cause == "another program is recording or importing into it")
    try store.append([record(3)])
    #expect(try records(path).map(\.timestamp) == [1, 3])
  }

  /// The write-ahead log of a database that is no more must not become another's.
  @Test func leftoversOfAKilledWriter() throws {
    let folder = TemporaryFolder()
    let (path, old) = (folder.path + "/log.sqlite", folder.path + "/old")
    let other = Other(old)
    try other.run(
      "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; CREATE TABLE a (b); "
        + "INSERT INTO a VALUES (1)")
    for name in [path, "\(folder.path)/new.sqlite"] {
      #expect(system("cp '\(old)-wal' '\(name)-wal'; cp '\(old)-shm' '\(name)-shm'") == 0)
    }
    try MotionStore(path: folder.path + "/new.sqlite").append([record(1)])
    #expect(try records(folder.path + "/new.sqlite").count == 1)
    try MotionStore.write(to: path) { try $0.append([record(1), record(2)]) }
    #expect(try records(path).count == 2)
    #expect(
      try Other(path).number(
        "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'") == 1)
  }

  @Test func theSummary() {
    var summary = MotionLogSummary()
    let times: [Int64] = [0, 20, 40, 40, 30, 5000, 5020]
    for (index, time) in times.enumerated() {
      var record = record(1_790_000_000_000 + time, label: index < 3 ? "a" : "b")
      record.headphonePlacement = index < 5 ? 1 : 2
      summary.add(record)
    }
    summary.finish()
    #expect(summary.count == 7 && summary.gapCount == 1 && summary.longestGap == 4.97)
    #expect(summary.duplicateCount == 1 && summary.lateCount == 1)
    #expect(summary.rate == 3 / 0.06)
    #expect(summary.labels == ["a": 3, "b": 4] && summary.devices == ["d": 7])
    #expect(summary.placements == [1: 5, 2: 2] && summary.placementSwitchCount == 1)
    #expect(summary.placementSwitches.first?.placement == 2)
  }
}
