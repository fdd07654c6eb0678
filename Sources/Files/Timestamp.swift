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
    Double(nanoseconds &- other.nanoseconds) / 1e9
  }

  /// Whether `left` is earlier than `right`.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}

extension Timestamp {
  /// Reads a date of ISO 8601 (`2026-09-21T14:13:20.5Z`, `2026-09-21 14:13:20+02:00`; UTC where no
  /// zone is given) or a whole number since the Unix epoch, taken as seconds, milliseconds,
  /// microseconds or nanoseconds by its magnitude (up to 10, 13, 16 or 19 digits).
  public init?(text: some StringProtocol) {
    let text = String(text)
    if let number = Int64(text) {
      guard let value = Timestamp(epochNumber: number) else { return nil }
      self = value
    } else {
      guard let value = Timestamp(iso8601: text) else { return nil }
      self = value
    }
  }

  /// The moment that a log's whole number means, its unit taken from its magnitude.
  public init?(epochNumber number: Int64) {
    let scale: Int64 =
      switch number.magnitude {
      case ..<10_000_000_000: 1_000_000_000
      case ..<10_000_000_000_000: 1_000_000
      case ..<10_000_000_000_000_000: 1_000
      default: 1
      }
    let (value, overflow) = number.multipliedReportingOverflow(by: scale)
    guard !overflow else { return nil }
    nanoseconds = value
  }

  private init?(iso8601 text: String) {
    var rest = text.utf8[...]
    func number(_ digits: Int) -> Int? {
      guard rest.prefix(digits).allSatisfy({ $0 &- 48 < 10 }), rest.count >= digits else {
        return nil
      }
      defer { rest = rest.dropFirst(digits) }
      return rest.prefix(digits).reduce(0) { $0 * 10 + Int($1 - 48) }
    }
    func skip(_ accepted: String) -> Bool {
      guard let first = rest.first, accepted.utf8.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
      skip("T "), let hour = number(2), skip(":"), let minute = number(2), skip(":"),
      let second = number(2), (1...12).contains(month), (1...31).contains(day), hour < 25,
      minute < 60, second < 61
    else { return nil }
    var fraction: Int64 = 0
    if skip(".,") {
      let digits = rest.prefix { $0 &- 48 < 10 }
      guard !digits.isEmpty else { return nil }
      rest = rest.dropFirst(digits.count)
      for place in digits.prefix(9).enumerated() {
        fraction +=
          Int64(place.element - 48)
          * [
            100_000_000, 10_000_000, 1_000_000, 100_000, 10_000,
            1_000, 100, 10, 1,
          ][place.offset]
      }
    }
    var offset = 0
    let sign = rest.first == UInt8(ascii: "-") ? -1 : 1
    if skip("+-") {
      guard let hours = number(2) else { return nil }
      _ = skip(":")
      offset = sign * (hours * 3600 + (rest.isEmpty ? 0 : number(2) ?? 0) * 60)
    } else {
      _ = skip("Zz")
    }
    guard rest.isEmpty else { return nil }
    var fields = tm()
    fields.tm_year = Int32(year - 1900)
    fields.tm_mon = Int32(month - 1)
    fields.tm_mday = Int32(day)
    fields.tm_hour = Int32(hour)
    fields.tm_min = Int32(minute)
    fields.tm_sec = Int32(second)
    let (value, overflow) = Int64(timegm(&fields) - offset)
      .multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return nil }
    nanoseconds = value &+ fraction
  }
}
