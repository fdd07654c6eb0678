import Files
import Geometry
import TestSupport
import Testing

@testable import Navigation

/// The sentence of a body, with `$` and the checksum that IEC 61162-1 defines.
func nmea(_ body: String) -> String {
  let sum = body.utf8.reduce(0, ^)
  let digits = String(sum, radix: 16, uppercase: true)
  return "$\(body)*\(digits.count < 2 ? "0" : "")\(digits)"
}

struct NMEASentenceTests {
  /// Sentences with their checksums as receivers' manuals print them; places, times and dates as
  /// Python's pynmea2 1.19 reads them, `pynmea2.parse(text, check=True)`.
  @Test(
    arguments: [
      (
        "$GPRMC,225446,A,4916.45,N,12311.12,W,000.5,054.7,191194,020.3,E*68",
        49.274166666666666, -123.18533333333333, 82486, 9088, 0.5, 54.7
      ),
      (
        "$GNRMC,001031.00,A,4404.13993,N,12118.86023,W,0.146,,100117,,,A*7B",
        44.06899883333333, -121.31433716666666, 631, 17176, 0.146, nil
      ),
      (
        "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47",
        48.1173, 11.516666666666667, 45319, nil, nil, nil
      ),
      (
        "$GNGGA,001043.00,4404.14036,N,12118.85961,W,1,12,0.98,1113.0,M,-21.3,M,,*47",
        44.069006, -121.31432683333334, 643, nil, nil, nil
      ),
    ] as [(String, Double, Double, Int64, Int?, Double?, Double?)])
  func places(
    _ text: String, latitude: Double, longitude: Double, seconds: Int64, day: Int?, knots: Double?,
    course: Double?
  ) throws {
    let sentence = try #require(try NMEASentence(text))
    #expect(sentence.hasFix == true)
    #expect(abs(try #require(sentence.coordinate).latitude - latitude) < 1e-12)
    #expect(abs(try #require(sentence.coordinate).longitude - longitude) < 1e-12)
    #expect(sentence.timeOfDay == seconds * 1_000_000_000)
    #expect(sentence.day == day)
    #expect(sentence.course == course)
    // A knot is 1852 m an hour.
    #expect(sentence.speed.map { ($0 * 3600 / 1852 * 1e9).rounded() } == knots.map { $0 * 1e9 })
  }

  @Test func altitude() throws {
    let text = "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47"
    #expect(try NMEASentence(text)?.altitude == 545.4)
  }

  /// Deviation and variation are added where easterly, taken off where westerly (IEC 61162-1).
  @Test(
    arguments: [
      ("HCHDG,101.1,,,7.1,W", 101.1, 94.0), ("IIHDG,358.2,1.5,E,3.0,E", 359.7, 2.7),
      ("IIHDG,2.0,4.0,W,1.0,W", 358.0, 357.0), ("IIHDG,12.5,,,,", 12.5, nil),
      ("HEHDT,274.07,T", nil, 274.07), ("HEHDT,360.0,T", nil, 0), ("HEHDT,,T", nil, nil),
      ("IIHDG,,,,,", nil, nil),
    ] as [(String, Double?, Double?)])
  func headings(_ body: String, magnetic: Double?, trueNorth: Double?) throws {
    func tenths(_ heading: Double?) -> Double? { heading.map { ($0 * 1e6).rounded() / 1e6 } }
    let sentence = try #require(try NMEASentence(nmea(body)))
    #expect(tenths(sentence.magneticHeading) == magnetic)
    #expect(tenths(sentence.trueHeading) == trueNorth)
  }

  @Test(
    arguments: [
      ("GPVTG,054.7,T,034.4,M,005.5,N,010.2,K", 54.7, 5.5 * 1852 / 3600),
      ("GPVTG,054.7,T,,M,,N,3.6,K,A", 54.7, 1), ("GPVTG,,T,,M,0.0,N,0.0,K", nil, 0),
      ("GPVTG,054.7,T,034.4,M,005.5,N,010.2,K,N", nil, nil),
    ] as [(String, Double?, Double?)])
  func motion(_ body: String, course: Double?, speed: Double?) throws {
    let sentence = try #require(try NMEASentence(nmea(body)))
    #expect(sentence.course == course && sentence.speed == speed)
  }

