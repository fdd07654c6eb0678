public import Files
import Glibc
public import HeadTracking

/// What a log of NMEA 0183 holds.
public struct NMEALog: Sendable {
  /// The file, as the user named it.
  public let path: String
  /// A fix for each epoch that has a place, in the order of the file; each has a time.
  public private(set) var fixes: [LocationFix] = []
  /// The headings of HDT and HDG, each at the time of the epoch in which it stands.
  public private(set) var headings: [PhoneHeading] = []
  /// What the file holds.
  public private(set) var counts = LocationCounts()
  /// That nothing in the file tells the date, where that is so; and what was left out, each with its
  /// line.
  public private(set) var warnings: [FileError] = []

  private var splitter = NMEASplitter()
  private var epochs = NMEAEpochs()

  /// Reads a log.
  ///
  /// Without a date (RMC, ZDA) the first fix counts as of 1970-01-01.
  /// - Throws: `FileError` if it cannot be read, no epoch has a place, or times go back.
  public init(path: String) throws(FileError) {
    self.path = path
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(.unreadable, file: path, errno: errno) }
    defer { close(descriptor) }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      guard count >= 0 else { throw .system(.unreadable, file: path, errno: errno) }
      if count == 0 { break }
      for byte in chunk[..<count] { try take(splitter.take(byte)) }
    }
    try take(splitter.endOfLine())
    try closeEpoch()
    guard !fixes.isEmpty else {
      throw FileError(
        .malformed, file: path,
        "no place in it: \(counts.understood) NMEA sentences understood, \(counts.others) others, "
          + "\(counts.droppedTotal) dropped")
    }
    if !epochs.isDated {
      let cause = "no sentence has a date; taken as of 1970-01-01"
      warnings.insert(FileError(.unsupported, file: path, cause), at: 0)
    }
  }

  private mutating func take(_ item: NMEASplitter.Item?) throws(FileError) {
    switch item {
    case nil: break
    case .other: counts.others += 1
    case .fault(let fault):
      counts.dropped[fault, default: 0] += 1
      warnings.append(
        FileError(
          .malformed, file: path, place: "line \(splitter.line)", "\(fault.cause); left out"))
    case .sentence(let sentence):
      counts.understood += 1
      if epochs.isEnded(by: sentence) { try closeEpoch() }
      if let days = epochs.take(sentence, line: splitter.line) { shift(days) }
      if let time = epochs.time, let heading = NMEAEpochs.heading(sentence, at: time) {
        headings.append(heading)
      }
    }
  }

  private mutating func closeEpoch() throws(FileError) {
    let line = epochs.line
    guard case .fix(let fix) = epochs.tell(undated: true), let time = fix.time else { return }
    if let last = fixes.last?.time, time < last {
      throw FileError(
        .malformed, file: path, place: "line \(line)",
        "the time is \(last.seconds(since: time)) s before that of the fix before")
    }
    fixes.append(fix)
  }

  /// Puts all times so many days later.
  private mutating func shift(_ days: Int) {
    let nanoseconds = Int64(days) * NMEAEpochs.dayLength
    for index in fixes.indices { fixes[index].time?.nanoseconds += nanoseconds }
    for index in headings.indices { headings[index].time.nanoseconds += nanoseconds }
  }
}

extension Track {
  /// Reads a log of NMEA 0183, see `NMEALog`.
  ///
  /// - Throws: `FileError` as `NMEALog` does.
  public init(nmea path: String) throws(FileError) {
    let log = try NMEALog(path: path)
    self.init(unchecked: log.fixes, warnings: log.warnings)
  }
}

/// Whether bytes from a file's beginning have the start of a sentence: `$` or `!`, an address of five
/// letters or digits or a proprietary one, and a comma.
func isNMEA(_ head: ArraySlice<UInt8>) -> Bool {
  for (start, byte) in zip(head.indices, head) where byte == 36 || byte == 33 {
    let address = head[(start + 1)...].prefix { (48...57).contains($0) || (65...90).contains($0) }
    if 4...8 ~= address.count, address.endIndex < head.endIndex, head[address.endIndex] == 44 {
      return true
    }
  }
  return false
}
