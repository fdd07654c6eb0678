import Files
import Glibc
import TestSupport
import Testing

@Suite struct DecimalNumberTests {
  /// What the C library makes of the text, in the C locale that a test process has.
  private func strtodNumber(_ text: String) -> Double { strtod(text, nil) }

  @Test(arguments: [
    "0", "-0", "+0", "1", "-1", "+1", "1.", ".5", "-.5", "007", "3.14159265358979", "0.1", "0.3",
    "1e5", "1E5", "1e+05", "-1.5e-05", "2.5e-324", "4.9e-324", "1.7976931348623157e308",
    "1e-400", "0e999", "9007199254740993", "9007199254740992", "9007199254740993.0",
    "18446744073709551615", "18446744073709551616", "1844674407370955161.5",
    "123456789012345678901234567890", "0.12345678901234567", "-0.98765432109876543",
    "0.00000000000000000000012345", "0.000000000000000000000000012345", "1700000000000.123456",
    "2.2250738585072011e-308", "0.500000000000000166533453693773481063544750213623046875",
    "3.518437208883201171875e13", "62.5364939768271845828", "1e23", "8.5e22", "9.5367431640625e-7",
    "0.49999999999999994", "1.00000000000000011102230246251565", "179.99999999999997",
  ])
  func agreesWithStrtod(text: String) throws {
    let value = try #require(decimalNumber(text))
    #expect(value.bitPattern == strtodNumber(text).bitPattern)
  }

  /// More digits than a Double holds, and more than the C library's usual buffers.
  @Test func longText() throws {
    let text = "0." + String(repeating: "3", count: 5000)
    #expect(try #require(decimalNumber(text)) == strtodNumber(text))
  }

  @Test func randomTextAgreesWithStrtod() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<200_000 {
      // Up to 21 digits, a point anywhere, sometimes an exponent.
      var text = Bool.random(using: &generator) ? "-" : ""
      let count = Int.random(in: 1...21, using: &generator)
      let point = Int.random(in: 0...count, using: &generator)
      for place in 0..<count {
        if place == point { text += "." }
        text += String(Int.random(in: 0...9, using: &generator))
      }
      if Int.random(in: 0..<8, using: &generator) == 0 {
        text += "e\(Int.random(in: -30...30, using: &generator))"
      }
      let value = try #require(decimalNumber(text), "\(text)")
      #expect(value.bitPattern == strtodNumber(text).bitPattern, "\(text)")
    }
  }

  /// Decimals half way between two Doubles, and next to it: where a double rounding would show.
  @Test func halfwayCases() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<50_000 {
      // m + 1/2 for odd and even m of 53 bits, in tenths: 17 digits.
      let m = UInt64.random(in: (1 << 52)..<(1 << 53), using: &generator)
      for tail in [".5", ".49", ".51", ".501", ".499"] {
        let text = "\(m)\(tail)"
        let value = try #require(decimalNumber(text), "\(text)")
        #expect(value.bitPattern == strtodNumber(text).bitPattern, "\(text)")
      }
    }
  }

  @Test func shortestTextOfRandomDoublesReadsBack() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<100_000 {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      #expect(try #require(decimalNumber(value.description)).bitPattern == value.bitPattern)
      let unit = Double.random(in: -180...180, using: &generator)
      #expect(try #require(decimalNumber(unit.description)).bitPattern == unit.bitPattern)
    }
  }

  @Test(arguments: [
    "", "-", "+", ".", "-.", "e5", "1e", "1e+", "1.2.3", "1,5", " 1", "1 ", "--1", "+-1", "1-",
    "0x10",
    "0x1p3", "inf", "-inf", "infinity", "nan", "NaN", "nan(1)", "1e309", "-1e309", "1e99999", "abc",
    "1_000", "1d5", "٣", "1\u{0}",
  ])
  func refuses(text: String) {
    #expect(decimalNumber(text) == nil)
  }
}

@Suite struct WholeNumberTests {
  @Test(
    arguments: [
      ("0", 0), ("-5", -5), ("+5", 5), ("9223372036854775807", .max),
      ("-9223372036854775808", .min),
      ("9223372036854775808", nil), ("", nil), ("1.0", nil), ("1e3", nil), (" 1", nil), ("-", nil),
      ("123456789012345678901234", nil),
    ] as [(String, Int64?)])
  func reads(text: String, expected: Int64?) {
    var text = text
    #expect(text.withUTF8 { wholeNumber(UnsafeRawBufferPointer($0)) } == expected)
  }
}
