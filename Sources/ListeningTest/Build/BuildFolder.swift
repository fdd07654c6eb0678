import Files
import Glibc

/// The folder that a test is built into, and what of it is there already.
///
/// While a build goes on, `building.jsonl` has its header and a line for each sound file that is done; a build
/// that is interrupted goes on from there. When all is done `test.json`, `manifest.json` (of a part
/// `shard.json`) take its place. What a build that is refused has made is taken away.
final class BuildFolder {
  let path: String
  /// Sound files that are done, by name.
  private(set) var records: [String: StimulusRecord] = [:]
  private let journal: Int32
  /// Whether the folder holds this test, whole, to begin with.
  private let wasWhole: Bool

  static let journalName = "building.jsonl"
  static let manifestName = "manifest.json"
  static let shardName = "shard.json"
  static let testName = "test.json"

  /// Files of a test that are replaced as a whole.
  private static let ownNames = [testName, manifestName, shardName, journalName, "webmushra.yaml"]

  /// Opens a folder for a build, or makes it.
  ///
  /// - Parameters:
  ///   - isForced: Whether another test that is in it may be replaced.
  /// - Throws: `FileError` if it cannot be written, holds something else, or is being built into.
  init(_ path: String, header: BuildHeader, shard: Shard, isForced: Bool) throws(FileError) {
    self.path = path
    if mkdir(path, 0o777) != 0, errno != EEXIST {
      throw .system(.unwritable, file: path, errno: errno)
    }
    let plan = "\(header.plan) \(shard)"
    let state = try Self.state(path)
    var isFresh = true
    switch state {
    case .empty: break
    case .of(let other, let found) where other == plan:
      records = found
      isFresh = false
    case .of, .foreign:
      guard isForced else {
        throw FileError(
          .unwritable, file: path,
          state.isTest
            ? "holds another test, or this one of another design, inputs, version or part; --force builds "
              + "over it"
            : "is not empty and holds no listening test; --force builds into it")
      }
      try Self.clear(path)
    }
    wasWhole = !isFresh && access("\(path)/\(Self.journalName)", F_OK) != 0
    if mkdir("\(path)/stimuli", 0o777) != 0, errno != EEXIST {
      throw .system(.unwritable, file: "\(path)/stimuli", errno: errno)
    }
    let name = "\(path)/\(Self.journalName)"
    journal = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard journal >= 0 else { throw .system(.unwritable, file: name, errno: errno) }
    guard flock(journal, LOCK_EX | LOCK_NB) == 0 else {
      close(journal)
      throw FileError(.unwritable, file: path, "another build is at work there")
    }
    try removeLeftovers()
    if isFresh || lseek(journal, 0, SEEK_END) == 0 {
      ftruncate(journal, 0)
      try append("{\"plan\":\(jsonText(plan))}")
      // Those of a finished test, some of whose files may be damaged.
      for name in records.keys.sorted() { try records[name].map(append) }
    } else {
      // Ends a line that an interruption has cut.
      try append("")
    }
  }

  deinit { close(journal) }

  /// Takes away what a killed build was writing; nobody else writes here now.
  private func removeLeftovers() throws(FileError) {
    for folder in [path, "\(path)/stimuli"] {
      for name in try Self.entries(folder) where name.hasPrefix(Self.temporaryPrefix) {
        unlink("\(folder)/\(name)")
      }
    }
  }

  /// How the names of files that are being written begin; see `OutputFile`.
  private static let temporaryPrefix = ".aurient-"

  /// Notes that a sound file is done.
  func append(_ record: StimulusRecord) throws(FileError) {
    try append(record.json)
    records[record.name] = record
  }

  private func append(_ line: String) throws(FileError) {
    var text = line + "\n"
    let failure: Int32? = text.withUTF8 { bytes in
      // One call, so that a line is there whole or not.
      while write(journal, bytes.baseAddress, bytes.count) != bytes.count {
        if errno != EINTR { return errno == 0 ? ENOSPC : errno }
      }
      return nil
    }
    if let failure {
      throw .system(.unwritable, file: "\(path)/\(Self.journalName)", errno: failure)
    }
  }

  /// Ends the build: what tells of it is written.
  func finish() { unlink("\(path)/\(Self.journalName)") }

  /// Takes away what a build has made whose inputs are at fault, so that it does not stand in the way of the
  /// corrected ones; the folder, too, if nothing else is in it.
  ///
  /// What stays is a test that was whole before, and what a full disk or a failing engine has interrupted:
  /// that can go on.
  func removeRefused(_ error: any Error) {
    guard !wasWhole, let error = error as? FileError,
      [.unsupported, .malformed, .notFound].contains(error.code)
    else { return }
    for name in records.keys {
      for format in ListeningDesign.SoundFormat.allCases {
        unlink("\(path)/stimuli/\(name).\(format.rawValue)")
      }
    }
    records = [:]
    rmdir("\(path)/stimuli")
    finish()
    rmdir(path)
  }

  // MARK: What is there

  private enum State {
    case empty, foreign
    case of(String, [String: StimulusRecord])

    var isTest: Bool { if case .of = self { true } else { false } }
  }

  private static func state(_ path: String) throws(FileError) -> State {
    let names = try entries(path)
    if names.contains(journalName), let journal = try journal(path) { return journal }
    for name in [manifestName, shardName] where names.contains(name) {
      let manifest = try BuiltManifest(path: "\(path)/\(name)")
      return .of(
        "\(manifest.plan) \(manifest.shard)",
        Dictionary(manifest.records.map { ($0.name, $0) }) { $1 })
    }
    return names.allSatisfy {
      $0 == "stimuli" || $0 == journalName || $0.hasPrefix(temporaryPrefix)
    }
      ? .empty : .foreign
  }

  /// What the journal of an interrupted build tells; nil if it has no beginning.
  private static func journal(_ path: String) throws(FileError) -> State? {
    let name = "\(path)/\(journalName)"
    let lines = try InputFile.bytes(path: name, limit: 1 << 31).split(separator: 10)
    func value(_ line: ArraySlice<UInt8>) throws(FileError) -> JSONPlace {
      JSONPlace(try JSONValue(Array(line), path: name), file: name)
    }
    guard let first = lines.first, let plan = try? value(first).required("plan").text() else {
      return nil
    }
    var records: [String: StimulusRecord] = [:]
    for line in lines.dropFirst() {
      // The last one may be cut; its file is built again.
      guard let record = try? StimulusRecord(value(line)) else { continue }
      records[record.name] = record
    }
    return .of(plan, records)
  }

  private static func entries(_ path: String) throws(FileError) -> [String] {
    guard let listing = opendir(path) else {
      throw .system(.unwritable, file: path, errno: errno)
    }
    defer { closedir(listing) }
    var names: [String] = []
    while let item = readdir(listing) {
      let name = withUnsafeBytes(of: item.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Takes away the sound files and descriptions of another test.
  private static func clear(_ path: String) throws(FileError) {
    for name in ownNames { unlink("\(path)/\(name)") }
    guard access("\(path)/stimuli", F_OK) == 0 else { return }
    for name in try entries("\(path)/stimuli")
    where name.hasSuffix(".flac") || name.hasSuffix(".wav") {
      unlink("\(path)/stimuli/\(name)")
    }
  }
}
