/// Text of a file in a message: in quotes, on one line and cut to forty characters.
package func quoted(_ text: String) -> String {
  let shown = String.UnicodeScalarView(
    text.prefix(40).unicodeScalars.map { $0.value < 32 ? " " : $0 })
  return "\"\(String(shown))\(text.count > 40 ? "…" : "")\""
}

/// The text without the white space around it.
func trimmed(_ text: some StringProtocol) -> String {
  func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
  let bytes = Substring(text).utf8
  guard let first = bytes.firstIndex(where: { !isSpace($0) }),
    let last = bytes.lastIndex(where: { !isSpace($0) })
  else { return "" }
  return String(decoding: bytes[first...last], as: UTF8.self)
}
