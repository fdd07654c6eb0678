import Glibc

/// Powers of ten that a Double holds exactly.
private let exactPowersOfTen: [Double] = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
  1e18, 1e19, 1e20, 1e21, 1e22,
]

/// The finite number that decimal text stands for, correctly rounded whatever the locale, or nil.
///
/// Up to 2⁵³ and 10²² a single multiplication or division is exact (Clinger, "How to read floating
/// point numbers accurately", PLDI 1990); beyond, the standard library reads the text.
public func decimalNumber(_ text: UnsafeRawBufferPointer) -> Double? {
  var index = 0
  var mantissa: UInt64 = 0
  var exponent = 0
  var digits = 0
  let negative = text.first == UInt8(ascii: "-")
  if negative || text.first == UInt8(ascii: "+") { index = 1 }
  var seenPoint = false
  while index < text.count {
    let byte = text[index]
    if byte &- 48 < 10 {
      guard mantissa < 1_000_000_000_000_000_000 else { return slowDecimalNumber(text) }
      mantissa = mantissa &* 10 &+ UInt64(byte &- 48)
      digits += 1
      if seenPoint { exponent -= 1 }
    } else if byte == UInt8(ascii: "."), !seenPoint {
      seenPoint = true
    } else {
      return slowDecimalNumber(text)
    }
    index += 1
  }
  guard digits > 0 else { return nil }
  guard mantissa <= 1 << 53, exponent >= -22 else { return slowDecimalNumber(text) }
  let value = Double(mantissa) / exactPowersOfTen[-exponent]
  return negative ? -value : value
}

private func slowDecimalNumber(_ text: UnsafeRawBufferPointer) -> Double? {
  guard text.count < 512, let value = Double(String(decoding: text, as: UTF8.self)),
    value.isFinite
  else { return nil }
  return value
}

/// The whole number that the text stands for, or nil if it is none or does not fit in 64 bits.
public func wholeNumber(_ text: UnsafeRawBufferPointer) -> Int64? {
  guard !text.isEmpty, text.count <= 20 else { return nil }
  return Int64(String(decoding: text, as: UTF8.self))
}