  /// No fix: what the receiver prints of place and motion then is not taken.
  @Test(arguments: [
    "GPRMC,120000,V,4916.45,N,12311.12,W,000.5,054.7,191194,,", "GPRMC,,V,,,,,,,,,,N",
    "GPRMC,120000,A,4916.45,N,12311.12,W,000.5,054.7,191194,,,N",
    "GPGGA,120000,4807.038,N,01131.000,E,0,08,0.9,545.4,M,46.9,M,,",
  ])
  func noFix(_ body: String) throws {
    let sentence = try #require(try NMEASentence(nmea(body)))
    #expect(sentence.hasFix == false)
    #expect(sentence.coordinate == nil && sentence.course == nil && sentence.speed == nil)
  }

  /// Years of two digits: the satellites' time begins in 1980. Days by Python's
  /// `(datetime.date(…) - datetime.date(1970, 1, 1)).days`.
  @Test(arguments: [
    ("060180", 3657), ("311299", 10956), ("010100", 10957), ("290224", 19782), ("210926", 20717),
    ("311279", 40176),
  ])
  func dates(_ text: String, _ day: Int) throws {
    let body = "GPRMC,000000,V,,,,,,,\(text),,"
    #expect(try NMEASentence(nmea(body))?.day == day)
  }

  @Test func dateOfFourDigits() throws {
    let sentence = try #require(try NMEASentence("$GPZDA,201530.00,04,07,2002,00,00*60"))
    #expect(sentence.day == 11872 && sentence.timeOfDay == 72_930_000_000_000)
  }

  @Test(arguments: [
    "GPGSV,1,1,00", "PUBX,00,1", "GPRMCX,1", "IIMWV,1,R,2,N,A", "PRMC,1", "GPTXT,hello",
  ])
  func otherSentences(_ body: String) throws { #expect(try NMEASentence(nmea(body)) == nil) }

  @Test(arguments: [
    (LocationFault.checksum, "$GPRMC,225446,A,4916.45,N,12311.12,W,000.5,054.7,191194,020.3,E*69"),
    (.checksum, "$GPRMC,225446,A,4916.45,N,12311.12,W,000.5,054.7,191194,020.3,E"),
    (.checksum, "$GPRMC,225446,A,4916.45,N,12311.12,W,000.5,054.7,191194,020.3,E*6"),
    (.checksum, "$GPRMC,225446,A,4916.45,N,12311.12,W,000.5,054.7,191194,020.3,E*+8"),
    (.checksum, "$GPRMC,225446,A,4916.45,N,12311.12,W,000.5,054.7,191194,020.3,E*68 "),
    (.checksum, "$"), (.malformed, ""), (.malformed, "GPRMC"), (.malformed, "$*00"),
    (.badField, nmea("GPRMC,246000,A,4916.45,N,12311.12,W,0,0,191194,,")),
    (.badField, nmea("GPRMC,12000,A,4916.45,N,12311.12,W,0,0,191194,,")),
    (.badField, nmea("GPRMC,120000x,A,4916.45,N,12311.12,W,0,0,191194,,")),
    (.badField, nmea("GPRMC,120000,A,4960.00,N,12311.12,W,0,0,191194,,")),
    (.badField, nmea("GPRMC,120000,A,9000.01,N,12311.12,W,0,0,191194,,")),
    (.badField, nmea("GPRMC,120000,A,4916.45,X,12311.12,W,0,0,191194,,")),
    (.badField, nmea("GPRMC,120000,A,4916.45,N,18011.12,W,0,0,191194,,")),
    (.badField, nmea("GPRMC,120000,A,,,,,0,0,191194,,")),
    (.badField, nmea("GPRMC,120000,A,nan,N,12311.12,W,0,0,191194,,")),
    (.badField, nmea("GPRMC,120000,A,4916.45,N,12311.12,W,-1,0,191194,,")),
    (.badField, nmea("GPRMC,120000,A,4916.45,N,12311.12,W,0,361,191194,,")),
    (.badField, nmea("GPRMC,120000,A,4916.45,N,12311.12,W,0,0,310299,,")),
    (.badField, nmea("GPRMC,120000,A,4916.45,N,12311.12,W,0,0,3102,,")),
    (.badField, nmea("GPRMC,120000")), (.badField, nmea("GPGGA,120000,4807.038,N,01131.000,E")),
    (.badField, nmea("GPVTG,054.7,034.4,005.5,010.2")), (.badField, nmea("HEHDT,12.5,M")),
    (.badField, nmea("HCHDG,12.5,1.5,,,")), (.badField, nmea("GPZDA,201530.00,04,07,02,00,00")),
  ])
  func faults(_ fault: LocationFault, _ text: String) {
    let error = #expect(throws: LocationFault.self) { try NMEASentence(text) }
    #expect(error == fault)
  }

  private static func items(_ bytes: [UInt8]) -> [NMEASplitter.Item] {
    var splitter = NMEASplitter()
    var items = bytes.compactMap { splitter.take($0) }
    if let last = splitter.endOfLine() { items.append(last) }
    return items
  }

  static let heading = nmea("HEHDT,274.07,T")
  static let sound = try? NMEASentence(heading)

  /// Sentences among whatever else there is on a line or around it.
  @Test(
    arguments: [
      ("\(heading)\r\n", 1, 0, []), ("\(heading)", 1, 0, []), ("\n\r\n \n\(heading)  \r", 1, 0, []),
      ("12:00:01 \(heading)\n", 1, 0, []), ("\\s:a,c:1*0F\\\(heading)\n", 1, 0, []),
      ("\(heading)\(heading)\n", 1, 0, [.malformed]), ("$GPRM\(heading)\n", 1, 0, [.malformed]),
      ("hello\n\(heading)\n", 1, 0, [.noise]), ("!AIVDM,1,1,,A,x,0*2D\n", 0, 0, [.checksum]),
      ("$" + String(repeating: "x", count: 200) + "\n\(heading)\n", 1, 0, [.tooLong, .noise]),
      ("$GPGSV,1,1,00*79\n\(heading)\n", 1, 1, []),
      ("\u{1}\u{2}$GP\u{3}\u{4}\n\(heading)\n", 1, 0, [.malformed]),
    ] as [(String, Int, Int, [LocationFault])])
  func splitting(_ text: String, sentences: Int, others: Int, faults: [LocationFault]) {
    let items = Self.items(Array(text.utf8))
    #expect(items.count { $0 == Self.sound.flatMap { $0 }.map { .sentence($0) } } == sentences)
    #expect(items.count { $0 == .other } == others)
    #expect(
      items.compactMap { item -> LocationFault? in
        if case .fault(let fault) = item { fault } else { nil }
      } == faults)
  }

