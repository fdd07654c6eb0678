import Files

/// Writes a results file, CSV, with its chain of checks.
struct ResultsWriter {
  private let output: TextWriter
  private var previous = ""

  /// Begins a file.
  init(path: String) throws(FileError) {
    output = try TextWriter(path: path)
    output.append(CheckChain.line(ResultColumn.header) + "\n")
  }

  /// Begins a participant's session in a test of this hash.
  mutating func beginSession(testHash: String) { previous = testHash }

  /// Appends a row.
  mutating func append(_ values: [ResultColumn: String]) {
    let fields = ResultColumn.allCases.map { values[$0] ?? "" }
    previous = CheckChain.check(after: previous, fields)
    output.append(CheckChain.line(fields + [previous]) + "\n")
  }

  /// Moves the file to its place.
  func commit() throws(FileError) { try output.commit() }
}
