/// Checks that bytes are one JSON text (RFC 8259) whose objects have no key twice: decoders say neither where a
/// fault is, nor that of two values of a key one is lost.
public enum JSONSyntax {
  /// How deep brackets may lie in brackets.
  private static let deepest = 64

  /// Checks the bytes of a file.
  ///
  /// - Throws: `FileError` with the line of the first fault.
  public static func check(_ bytes: [UInt8], file: String) throws(FileError) {
    var reader = Reader(bytes: bytes)
    do throws(Fault) {
      try reader.value(depth: 0)
      reader.skipSpace()
      if reader.position < bytes.count { throw Fault("text after the end") }
    } catch {
      // The fault of what has no such thing as a line of JSON is all of it.
      let isJSON =
        bytes.first { !" \t\r\n".utf8.contains($0) }.map { "{[".utf8.contains($0) } ?? false
      guard isJSON else { throw FileError(.malformed, file: file, "not JSON") }
      let line = 1 + bytes[..<min(reader.position, bytes.count)].count { $0 == UInt8(ascii: "\n") }
      throw FileError(.malformed, file: file, place: "line \(line)", error.cause)
    }
  }

  private struct Fault: Error {
    let cause: String
    init(_ cause: String) { self.cause = cause }
  }

  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
      while let byte, " \t\r\n".utf8.contains(byte) { position += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
      skipSpace()
      guard byte == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    mutating func value(depth: Int) throws(Fault) {
      guard depth <= JSONSyntax.deepest else { throw Fault("brackets lie too deep") }
      skipSpace()
      switch byte {
      case UInt8(ascii: "{"): try object(depth)
      case UInt8(ascii: "["): try list(depth)
      case UInt8(ascii: "\""): _ = try string()
      case nil: throw Fault("the JSON ends here, in the middle")
      default: try word()
      }
    }

    private mutating func object(_ depth: Int) throws(Fault) {
      position += 1
      var keys: Set<String> = []
      if take("}") { return }
      repeat {
        skipSpace()
        guard byte == UInt8(ascii: "\"") else {
          throw Fault(
            byte == nil ? "the JSON ends here, in the middle" : "no JSON: expected a key in quotes")
        }
        let key = try string()
        guard keys.insert(key).inserted else { throw Fault("the key \"\(key)\" is there twice") }
        guard take(":") else { throw Fault("no JSON: expected a colon after \"\(key)\"") }
        try value(depth: depth + 1)
      } while take(",")
      guard take("}") else { throw unfinished("}") }
    }

    private mutating func list(_ depth: Int) throws(Fault) {
      position += 1
      if take("]") { return }
      repeat { try value(depth: depth + 1) } while take(",")
      guard take("]") else { throw unfinished("]") }
    }

    private func unfinished(_ bracket: String) -> Fault {
      Fault(
        byte == nil
          ? "the JSON ends here, in the middle" : "no JSON: expected a comma or \(bracket)")
    }

    private mutating func string() throws(Fault) -> String {
      position += 1
      let start = position
      while let byte, byte != UInt8(ascii: "\"") {
        guard byte >= 0x20 else { throw Fault("no JSON: a text that does not end on its line") }
        position += byte == UInt8(ascii: "\\") ? 2 : 1
      }
      guard byte != nil else { throw Fault("the JSON ends here, in the middle") }
      position += 1
      return String(decoding: bytes[start..<position - 1], as: UTF8.self)
    }

    private mutating func word() throws(Fault) {
      let start = position
      while let byte, !" \t\r\n,:]}[{\"".utf8.contains(byte) { position += 1 }
      let word = String(decoding: bytes[start..<position], as: UTF8.self)
      guard !["true", "false", "null"].contains(word) else { return }
      // What Swift's numbers may be besides those of JSON: hexadecimal ones, infinite ones, ones with a plus.
      let isNumber = !word.isEmpty && word.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
      guard isNumber, !word.hasPrefix("+"), !word.hasPrefix("."), let number = Double(word) else {
        position = start
        throw Fault("no JSON: \"\(word.prefix(40))\" is no value")
      }
      guard number.isFinite else {
        position = start
        throw Fault("\(word.prefix(40)) is too great a number")
      }
    }
  }
}
