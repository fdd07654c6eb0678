public import Files
internal import Aurient

/// The rows of one results file, CSV or JSON.
public struct ResultsFile: Sendable {
  /// A row and where it stands, for messages.
  struct PlacedRow: Sendable {
    var row: ResultRow
    var file: String
    var place: String
  }

  /// The file, as the user named it.
  public var path: String
  /// Its rows, in its order.
  var rows: [PlacedRow]

  /// Reads a file; one that begins with `{` is JSON.
  ///
  /// - Throws: `FileError` naming the row and column that cannot be read.
  public init(path: String) throws(FileError) {
    self.path = path
    let beginning = try InputFile.beginning(path: path, count: 64).bytes
    guard !beginning.isEmpty else { throw FileError(.malformed, file: path, "the file is empty") }
    let first = beginning.drop { $0 <= 32 || [0xEF, 0xBB, 0xBF].contains($0) }.first
    rows = try first == UInt8(ascii: "{") ? Self.json(path) : Self.csv(path)
    guard !rows.isEmpty else { throw FileError(.malformed, file: path, "holds no rows") }
  }

  private static func csv(_ path: String) throws(FileError) -> [PlacedRow] {
    let reader = try CSVReader(path: path, keepsSpaces: true)
    let expected = ResultColumn.header
    guard reader.header == expected else {
      let missing = expected.filter { reader.column($0) == nil }
      let unknown = reader.header.filter { !expected.contains($0) }
      let cause =
        !missing.isEmpty
        ? "lacks the columns \(missing.joined(separator: ", "))"
        : !unknown.isEmpty
          ? "has the unknown columns \(unknown.joined(separator: ", "))"
          : "does not have its columns in the order of a results file"
      throw FileError(.malformed, file: path, place: "line 1", cause)
    }
    var rows: [PlacedRow] = []
    while try reader.next() {
      let fields = expected.indices.map { reader.text($0) }
      // Files that were joined with their headers.
      if fields == expected { continue }
      rows.append(
        try placed(
          fields: Array(fields.dropLast()), check: fields[fields.count - 1], path,
          "line \(reader.line)"))
    }
    return rows
  }

  private struct Document: Decodable {
    var format: String
    var version: Int
    var test: String
    var test_hash: String
    var participant: String
    var rows: [[String: String]]
  }

  private static func json(_ path: String) throws(FileError) -> [PlacedRow] {
    let document: Document = try decodeJSON(path: path, as: "results", limit: 1 << 30)
    guard document.format == "aurient-listening-results", document.version == 1 else {
      throw FileError(
        .unsupported, file: path,
        "is of format \"\(document.format)\", version \(document.version), not "
          + "\"aurient-listening-results\", version 1")
    }
    var rows: [PlacedRow] = []
    for (index, values) in document.rows.enumerated() {
      let place = "row \(index + 1)"
      if let unknown = values.keys.sorted().first(where: { !ResultColumn.header.contains($0) }) {
        throw FileError(.malformed, file: path, place: place, "unknown column \"\(unknown)\"")
      }
      let row = try placed(
        fields: ResultColumn.allCases.map { values[$0.rawValue] ?? "" },
        check: values["check"] ?? "", path, place)
      for (column, value) in [
        (ResultColumn.test, document.test), (.testHash, document.test_hash),
        (.participant, document.participant),
      ] where row.row[column] != value {
        throw FileError(
          .malformed, file: path, place: "\(place), \(column.rawValue)",
          "\"\(row.row[column])\" where the file is of \"\(value)\"")
      }
      rows.append(row)
    }
    return rows
  }

  private static func placed(
    fields: [String], check: String, _ path: String, _ place: String
  ) throws(FileError) -> PlacedRow {
    do throws(ResultRow.Fault) {
      return PlacedRow(
        row: try ResultRow(fields: fields, check: check), file: path, place: place)
    } catch {
      throw FileError(
        .malformed, file: path, place: "\(place), column \(error.column.rawValue)", error.cause)
    }
  }
}
