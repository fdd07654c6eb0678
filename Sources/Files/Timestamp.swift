import Glibc

/// A moment, in whole nanoseconds since 1970-01-01 00:00 UTC.
///
/// Logs hold milliseconds or nanoseconds; a whole number keeps both exact, so that the sample at
/// which a head frame takes effect never depends on rounding.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Nanoseconds since the Unix epoch.
  public var nanoseconds: Int64

  /// The moment `nanoseconds` after the Unix epoch.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The moment `milliseconds` after the Unix epoch, or nil outside the years 1678 to 2261.
  public init?(milliseconds: Int64) {
    let (value, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    guard !overflow else { return nil }
    nanoseconds = value
  }

  /// Seconds from `other` to this moment; negative if this one is earlier.
  public func seconds(since other: Timestamp) -> Double {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
    return (overflow ? Double(nanoseconds) - Double(other.nanoseconds) : Double(difference)) / 1e9
  }

  /// The moment `seconds` after `time`, to the nearest nanosecond.
  public static func + (time: Timestamp, seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: time.nanoseconds + Int64((seconds * 1e9).rounded()))
  }

  /// Whether `left` is earlier than `right`.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}

extension Timestamp {
  /// Reads a date of ISO 8601 (`2026-09-21T14:13:20.5Z`, `2026-09-21 14:13:20+02:00`; UTC where no
  /// zone is given) or a number since the Unix epoch, taken as seconds, milliseconds, microseconds
  /// or nanoseconds by its magnitude (up to 10, 13, 16 or 19 digits before the point).
  public init?(text: String) {
    guard
      let value = Timestamp(epochNumber: text) ?? Timestamp(iso8601: text)
        ?? Timestamp(scientific: text)
    else { return nil }
    self = value
  }

  /// The moment that a log's whole number means, its unit taken from its magnitude.
  public init?(epochNumber number: Int64) {
    let (value, overflow) = number.multipliedReportingOverflow(by: Self.unit(number.magnitude))
    guard !overflow else { return nil }
    nanoseconds = value
  }

  /// Nanoseconds in the unit of a number since the epoch.
  private static func unit(_ magnitude: UInt64) -> Int64 {
    switch magnitude {
    case ..<10_000_000_000: 1_000_000_000
    case ..<10_000_000_000_000: 1_000_000
    case ..<10_000_000_000_000_000: 1_000
    default: 1
    }
  }

  /// Digits with an optional point; those after it count exactly, as whole nanoseconds.
  private init?(epochNumber text: String) {
    let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) ?? text.endIndex
    guard let whole = Int64(text[..<point]), let start = Timestamp(epochNumber: whole),
      let billionths = billionths(text.utf8[point...].dropFirst())
    else { return nil }
    let fraction = billionths * Self.unit(whole.magnitude) / 1_000_000_000
    let sign: Int64 = text.utf8.first == UInt8(ascii: "-") ? -1 : 1
    let (value, overflow) = start.nanoseconds.addingReportingOverflow(sign * fraction)
    guard !overflow else { return nil }
    nanoseconds = value
  }

  /// A number with an exponent, as some programs write all of their columns.
  private init?(scientific text: String) {
    guard let number = decimalNumber(text), abs(number) < 9.2e18 else { return nil }
    let value = number * Double(Self.unit(UInt64(abs(number))))
    guard abs(value) < 9.2e18 else { return nil }
    nanoseconds = Int64(value.rounded())
  }

  private init?(iso8601 text: String) {
    var rest = text.utf8[...]
    func number(_ digits: Int) -> Int? {
      var value = 0
      for _ in 0..<digits {
        guard let digit = rest.popFirst(), digit &- 48 < 10 else { return nil }
        value = value * 10 + Int(digit - 48)
      }
      return value
    }
    func skip(_ accepted: String) -> Bool {
      guard let first = rest.first, accepted.utf8.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
      skip("Tt "), let hour = number(2), skip(":"), let minute = number(2), skip(":"),
      let second = number(2), hour < 24, minute < 60, second < 61
    else { return nil }
    var fraction: Int64 = 0
    if skip(".,") {
      let digits = rest.prefix { $0 &- 48 < 10 }
      guard !digits.isEmpty, let value = billionths(digits) else { return nil }
      fraction = value
      rest = rest.dropFirst(digits.count)
    }
    var offset = 0
    let sign = rest.first == UInt8(ascii: "-") ? -1 : 1
    if skip("+-") {
      guard let hours = number(2), hours < 24 else { return nil }
      var minutes = 0
      if skip(":") || !rest.isEmpty {
        guard let value = number(2), value < 60 else { return nil }
        minutes = value
      }
      offset = sign * (hours * 3600 + minutes * 60)
    } else {
      _ = skip("Zz")
    }
    guard rest.isEmpty else { return nil }
    var date = tm()
    (date.tm_year, date.tm_mon, date.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
    let midnight = timegm(&date)
    // A date that does not exist comes back as another.
    guard date.tm_mon == Int32(month - 1), date.tm_mday == Int32(day) else { return nil }
    let seconds = Int64(midnight + hour * 3600 + minute * 60 + second - offset)
    let (value, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, sumOverflow) = value.addingReportingOverflow(fraction)
    guard !overflow, !sumOverflow else { return nil }
    nanoseconds = sum
  }
}

/// Digits after a decimal point in units of 10⁻⁹, those beyond the ninth dropped; nil if any byte is
/// no digit.
private func billionths(_ digits: Substring.UTF8View) -> Int64? {
  guard digits.allSatisfy({ $0 &- 48 < 10 }) else { return nil }
  var (value, place): (Int64, Int64) = (0, 100_000_000)
  for digit in digits.prefix(9) {
    value += Int64(digit - 48) * place
    place /= 10
  }
  return value
}
