import Files

/// A value of JSON (RFC 8259), read strictly: no key twice in an object, no number that is not finite.
indirect enum JSONValue: Equatable, Sendable {
  case null
  case boolean(Bool)
  case number(Double)
  case text(String)
  case list([JSONValue])
  /// In the file's order.
  case object([(key: String, value: JSONValue)])

  /// Reads a text.
  ///
  /// - Throws: `FileError` with the line of what is wrong.
  init(_ bytes: [UInt8], path: String) throws(FileError) {
    guard bytes.contains(where: { !isSpace($0) }) else {
      throw FileError(.malformed, file: path, "the file is empty")
    }
    var parser = JSONParser(bytes: bytes, path: path)
    self = try parser.document()
  }

  /// What kind of value it is, for messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "true or false"
    case .number: "a number"
    case .text: "a text"
    case .list: "a list"
    case .object: "an object"
    }
  }

  static func == (one: JSONValue, other: JSONValue) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.boolean(let a), .boolean(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.text(let a), .text(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    case (.object(let a), .object(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.key == $1.key && $0.value == $1.value }
    default: false
    }
  }
}

private func isSpace(_ byte: UInt8) -> Bool { byte == 32 || 9...10 ~= byte || byte == 13 }

private struct JSONParser {
  let bytes: [UInt8]
  let path: String
  private var position = 0
  private var depth = 0

  /// Lists and objects in one another at the most.
  private static let greatestDepth = 64

  init(bytes: [UInt8], path: String) {
    self.bytes = bytes
    self.path = path
  }

  mutating func document() throws(FileError) -> JSONValue {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    let value = try value()
    guard peek() == nil else { throw fault("text after the end") }
    return value
  }

  private func fault(_ cause: String) -> FileError {
    let line = 1 + bytes[..<min(position, bytes.count)].count { $0 == UInt8(ascii: "\n") }
    return FileError(.malformed, file: path, place: "line \(line)", "not JSON: \(cause)")
  }

  /// The next byte that is no white space, which is not taken; nil at the end.
  private mutating func peek() -> UInt8? {
    while position < bytes.count, isSpace(bytes[position]) { position += 1 }
    return position < bytes.count ? bytes[position] : nil
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func value() throws(FileError) -> JSONValue {
    guard let byte = peek() else { throw fault("the text stops before its end") }
    switch byte {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try list()
    case UInt8(ascii: "\""): return .text(try string())
    default:
      let start = position
      while position < bytes.count, isWord(bytes[position]) { position += 1 }
      let word = bytes[start..<position]
      switch String(decoding: word, as: UTF8.self) {
      case "null": return .null
      case "true": return .boolean(true)
      case "false": return .boolean(false)
      case let text:
        guard isNumber(word), let number = decimalNumber(text) else {
          position = start
          throw fault(
            text.isEmpty
              ? "\"\(Character(Unicode.Scalar(byte)))\" where a value should be"
              : "\"\(text)\" is no value")
        }
        return .number(number)
      }
    }
  }

  private func isWord(_ byte: UInt8) -> Bool {
    byte &- 48 < 10 || "+-._".utf8.contains(byte) || (byte | 32) &- 97 < 26
  }

  /// JSON knows neither `+1`, nor `.5`, nor `5.`, nor `05`.
  private func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
    var rest = word[...]
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let whole = rest.prefix { $0 &- 48 < 10 }
    guard !whole.isEmpty, whole.count == 1 || whole.first != 48 else { return false }
    rest = rest.dropFirst(whole.count)
    guard rest.first == UInt8(ascii: ".") else { return true }
    return rest.dropFirst().first.map { $0 &- 48 < 10 } ?? false
  }

  private mutating func list() throws(FileError) -> JSONValue {
    try enter()
    var values: [JSONValue] = []
    if !take("]") {
      repeat { values.append(try value()) } while take(",")
      guard take("]") else { throw fault("a list lacks its comma or its end") }
    }
    depth -= 1
    return .list(values)
  }

  private mutating func object() throws(FileError) -> JSONValue {
    try enter()
    var members: [(key: String, value: JSONValue)] = []
    var keys: Set<String> = []
    if !take("}") {
      repeat {
        guard peek() == UInt8(ascii: "\"") else { throw fault("an object lacks a key in quotes") }
        let key = try string()
        guard keys.insert(key).inserted else {
          throw fault("the key \"\(key)\" stands there twice")
        }
        guard take(":") else { throw fault("no colon after \"\(key)\"") }
        members.append((key, try value()))
      } while take(",")
      guard take("}") else { throw fault("an object lacks its comma or its end") }
    }
    depth -= 1
    return .object(members)
  }

  private mutating func enter() throws(FileError) {
    position += 1
    depth += 1
    guard depth <= Self.greatestDepth else { throw fault("too many lists in one another") }
  }

  private mutating func string() throws(FileError) -> String {
    position += 1
    var units: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: units, as: UTF8.self) else {
          throw fault("a text that is not UTF-8")
        }
        return text
      case UInt8(ascii: "\\"): try escape(&units)
      case ..<32: throw fault("a line end or control character in a text")
      default: units.append(byte)
      }
    }
    throw fault("a text never ends")
  }

  /// What the letters b, f, n, r and t stand for.
  private static let plainEscapes: [UInt8: UInt8] = [
    0x62: 8, 0x66: 12, 0x6E: 10, 0x72: 13, 0x74: 9,
  ]

  private mutating func escape(_ units: inout [UInt8]) throws(FileError) {
    guard position < bytes.count else { throw fault("a text never ends") }
    let byte = bytes[position]
    position += 1
    if let unit = Self.plainEscapes[byte] ?? ("\"\\/".utf8.contains(byte) ? byte : nil) {
      units.append(unit)
      return
    }
    guard byte == UInt8(ascii: "u"), var code = hexadecimal() else {
      throw fault("an escape that is none")
    }
    if code & 0xFC00 == 0xD800, bytes[position...].starts(with: [0x5C, 0x75]) {
      position += 2
      guard let low = hexadecimal(), low & 0xFC00 == 0xDC00 else {
        throw fault("half of a surrogate pair")
      }
      code = 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF
    }
    guard let scalar = Unicode.Scalar(code) else { throw fault("half of a surrogate pair") }
    units += Array(String(scalar).utf8)
  }

  private mutating func hexadecimal() -> UInt32? {
    guard position + 4 <= bytes.count else { return nil }
    let digits = String(decoding: bytes[position..<position + 4], as: UTF8.self)
    guard digits.allSatisfy(\.isHexDigit), let code = UInt32(digits, radix: 16) else { return nil }
    position += 4
    return code
  }
}
