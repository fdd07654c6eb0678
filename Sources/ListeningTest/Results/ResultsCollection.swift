public import Files

/// The results of one test from any number of files, checked.
public struct ResultsCollection: Sendable {
  /// The test's name and hash.
  public var test, testHash: String
  /// Which kind of test it is.
  public var type: ListeningTestKind
  /// By participant, in the order of their codes.
  public var sessions: [ParticipantSession]
  /// What else is to be known of them.
  public var flags: [ResultsFlag]

  /// Joins and checks files.
  ///
  /// - Parameters:
  ///   - excluded: Codes of participants who are left out, checked or not.
  /// - Throws: `FileError` naming file and row where rows were edited, lost or reordered, contradict each
  ///   other, or are of different tests.
  public init(_ files: [ResultsFile], excluding excluded: [String] = []) throws(FileError) {
    let rows = files.flatMap(\.rows)
    guard let first = rows.first else {
      throw FileError(.malformed, file: files.first?.path ?? "results", "holds no rows")
    }
    for other in rows {
      for column in [ResultColumn.testHash, .test, .type]
      where other.row[column] != first.row[column] {
        throw FileError(
          .unsupported, file: other.file, place: other.place,
          "is of another test: \(column.rawValue) \(other.row[column]), where \(first.file) has "
            + first.row[column])
      }
    }
    (test, testHash, type) = (first.row[.test], first.row[.testHash], first.row.type)
    (sessions, flags) = ([], [])
    let codes = Set(rows.map(\.row.participant))
    for code in excluded where !codes.contains(code) {
      throw FileError(
        .unsupported, file: first.file, "there is no participant \"\(code)\" to leave out")
    }
    for code in codes.sorted() {
      let own = rows.filter { $0.row.participant == code }
      if excluded.contains(code) {
        flags.append(
          .init(
            kind: .excluded, participant: code,
            text: "\(code) was left out as asked: \(own.count) rows in \(own[0].file)"))
        continue
      }
      sessions.append(try Self.session(code, own, testHash: testHash, flags: &flags))
    }
    guard !sessions.isEmpty else {
      throw FileError(.unsupported, file: first.file, "no participant is left")
    }
  }

  private static func session(
    _ code: String, _ all: [ResultsFile.PlacedRow], testHash: String, flags: inout [ResultsFlag]
  ) throws(FileError) -> ParticipantSession {
    var byNumber: [Int: ResultsFile.PlacedRow] = [:]
    var duplicates: [ResultsFile.PlacedRow] = []
    for other in all {
      guard let known = byNumber[other.row.number] else {
        byNumber[other.row.number] = other
        continue
      }
      guard known.row == other.row else {
        throw FileError(
          .malformed, file: other.file, place: other.place,
          "row \(other.row.number) of \(code) has other content than in \(known.file), \(known.place)"
        )
      }
      duplicates.append(other)
    }
    let rows = byNumber.values.sorted { $0.row.number < $1.row.number }
    try checkChain(code, rows, testHash: testHash)
    if let first = duplicates.first {
      flags.append(
        .init(
          kind: .duplicate, participant: code,
          text: "\(duplicates.count) rows of \(code) stand there more than once and count once: "
            + "the first is row \(first.row.number) in \(first.file), \(first.place)"))
    }
    let session = ParticipantSession(participant: code, rows: rows.map(\.row))
    if !session.isComplete {
      flags.append(
        .init(
          kind: .partial, participant: code,
          text: "the session of \(code) has no end: \(rows.count) rows in \(rows[0].file)"))
    }
    return session
  }

  /// Checks that rows follow each other without a gap, each with the check that belongs to it.
  private static func checkChain(
    _ code: String, _ rows: [ResultsFile.PlacedRow], testHash: String
  ) throws(FileError) {
    var previous = testHash
    for (index, placed) in rows.enumerated() {
      let row = placed.row
      func fault(_ cause: String) -> FileError {
        FileError(.malformed, file: placed.file, place: placed.place, cause)
      }
      guard row.number == index + 1 else {
        throw fault("row \(index + 1) of \(code) is missing before row \(row.number)")
      }
      guard CheckChain.check(after: previous, row.fields) == row.check else {
        throw fault(
          "row \(row.number) of \(code) does not have the check \(row.check): it, or the row before it, "
            + "was changed")
      }
      guard row.kind != .end || index == rows.count - 1 else {
        throw fault("the session of \(code) ends with row \(row.number), and yet goes on")
      }
      previous = row.check
    }
  }
}
