import Files
import TestSupport
import Testing

@testable import ListeningTest

/// A change of the localisation results by which they are no longer what a participant answered, or not whole.
struct Tampering: Sendable, CustomTestStringConvertible {
  var name: String
  var change: @Sendable (inout [String]) -> Void
  /// The error, or the kind of the flag.
  var outcome: String
  var testDescription: String { name }

  init(_ name: String, _ outcome: String, _ change: @escaping @Sendable (inout [String]) -> Void) {
    (self.name, self.outcome, self.change) = (name, outcome, change)
  }
}

private func fields(_ line: String) -> [String] {
  line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
}

/// Line 3 is row 2 of P1, line 4 its row 3; each participant has 122 rows.
private let tamperings = [
  Tampering("nothing", "") { _ in },
  Tampering(
    "a response changed",
    "line 4: row 3 of P1 does not have the check"
  ) { lines in
    var row = fields(lines[3])
    row[14] = "12.5"
    lines[3] = row.joined(separator: ",")
  },
  Tampering("a row lost", "line 4: row 3 of P1 is missing before row 4") { $0.remove(at: 3) },
  Tampering("the first row lost", "line 2: row 1 of P1 is missing before row 2") {
    $0.remove(at: 1)
  },
  Tampering("two rows exchanged with their numbers", "row 3 of P1 does not have the check") {
    lines in
    var (one, other) = (fields(lines[3]), fields(lines[4]))
    (one[3], other[3]) = (other[3], one[3])
    lines[3] = other.joined(separator: ",")
    lines[4] = one.joined(separator: ",")
  },
  Tampering("rows in another order but whole", "") { $0.swapAt(3, 4) },
  Tampering("another test", "is of another test: test_hash") { lines in
    lines[200] = lines[200].replacing("0123456789abcdef", with: "fedcba9876543210")
  },
  Tampering("a column lost", "line 1: lacks the columns replays") { lines in
    lines[0] = lines[0].replacing(",replays", with: "")
  },
  Tampering("a column more", "has the unknown columns mood") { lines in
    lines[0] += ",mood"
  },
  Tampering("columns in another order", "does not have its columns in the order") { lines in
    lines[0] = lines[0].replacing("block,condition", with: "condition,block")
  },
  Tampering("no number", "column response_azimuth_deg: \"left\" is not a finite number") {
    lines in
    var row = fields(lines[3])
    row[14] = "left"
    lines[3] = row.joined(separator: ",")
  },
  Tampering("not a number", "column response_azimuth_deg: \"nan\" is not a finite number") {
    lines in
    var row = fields(lines[3])
    row[14] = "nan"
    lines[3] = row.joined(separator: ",")
  },
  Tampering("an impossible elevation", "\"95\" is outside -90 to 90") { lines in
    var row = fields(lines[3])
    row[15] = "95"
    lines[3] = row.joined(separator: ",")
  },
  Tampering("an unknown kind", "column kind: \"tset\" is not a kind of row") { lines in
    lines[3] = lines[3].replacing(",test,1,", with: ",tset,1,")
  },
  Tampering("no response", "column response_azimuth_deg: is empty") { lines in
    var row = fields(lines[3])
    row[14] = ""
    row[15] = ""
    lines[3] = row.joined(separator: ",")
  },
  Tampering("no end", "partial") { $0.removeLast() },
  Tampering("twice", "duplicate") { $0 += $0.dropFirst() },
  Tampering("a row twice, the second time another", "row 3 of P1 has other content than in") {
    lines in
    lines.append(lines[3].replacing("2026-01-01", with: "2026-01-02"))
  },
  Tampering("joined with its header", "duplicate") { $0 += $0 },
]