  /// Random bytes, and good sentences with bytes changed: whatever is still taken has a right
  /// checksum, and places and directions are in their ranges.
  @Test func damaged() {
    var random = SeededGenerator(seed: 7)
    let seeds = [
      nmea("GPRMC,225446,A,4916.45,N,12311.12,W,000.5,054.7,191194,020.3,E"),
      nmea("GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"),
      nmea("IIHDG,358.2,1.5,E,3.0,E"), nmea("GPZDA,201530.00,04,07,2002,00,00"),
    ]
    var sentences = 0
    for step in 0..<20_000 {
      var body = Array(seeds[step % 4].utf8.dropFirst().dropLast(3))
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        body[Int.random(in: 0..<body.count, using: &random)] = UInt8.random(
          in: 32...126, using: &random)
      }
      // Half of them with the checksum of what they have become.
      var bytes = Array("$".utf8) + body + Array("*".utf8)
      let sum = String(body.reduce(0, ^), radix: 16)
      bytes += step % 8 < 4 ? Array((sum.count < 2 ? "0" + sum : sum).utf8) : [48, 48]
      if step % 16 == 15 { bytes = bytes.map { _ in UInt8.random(in: 0...255, using: &random) } }
      for case .sentence(let sentence) in Self.items(bytes + [10]) {
        sentences += 1
        #expect(sentence.coordinate?.isValid != false)
        #expect(sentence.course.map { 0..<360 ~= $0 } != false)
        #expect(sentence.trueHeading.map { 0..<360 ~= $0 } != false)
        #expect(sentence.timeOfDay.map { 0..<86_401_000_000_000 ~= $0 } != false)
      }
    }
    #expect(2000..<11_000 ~= sentences)
  }
}
