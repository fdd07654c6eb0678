import Glibc

/// The finite number that decimal text stands for, correctly rounded whatever the locale, or nil.
///
/// Taken are an optional sign, digits with an optional point, and an optional exponent; no spaces,
/// hexadecimal digits, infinities or NaN.
public func decimalNumber(_ text: UnsafeRawBufferPointer) -> Double? {
  let (end, negative) = (text.count, text.first == UInt8(ascii: "-"))
  var index = negative || text.first == UInt8(ascii: "+") ? 1 : 0
  var mantissa: UInt64 = 0
  var exponent = 0
  let first = index
  while index < end, text[index] &- 48 < 10 {
    guard mantissa < UInt64.max / 10 else { return decimalNumberOfAnyLength(text) }
    mantissa = mantissa &* 10 &+ UInt64(text[index] &- 48)
    index += 1
  }
  var digits = index - first
  if index < end, text[index] == UInt8(ascii: ".") {
    index += 1
    let point = index
    while index < end, text[index] &- 48 < 10 {
      guard mantissa < UInt64.max / 10 else { return decimalNumberOfAnyLength(text) }
      mantissa = mantissa &* 10 &+ UInt64(text[index] &- 48)
      index += 1
    }
    exponent = point - index
    digits -= exponent
  }
  guard digits > 0 else { return nil }
  guard index == end, let value = quotient(mantissa, powerOfTen: -exponent) else {
    return decimalNumberOfAnyLength(text)
  }
  return negative ? -value : value
}

/// The finite number that decimal text stands for, or nil; see the other function of this name.
public func decimalNumber(_ text: String) -> Double? {
  var text = text
  return text.withUTF8 { decimalNumber(UnsafeRawBufferPointer($0)) }
}

/// The whole number that the text stands for, or nil if it is none or does not fit in 64 bits.
public func wholeNumber(_ text: UnsafeRawBufferPointer) -> Int64? {
  let isNegative = text.first == UInt8(ascii: "-")
  let first = isNegative || text.first == UInt8(ascii: "+") ? 1 : 0
  guard text.count > first else { return nil }
  // What any 18 digits stand for fits.
  if text.count - first <= 18 {
    return unsignedNumber(text, from: first).map { isNegative ? -$0 : $0 }
  }
  var value: Int64 = 0
  for byte in text[first...] {
    let digit = Int64(byte) - 48
    guard 0..<10 ~= digit else { return nil }
    let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
    let (sum, carry) = tenfold.addingReportingOverflow(isNegative ? -digit : digit)
    guard !overflow, !carry else { return nil }
    value = sum
  }
  return value
}

/// The number of at most 18 digits, or nil if one is none.
private func unsignedNumber(_ digits: UnsafeRawBufferPointer, from first: Int) -> Int64? {
  var value: Int64 = 0
  for index in first..<digits.count {
    guard digits[index] &- 48 < 10 else { return nil }
    value = value &* 10 &+ Int64(digits[index] &- 48)
  }
  return value
}

/// Powers of ten that a Double holds exactly; the first 20 also fit in 64 bits.
private let powersOfTen: [Double] = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
  1e18, 1e19, 1e20, 1e21, 1e22,
]

/// `mantissa` / 10^`power`, correctly rounded, or nil where neither short way reaches.
private func quotient(_ mantissa: UInt64, powerOfTen power: Int) -> Double? {
  guard power < powersOfTen.count else { return nil }
  // One division of two exact numbers rounds once (Clinger, "How to read floating point numbers
  // accurately", PLDI 1990).
  if mantissa <= 1 << 53 { return Double(mantissa) / powersOfTen[power] }
  guard power < 20 else { return nil }
  // Both scaled to 64 bits, the quotient has 64 bits too; whatever remains becomes its last bit,
  // below the ones that decide how the conversion rounds.
  let divisor = UInt64(powersOfTen[power])
  let (shift, divisorShift) = (mantissa.leadingZeroBitCount, divisor.leadingZeroBitCount)
  let (dividend, scaled) = (mantissa << shift, divisor << divisorShift)
  let isLarger = dividend >= scaled
  let (bits, rest) = scaled.dividingFullWidth(
    isLarger ? (dividend >> 1, dividend << 63) : (dividend, 0))
  return scalbn(
    Double(rest == 0 ? bits : bits | 1), divisorShift - shift - 64 + (isLarger ? 1 : 0))
}

private func decimalNumberOfAnyLength(_ text: UnsafeRawBufferPointer) -> Double? {
  let isDecimal = text.allSatisfy { $0 &- 48 < 10 || "+-.eE".utf8.contains($0) }
  guard isDecimal, let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
    return nil
  }
  return value
}
