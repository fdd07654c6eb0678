/// A text as a field of CSV (RFC 4180), in quotes where it could be taken for something else.
public func csvField(_ text: String) -> String {
  let isPlain =
    text.utf8.allSatisfy { $0 >= 32 && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") }
    && text.utf8.first != 32 && text.utf8.last != 32
  if isPlain { return text }
  return "\""
    + text.split(separator: "\"", omittingEmptySubsequences: false)
    .joined(separator: "\"\"") + "\""
}
