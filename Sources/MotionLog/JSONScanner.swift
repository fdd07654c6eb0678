import Files

/// Reads the values of one line of JSON (RFC 8259) in order, without a tree of them.
struct JSONScanner {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// A value of a record's field.
  enum Value {
    case null
    case number(UnsafeRawBufferPointer)
    case text(String)
  }

  /// Takes a character after white space; whether it was there.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Whether nothing but white space is left.
  mutating func isAtEnd() -> Bool {
    skipSpace()
    return position == bytes.count
  }

  /// The bytes between the quotes of a string; nil if there is no string.
  mutating func rawString() -> UnsafeRawBufferPointer? {
    guard take("\"") else { return nil }
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return UnsafeRawBufferPointer(rebasing: bytes[start..<position - 1])
      case UInt8(ascii: "\\"): position += 2
      case ..<0x20: return nil
      default: position += 1
      }
    }
    return nil
  }

  /// The next value; nil if it is malformed. A value of another kind than a field has is passed over
  /// and counts as malformed unless `isUnused`.
  mutating func value() -> Value? {
    skipSpace()
    guard position < bytes.count else { return nil }
    switch bytes[position] {
    case UInt8(ascii: "\""):
      return rawString().flatMap(unescaped).map { .text($0) }
    case UInt8(ascii: "n"): return takeWord("null") ? .null : nil
    default:
      let start = position
      while position < bytes.count, isNumeric(bytes[position]) { position += 1 }
      guard position > start else { return nil }
      return .number(UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
    }
  }

  /// Passes over a value of any kind; whether it was well formed as far as brackets and strings go.
  mutating func skipValue() -> Bool {
    var depth = 0
    repeat {
      skipSpace()
      guard position < bytes.count else { return false }
      switch bytes[position] {
      case UInt8(ascii: "\""): if rawString() == nil { return false }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard depth > 0 else { return false }
        depth -= 1
        position += 1
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        guard depth > 0 else { return false }
        position += 1
      default:
        let start = position
        while position < bytes.count, isWord(bytes[position]) { position += 1 }
        if position == start { return false }
      }
    } while depth > 0
    return true
  }

  private mutating func skipSpace() {
    while position < bytes.count, " \t\r\n".utf8.contains(bytes[position]) { position += 1 }
  }

  private mutating func takeWord(_ word: StaticString) -> Bool {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count else { return false }
    let isThere = word.withUTF8Buffer { $0.elementsEqual(bytes[position..<end]) }
    if isThere { position = end }
    return isThere
  }

  private func isNumeric(_ byte: UInt8) -> Bool {
    byte &- 48 < 10 || "+-.eE".utf8.contains(byte)
  }

  private func isWord(_ byte: UInt8) -> Bool {
    isNumeric(byte) || byte &- UInt8(ascii: "a") < 26
  }
}

/// The text of a JSON string's bytes; nil for an escape that is none.
func unescaped(_ bytes: UnsafeRawBufferPointer) -> String? {
  guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
  var units: [UInt8] = []
  var index = 0
  func unit(at start: Int) -> UInt32? {
    guard start + 4 <= bytes.count else { return nil }
    return UInt32(String(decoding: bytes[start..<start + 4], as: UTF8.self), radix: 16)
  }
  while index < bytes.count {
    guard bytes[index] == UInt8(ascii: "\\") else {
      units.append(bytes[index])
      index += 1
      continue
    }
    guard index + 1 < bytes.count else { return nil }
    index += 2
    switch bytes[index - 1] {
    case UInt8(ascii: "n"): units.append(10)
    case UInt8(ascii: "r"): units.append(13)
    case UInt8(ascii: "t"): units.append(9)
    case UInt8(ascii: "b"): units.append(8)
    case UInt8(ascii: "f"): units.append(12)
    case UInt8(ascii: "u"):
      guard var code = unit(at: index) else { return nil }
      index += 4
      if code & 0xFC00 == 0xD800, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
        bytes[index + 1] == UInt8(ascii: "u"), let low = unit(at: index + 2), low & 0xFC00 == 0xDC00
      {
        code = 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF
        index += 6
      }
      // Half of a pair stands for no character.
      units += Array(String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8)
    case let escaped where "\"\\/".utf8.contains(escaped): units.append(escaped)
    default: return nil
    }
  }
  return String(decoding: units, as: UTF8.self)
}
