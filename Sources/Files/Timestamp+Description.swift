import Glibc

extension Timestamp: CustomStringConvertible {
  /// The moment by ISO 8601, in UTC, to the second: `2026-09-21T14:13:20Z`.
  public var description: String {
    var seconds = Int(nanoseconds / 1_000_000_000) - (nanoseconds % 1_000_000_000 < 0 ? 1 : 0)
    var fields = tm()
    gmtime_r(&seconds, &fields)
    func digits(_ value: Int32, _ count: Int = 2) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return "\(digits(fields.tm_year + 1900, 4))-\(digits(fields.tm_mon + 1))-"
      + "\(digits(fields.tm_mday))T\(digits(fields.tm_hour)):\(digits(fields.tm_min)):"
      + "\(digits(fields.tm_sec))Z"
  }
}
