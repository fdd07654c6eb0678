/// The text of a trial's condition in results: `key=value;key=value`, sorted by key, with `;`, `=`, `,`, `%`
/// and line breaks percent-encoded.
enum ConditionText {
  private static let encoded: [Unicode.Scalar: String] = [
    ";": "%3B", "=": "%3D", ",": "%2C", "%": "%25", "\n": "%0A", "\r": "%0D",
  ]

  /// The text of factors and their values.
  static func text(_ condition: [String: String]) -> String {
    condition.sorted { $0.key < $1.key }.map { "\(encode($0.key))=\(encode($0.value))" }
      .joined(separator: ";")
  }

  /// The factors and values of a text; nil if it is malformed.
  static func parse(_ text: String) -> [(key: String, value: String)]? {
    if text.isEmpty { return [] }
    var pairs: [(key: String, value: String)] = []
    for part in text.split(separator: ";", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", omittingEmptySubsequences: false)
      guard sides.count == 2, let key = decode(sides[0]), let value = decode(sides[1]), key != "",
        pairs.allSatisfy({ $0.key != key })
      else { return nil }
      pairs.append((key, value))
    }
    return pairs
  }

  private static func encode(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      if let code = encoded[scalar] {
        result += code
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }

  private static func decode(_ text: Substring) -> String? {
    guard text.contains("%") else { return String(text) }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
