internal import CXXHash

/// The chain of checks over the rows of a session, which shows rows that were edited, lost or reordered. It
/// is no signature: whoever knows how it is made can make it anew.
enum CheckChain {
  /// The check of a row: XXH64 of the check before it (of the first row, the test's hash), a line feed and
  /// the row's CSV text, as 16 hexadecimal digits.
  static func check(after previous: String, _ fields: [String]) -> String {
    let text = Array((previous + "\n" + line(fields)).utf8)
    let hash = text.withUnsafeBytes { XXH64($0.baseAddress, $0.count, 0) }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Fields as a record of CSV (RFC 4180), in quotes only where they have to be.
  static func line(_ fields: [String]) -> String {
    fields.map { field in
      let isPlain = field.utf8.allSatisfy { byte in
        byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\n")
          && byte != UInt8(ascii: "\r")
      }
      if isPlain { return field }
      return "\""
        + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        + "\""
    }.joined(separator: ",")
  }
}