@Suite struct ResultsFileTests {
  @Test(arguments: tamperings)
  func findsWhatWasDone(_ tampering: Tampering) throws {
    let folder = TemporaryFolder()
    var lines = try MadeUpResults.lines("localisation")
    tampering.change(&lines)
    let path = folder.file("results.csv", lines.joined(separator: "\n") + "\n")
    do throws(FileError) {
      let collection = try ResultsCollection([ResultsFile(path: path)])
      #expect(
        collection.flags.map(\.kind.rawValue).reduce(into: Set()) { $0.insert($1) }
          == (tampering.outcome.isEmpty ? [] : [tampering.outcome]))
      #expect(collection.sessions.count == 4)
      #expect(collection.sessions[0].rows.count == 122)
    } catch {
      #expect(!tampering.outcome.isEmpty && "\(error)".contains(tampering.outcome), "\(error)")
      #expect(error.file == path)
    }
  }

  @Test(arguments: ["", "test\n1\n", "{", "{}", "[]", "\u{0}\u{1}"])
  func refusesWhatAreNoResults(_ text: String) throws {
    let folder = TemporaryFolder()
    let path = folder.file("results", text)
    #expect(throws: FileError.self) { try ResultsFile(path: path) }
  }

  /// The same rows as JSON, made of the CSV file's texts.
  @Test func readsJSONAsCSV() throws {
    let folder = TemporaryFolder()
    let csv = try ResultsFile(path: MadeUpResults.path("localisation"))
    let own = csv.rows.filter { $0.row.participant == "P2" }
    func json(_ participant: String) -> String {
      let rows = own.map { placed in
        let values = zip(ResultColumn.header, placed.row.fields + [placed.row.check])
          .filter { $0.1 != "" }.map { "\(jsonText($0)): \(jsonText($1))" }
        return "{\(values.joined(separator: ", "))}"
      }
      return """
        {"format": "aurient-listening-results", "version": 1, "test": "made-up", \
        "test_hash": "0123456789abcdef", "participant": "\(participant)", "user_agent": "x", \
        "sample_rate_hz": 48000, "output_latency_s": 0.02, "rows": [\(rows.joined(separator: ","))]}
        """
    }
    let good = try ResultsFile(path: folder.file("P2.json", json("P2")))
    #expect(good.rows.map(\.row) == own.map(\.row))
    let marked = try ResultsFile(path: folder.file("marked.json", "\u{FEFF}" + json("P2")))
    #expect(marked.rows.map(\.row) == own.map(\.row))
    let session = try ResultsCollection([good]).sessions[0]
    #expect(session.isComplete && session.rows.count == 122)
    #expect {
      try ResultsFile(path: folder.file("P3.json", json("P3")))
    } throws: { "\($0)".contains("row 1, participant: \"P2\" where the file is of \"P3\"") }
    // One participant from a CSV file, the same from JSON: once, and said so.
    let both = try ResultsCollection([csv, good])
    #expect(both.flags.map(\.kind) == [.duplicate])
    #expect(both.flags[0].text.contains("122 rows of P2"))
  }

  @Test func leavesOutWhoIsNamed() throws {
    let file = try ResultsFile(path: MadeUpResults.path("localisation"))
    let collection = try ResultsCollection([file], excluding: ["P3"])
    #expect(collection.sessions.map(\.participant) == ["P1", "P2", "P4"])
    #expect(collection.flags.map(\.kind) == [.excluded])
    #expect(throws: FileError.self) { try ResultsCollection([file], excluding: ["P9"]) }
  }

  @Test(arguments: [
    ("hrtf=A;sound=pink", ["hrtf=A", "sound=pink"]), ("", []),
    ("a=1%3B2%3D3%2C4%25%0A", ["a=1;2=3,4%\n"]),
  ])
  func readsConditions(text: String, pairs: [String]) {
    let parsed = ConditionText.parse(text)
    #expect(parsed?.map { "\($0.key)=\($0.value)" } == pairs)
    let condition = Dictionary(uniqueKeysWithValues: (parsed ?? []).map { ($0.key, $0.value) })
    #expect(ConditionText.text(condition) == text)
  }

  @Test(arguments: ["a", "a=b=c", "=b", "a=1;a=2", "a=%4", "a=%zz", ";"])
  func refusesConditions(text: String) { #expect(ConditionText.parse(text) == nil) }
}
