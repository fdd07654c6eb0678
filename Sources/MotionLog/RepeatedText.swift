import Glibc

/// Text that is mostly the same from row to row: a string is made only when it changes.
struct RepeatedText {
  private var bytes: [UInt8] = []
  private var string = ""

  /// The string of these bytes.
  mutating func text(_ new: UnsafeRawBufferPointer) -> String {
    let isSame = bytes.withUnsafeBytes { old in
      guard old.count == new.count else { return false }
      guard let first = old.baseAddress, let second = new.baseAddress else { return true }
      return memcmp(first, second, old.count) == 0
    }
    if isSame { return string }
    bytes = Array(new)
    string = String(decoding: new, as: UTF8.self)
    return string
  }
}
