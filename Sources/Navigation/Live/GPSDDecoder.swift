import CGPS
import Files
import Geometry
import Glibc
import HeadTracking

/// Reads the reports of gpsd, a line of JSON each, through libgps.
struct GPSDDecoder: LocationDecoder {
  /// More than the longest report (`GPS_JSON_RESPONSE_MAX` of gpsd is 10240).
  private static let longest = 1 << 15

  var greeting: StaticString { "?WATCH={\"enable\":true,\"json\":true};\n" }
  var pauseLength: Double? { nil }

  private let report: GPSReport
  private var line: [CChar] = []
  private var isTooLong = false

  init() throws(LocationSourceError) {
    report = GPSReport(try GPSLibrary())
    line.reserveCapacity(Self.longest + 1)
  }

  mutating func forget() {
    line.removeAll(keepingCapacity: true)
    isTooLong = false
  }

  mutating func pause(at now: Timestamp, to outlet: inout LocationOutlet) {}
  mutating func endDatagram(at now: Timestamp, to outlet: inout LocationOutlet) {}

  mutating func take(
    _ bytes: UnsafeRawBufferPointer, at now: Timestamp, to outlet: inout LocationOutlet
  ) {
    for byte in bytes {
      guard byte == UInt8(ascii: "\n") else {
        if line.count < Self.longest {
          line.append(CChar(bitPattern: byte))
        } else {
          isTooLong = true
        }
        continue
      }
      if isTooLong { outlet.channel.drop(.tooLong) } else { takeLine(at: now, to: &outlet) }
      forget()
    }
  }

  private mutating func takeLine(at now: Timestamp, to outlet: inout LocationOutlet) {
    while line.last == 13 { line.removeLast() }
    guard !line.isEmpty else { return }
    line.append(0)
    switch report.read(line) {
    case .fix(let fix)?:
      outlet.channel.count(understood: true)
      outlet.deliver(.fix(fix, now), at: now)
    case .noFix?:
      outlet.channel.count(understood: true)
      outlet.deliver(.noFix(now), at: now)
    case .other?: outlet.channel.count(understood: false)
    case nil: outlet.channel.drop(.malformed)
    }
  }
}

/// libgps's structure of some ten kilobytes, which it fills from a report.
private final class GPSReport: @unchecked Sendable {
  enum Content {
    case fix(LocationFix), noFix
    /// A report of another class, or one that says nothing of a fix.
    case other
  }

  private let library: GPSLibrary
  private let data = UnsafeMutablePointer<gps_data_t>.allocate(capacity: 1)

  init(_ library: GPSLibrary) {
    self.library = library
    memset(data, 0, MemoryLayout<gps_data_t>.size)
  }

  deinit { data.deallocate() }

  /// What a report, ended by a zero, says; nil for what is no report.
  func read(_ line: [CChar]) -> Content? {
    guard line.first == CChar(bitPattern: UInt8(ascii: "{")),
      line.dropLast().last == CChar(bitPattern: UInt8(ascii: "}"))
    else { return nil }
    guard Self.isPosition(line) else { return .other }
    let failure = line.withUnsafeBufferPointer { buffer in
      var end: UnsafePointer<CChar>?
      return buffer.baseAddress.map { library.unpack($0, data, &end) } ?? 1
    }
    guard failure == 0 else { return nil }
    let fix = data.pointee.fix
    // MODE_NO_FIX is 1, two dimensions 2, three 3; 0 says that nothing is known yet.
    guard fix.mode >= 1 else { return .other }
    guard fix.mode >= 2 else { return .noFix }
    guard abs(fix.latitude) <= 90, abs(fix.longitude) <= 180 else { return nil }
    func known(_ value: Double) -> Double? { value.isFinite ? value : nil }
    func positive(_ value: Double) -> Double? { value.isFinite && value >= 0 ? value : nil }
    let course = known(fix.track).map(positiveDegrees)
    // 0 is none; what a timestamp can't hold, after 2261, is none either.
    let isTimeKnown = 1..<9_200_000_000 ~= fix.time.tv_sec && 0..<1_000_000_000 ~= fix.time.tv_nsec
    let nanoseconds = isTimeKnown ? fix.time.tv_sec * 1_000_000_000 + fix.time.tv_nsec : 0
    return .fix(
      LocationFix(
        time: isTimeKnown ? Timestamp(nanoseconds: Int64(nanoseconds)) : nil,
        coordinate: GeodeticCoordinate(latitude: fix.latitude, longitude: fix.longitude),
        altitude: fix.mode >= 3 ? known(fix.altMSL) : nil, speed: positive(fix.speed),
        course: course, courseAccuracy: course == nil ? nil : positive(fix.epd),
        horizontalAccuracy: positive(fix.eph)))
  }

  /// Whether a report is of the class TPV, time, position and velocity; gpsd's reports start with their
  /// class.
  private static func isPosition(_ line: [CChar]) -> Bool {
    let start: StaticString = "{\"class\":\"TPV\""
    return line.starts(
      with: UnsafeBufferPointer(start: start.utf8Start, count: start.utf8CodeUnitCount).lazy.map {
        CChar(bitPattern: $0)
      })
  }
}
