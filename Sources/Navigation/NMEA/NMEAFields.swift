import Files
import Geometry
import Glibc

/// The fields of a sentence whose checksum holds; reading them allocates nothing.
struct NMEAFields {
  /// What is between `$` and `*`.
  private let body: UnsafeRawBufferPointer

  /// - Throws: `LocationFault` unless it is `$`, a body, `*`, and the body's checksum.
  init(sentence bytes: UnsafeRawBufferPointer) throws(LocationFault) {
    guard let first = bytes.first, first == UInt8(ascii: "$") || first == UInt8(ascii: "!") else {
      throw .malformed
    }
    guard let star = bytes.lastIndex(of: UInt8(ascii: "*")), bytes.count == star + 3,
      let high = Self.hexadecimal(bytes[star + 1]), let low = Self.hexadecimal(bytes[star + 2])
    else { throw .checksum }
    body = UnsafeRawBufferPointer(rebasing: bytes[1..<star])
    guard body.reduce(0, ^) == high << 4 | low else { throw .checksum }
    guard self[0].count >= 4 else { throw .malformed }
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// A field, the address being the first; empty beyond the last.
  subscript(index: Int) -> UnsafeRawBufferPointer {
    var (start, left) = (0, index)
    while left > 0 {
      guard let comma = body[start...].firstIndex(of: UInt8(ascii: ",")) else {
        return UnsafeRawBufferPointer(start: nil, count: 0)
      }
      start = comma + 1
      left -= 1
    }
    let end = body[start...].firstIndex(of: UInt8(ascii: ",")) ?? body.count
    return UnsafeRawBufferPointer(rebasing: body[start..<end])
  }

  /// The sentence that the address names, after two letters of whatever talker; nil for another, and
  /// for proprietary ones, which start with P.
  var kind: NMEASentence.Kind? {
    let address = self[0]
    guard address.count == 5, address[0] != UInt8(ascii: "P") else { return nil }
    for kind in NMEASentence.Kind.allCases where kind.rawValue.utf8.elementsEqual(address[2...]) {
      return kind
    }
    return nil
  }

  /// The byte of a field of one, else nil.
  func letter(_ index: Int) -> UInt8? { self[index].count == 1 ? self[index][0] : nil }

  func number(_ index: Int) throws(LocationFault) -> Double? {
    let field = self[index]
    if field.isEmpty { return nil }
    guard let number = decimalNumber(field) else { throw .badField }
    return number
  }

  /// A number that is not negative.
  func speed(_ index: Int) throws(LocationFault) -> Double? {
    guard let number = try number(index) else { return nil }
    guard number >= 0 else { throw .badField }
    return number
  }

  /// Degrees from 0 to 360, as [0, 360).
  func direction(_ index: Int) throws(LocationFault) -> Double? {
    guard let number = try number(index) else { return nil }
    guard 0...360 ~= number else { throw .badField }
    return positiveDegrees(number)
  }

  /// A number whose sign is the letter in the next field.
  func signed(
    _ index: Int, east positive: Unicode.Scalar, west negative: Unicode.Scalar
  ) throws(LocationFault) -> Double? {
    guard let number = try number(index) else { return nil }
    switch letter(index + 1) {
    case UInt8(ascii: positive): return number
    case UInt8(ascii: negative): return -number
    default: throw .badField
    }
  }

  /// Latitude, N or S, longitude, E or W, from `index` on: ddmm.mmmm and dddmm.mmmm.
  func coordinate(_ index: Int) throws(LocationFault) -> GeodeticCoordinate {
    func degrees(_ number: Double?, _ limit: Double) throws(LocationFault) -> Double {
      guard let number else { throw .badField }
      let whole = (abs(number) / 100).rounded(.down)
      let minutes = abs(number) - 100 * whole
      guard minutes < 60, whole + minutes / 60 <= limit else { throw .badField }
      return number < 0 ? -(whole + minutes / 60) : whole + minutes / 60
    }
    return GeodeticCoordinate(
      latitude: try degrees(try signed(index, east: "N", west: "S"), 90),
      longitude: try degrees(try signed(index + 2, east: "E", west: "W"), 180))
  }

  /// hhmmss.sss as nanoseconds since midnight; nil for an empty field.
  func timeOfDay(_ index: Int) throws(LocationFault) -> Int64? {
    let field = self[index]
    if field.isEmpty { return nil }
    guard field.count >= 6, let hour = digits(field[0..<2]), let minute = digits(field[2..<4]),
      let second = digits(field[4..<6]), hour < 24, minute < 60, second < 61
    else { throw .badField }
    var fraction: Int64 = 0
    if field.count > 6 {
      guard field[6] == UInt8(ascii: ".") else { throw .badField }
      var place: Int64 = 100_000_000
      for byte in field[7...] {
        guard byte &- 48 < 10 else { throw .badField }
        fraction += Int64(byte - 48) * place
        place /= 10
      }
    }
    return Int64(hour * 3600 + minute * 60 + second) * 1_000_000_000 + fraction
  }

  /// ddmmyy as days since 1970. The year is from 1980, when the satellites' time begins, to 2079.
  func date(_ index: Int) throws(LocationFault) -> Int? {
    let field = self[index]
    if field.isEmpty { return nil }
    guard field.count == 6, let day = digits(field[0..<2]), let month = digits(field[2..<4]),
      let year = digits(field[4..<6])
    else { throw .badField }
    return try Self.day(year: year < 80 ? 2000 + year : 1900 + year, month: month, day: day)
  }

  /// Day, month and year in fields of their own.
  func date(day: Int, month: Int, year: Int) throws(LocationFault) -> Int? {
    if self[day].isEmpty, self[month].isEmpty, self[year].isEmpty { return nil }
    guard self[year].count == 4, let year = digits(self[year][...]),
      let month = digits(self[month][...]), let day = digits(self[day][...])
    else { throw .badField }
    return try Self.day(year: year, month: month, day: day)
  }

  private func digits(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int? {
    guard !bytes.isEmpty, bytes.count <= 4, bytes.allSatisfy({ $0 &- 48 < 10 }) else { return nil }
    return bytes.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  private static func day(year: Int, month: Int, day: Int) throws(LocationFault) -> Int {
    var date = tm()
    (date.tm_year, date.tm_mon, date.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
    let seconds = timegm(&date)
    // A date that does not exist comes back as another.
    guard date.tm_mon == Int32(month - 1), date.tm_mday == Int32(day),
      1970...2261 ~= year
    else { throw .badField }
    return seconds / 86_400
  }
}
