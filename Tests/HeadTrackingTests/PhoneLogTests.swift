import Compass
import Files
import HeadTracking
import TestSupport
import Testing

@Suite struct PhoneLogTests {
  @Test func readsNamesOfCLHeading() throws {
    let folder = TemporaryFolder()
    let path = folder.file(
      "phone.csv",
      """
      x,trueHeading,headingAccuracy,timestamp,magneticHeading
      1,199.725,12,1790000000080,197.725
      1,-1,12,1790000000160,197.5
      1,20,-1,1790000000240,18
      1,360,,1790000000320,
      """)
    let headings = try PhoneLog.headings(path: path)
    #expect(headings.map(\.heading) == [199.725, 197.5, nil, 0])
    #expect(headings.map(\.headingAccuracy) == [12, 12, -1, nil])
    #expect(headings.map(\.magneticHeading) == [197.725, 197.5, 18, nil])
    #expect(headings.first?.time == Timestamp(milliseconds: 1_790_000_000_080))
  }

  @Test func readsNamesOfSensorLogger() throws {
    let folder = TemporaryFolder()
    let path = folder.file(
      "Compass.csv", "time,seconds_elapsed,magneticBearing\n1790000000080000001,0.08,198.8172\n")
    let expected = PhoneHeading(
      time: Timestamp(nanoseconds: 1_790_000_000_080_000_001), magneticHeading: 198.8172)
    #expect(try PhoneLog.headings(path: path) == [expected])
    #expect(expected.heading == 198.8172)
  }

  @Test func aDisturbedHeadingIsNone() throws {
    let folder = TemporaryFolder()
    let path = folder.file(
      "phone.csv",
      """
      timestamp,magneticHeading,trueHeading,headingAccuracy,disturbed,faults
      1790000000000,10.5,,5,0,
      1790000000020,20.5,,60,1,strength dip
      1790000000040,30.5,,,,
      """)
    #expect(try PhoneLog.headings(path: path).map(\.heading) == [10.5, nil, 30.5])
  }

  /// Field and gravity of a phone on its back that points to magnetic north, then one whose field is
  /// three times as strong.
  @Test func readsARawMagnetometer() throws {
    let folder = TemporaryFolder()
    let path = folder.file(
      "raw.csv",
      """
      timestamp,mag_x,mag_y,mag_z,gravityX,gravityY,gravityZ
      1790000000000,0,20,-44,0,0,-1
      1790000000020,-20,0,-44,0,0,-1
      1790000000040,0,60,-132,0,0,-1
      """)
    var settings = CompassSettings()
    settings.strength = 48
    var log = try PhoneLog(path: path, settings: settings)
    #expect(log.warnings.count == 1 && log.warnings[0].cause.hasPrefix("not calibrated"))
    var headings: [Double?] = []
    while let heading = try log.next() { headings.append(heading.heading) }
    #expect(headings == [0, 90, nil])
    let series = try ReferenceSeries(phoneLog: path, settings: settings)
    #expect(series.warnings == log.warnings)
  }

  @Test(arguments: [
    ("magneticHeading\n1\n", "line 1: there is no column timestamp or time"),
    (
      "timestamp,heading\n1,1\n",
      "line 1: there is no column trueHeading or magneticHeading or magneticBearing"
    ),
    ("timestamp,trueHeading\n", "no headings"),
    (
      "timestamp,trueHeading\n1,360.0001\n",
      "line 2, column trueHeading: \"360.0001\" is not below 360 degrees"
    ),
    (
      "timestamp,trueHeading\n1,NaN\n",
      "line 2, column trueHeading: \"NaN\" is not a finite number"
    ),
    (
      "timestamp,trueHeading,headingAccuracy\n1,5,good\n",
      "line 2, column headingAccuracy: \"good\" is not a finite number"
    ),
    (
      "time,magneticBearing\n2,5\n1,5\n",
      "line 3, column time: \"1\" is earlier than the reading before"
    ),
  ]) func namesTheFault(_ text: String, _ fault: String) {
    let folder = TemporaryFolder()
    let path = folder.file("phone.csv", text)
    let error = #expect(throws: FileError.self) { try PhoneLog.headings(path: path) }
    #expect(error?.description == "\(path): \(fault)")
  }

  @Test(
    arguments: [
      (PhoneHeading(time: time, magneticHeading: 5, trueHeading: 7, headingAccuracy: 0), 7.0),
      (PhoneHeading(time: time, magneticHeading: 5, trueHeading: -1, headingAccuracy: 180), 5),
      (PhoneHeading(time: time, magneticHeading: 5, trueHeading: 7, headingAccuracy: -1), nil),
      (PhoneHeading(time: time, magneticHeading: -1, trueHeading: 0), 0),
      (PhoneHeading(time: time, magneticHeading: -1), nil),
      (PhoneHeading(time: time), nil),
    ] as [(PhoneHeading, Double?)]) func picksTheBestHeading(
      _ reading: PhoneHeading, _ heading: Double?
    )
  {
    #expect(reading.heading == heading)
  }

  static let time = Timestamp(nanoseconds: 0)
}

@Suite struct ReferenceSeriesTests {
  @Test func holdsTheNewestReading() {
    func at(_ nanoseconds: Int64) -> Timestamp { Timestamp(nanoseconds: nanoseconds) }
    var series = ReferenceSeries([
      .init(time: at(10), direction: 1), .init(time: at(20), direction: 2),
      .init(time: at(20), direction: 3), .init(time: at(30), direction: nil),
      .init(time: at(40), direction: 4),
    ])
    let asked: [(Int64, Double?)] = [
      (9, nil), (10, 1), (19, 1), (20, 3), (20, 3), (30, nil), (39, nil), (1_000_000, 4),
    ]
    for (time, expected) in asked {
      let direction = series.reading(at: at(time))?.direction
      #expect(direction == expected)
    }
    var empty = ReferenceSeries()
    let none = empty.reading(at: at(0))
    #expect(none == nil)
  }
}
