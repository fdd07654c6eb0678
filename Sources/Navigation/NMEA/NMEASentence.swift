public import Geometry

/// What one sentence of NMEA 0183 says, in the units of this project.
///
/// Understood are RMC, VTG, GGA, HDT, HDG and ZDA of any talker, as IEC 61162-1 has them.
public struct NMEASentence: Equatable, Sendable {
  /// The sentences that are understood.
  public enum Kind: String, CaseIterable, Sendable {
    /// Time, place, course and speed.
    case rmc = "RMC"
    /// Course and speed over the ground.
    case vtg = "VTG"
    /// Time, place and altitude.
    case gga = "GGA"
    /// Heading from true north.
    case hdt = "HDT"
    /// Heading of a magnetic sensor, its deviation, and the variation.
    case hdg = "HDG"
    /// Time and date.
    case zda = "ZDA"
  }

  /// Which sentence it is.
  public var kind: Kind
  /// Nanoseconds since midnight UTC.
  public var timeOfDay: Int64?
  /// Days since 1970-01-01, UTC.
  public var day: Int?
  /// Whether the receiver knows its place; nil where the sentence says nothing of it.
  public var hasFix: Bool?
  /// The place, where there is a fix.
  public var coordinate: GeodeticCoordinate?
  /// Metres above mean sea level.
  public var altitude: Double?
  /// Metres a second.
  public var speed: Double?
  /// Degrees clockwise from true north, [0, 360).
  public var course: Double?
  /// Where a compass points, deviation taken off, degrees from magnetic north, [0, 360).
  public var magneticHeading: Double?
  /// Where the bow points, degrees from true north, [0, 360).
  public var trueHeading: Double?

  /// Reads a sentence from `$` to the checksum, without the line's end; nil for a sound sentence of
  /// another kind.
  ///
  /// - Throws: `LocationFault.checksum` where it is missing or wrong, `malformed` for what is no
  ///   sentence, and `badField` for a field that can't be what the standard has there.
  public init?(_ bytes: UnsafeRawBufferPointer) throws(LocationFault) {
    let fields = try NMEAFields(sentence: bytes)
    guard let kind = fields.kind else { return nil }
    self.init(kind: kind)
    switch kind {
    case .rmc: try readRMC(fields)
    case .vtg: try readVTG(fields)
    case .gga: try readGGA(fields)
    case .hdt: try readHDT(fields)
    case .hdg: try readHDG(fields)
    case .zda: try readZDA(fields)
    }
  }

  /// Reads a sentence from text.
  ///
  /// - Throws: `LocationFault` as the other initialiser does.
  public init?(_ text: String) throws(LocationFault) {
    guard let sentence = try Self.read(Array(text.utf8)) else { return nil }
    self = sentence
  }

  /// Reads a sentence from an array.
  static func read(_ bytes: [UInt8]) throws(LocationFault) -> NMEASentence? {
    // The standard library's closure can't throw a typed error.
    let result: Result<NMEASentence?, LocationFault> = bytes.withUnsafeBytes { bytes in
      do throws(LocationFault) {
        return .success(try NMEASentence(bytes))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private init(kind: Kind) { self.kind = kind }
}

/// Metres a second in a knot: 1852 m an hour.
private let knot = 1852.0 / 3600

extension NMEASentence {
  private mutating func readRMC(_ fields: NMEAFields) throws(LocationFault) {
    timeOfDay = try fields.timeOfDay(1)
    // V is a warning: void. Since version 2.3 a mode N says the same.
    hasFix = fields.letter(2) == UInt8(ascii: "A") && fields.letter(12) != UInt8(ascii: "N")
    guard fields.letter(2) != nil else { throw .badField }
    day = try fields.date(9)
    guard hasFix == true else { return }
    coordinate = try fields.coordinate(3)
    speed = try fields.speed(7).map { $0 * knot }
    course = try fields.direction(8)
  }

  private mutating func readVTG(_ fields: NMEAFields) throws(LocationFault) {
    guard fields.letter(9) != UInt8(ascii: "N") else { return }
    guard fields[1].isEmpty || fields.letter(2) == UInt8(ascii: "T") else { throw .badField }
    course = try fields.direction(1)
    speed = try fields.speed(5).map { $0 * knot }
    if speed == nil { speed = try fields.speed(7).map { $0 / 3.6 } }
  }

  private mutating func readGGA(_ fields: NMEAFields) throws(LocationFault) {
    timeOfDay = try fields.timeOfDay(1)
    guard let quality = try fields.number(6) else { throw .badField }
    hasFix = quality > 0
    guard hasFix == true else { return }
    coordinate = try fields.coordinate(2)
    altitude = try fields.number(9)
  }

  private mutating func readHDT(_ fields: NMEAFields) throws(LocationFault) {
    guard fields[1].isEmpty || fields.letter(2) == UInt8(ascii: "T") else { throw .badField }
    trueHeading = try fields.direction(1)
  }

  private mutating func readHDG(_ fields: NMEAFields) throws(LocationFault) {
    guard let sensor = try fields.direction(1) else { return }
    let magnetic = sensor + (try fields.signed(2, east: "E", west: "W") ?? 0)
    magneticHeading = positiveDegrees(magnetic)
    trueHeading = try fields.signed(4, east: "E", west: "W").map { positiveDegrees(magnetic + $0) }
  }

  private mutating func readZDA(_ fields: NMEAFields) throws(LocationFault) {
    timeOfDay = try fields.timeOfDay(1)
    day = try fields.date(day: 2, month: 3, year: 4)
  }
}
