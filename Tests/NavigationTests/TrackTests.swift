import Files
import Geometry
import Navigation
import TestSupport
import Testing

/// What a malformed CSV file says, after its name.
private let faults: [(content: String, message: String)] = [
  ("", "the file is empty"),
  ("latitude,longitude\n1,2\n", "line 1: there is no column timestamp or time"),
  ("time,longitude\n1,2\n", "line 1: there is no column latitude"),
  ("time,latitude\n1,2\n", "line 1: there is no column longitude"),
  ("time,latitude,longitude\n", "no row has a latitude and longitude"),
  ("time,latitude,longitude\n1,,\n", "no row has a latitude and longitude"),
  ("time,latitude,longitude\n1,2,\n", "line 2, column longitude: \"\" is no longitude"),
  ("time,latitude,longitude\n1,x,2\n", "line 2, column latitude: \"x\" is not a finite number"),
  ("time,latitude,longitude\n1,91,2\n", "line 2, column latitude: \"91\" is outside −90 to 90"),
  (
    "time,latitude,longitude\n1,1,200\n",
    "line 2, column longitude: \"200\" is outside −180 to 180"
  ),
  ("time,latitude,longitude\nnoon,1,2\n", "line 2, column time: \"noon\" is not a time"),
  (
    "time,latitude,longitude\n9,1,2\n7,,\n8,1,2\n",
    "line 4, column time: \"8\" is 1.0 s before the time of the fix before"
  ),
  (
    "time,latitude,longitude,speed\n9,1,2,nan\n",
    "line 2, column speed: \"nan\" is not a finite number"
  ),
  (
    "time,latitude,longitude,course\n9,1,2,361\n",
    "line 2, column course: \"361\" is beyond 360 degrees"
  ),
  ("time,latitude,longitude\n9,1\n", "line 2: 2 columns where the header has 3"),
]

struct TrackTests: ~Copyable {
  private let folder = TemporaryFolder()

  @Test(arguments: faults) func faultOfACSVFile(_ content: String, _ message: String) {
    let path = folder.file("a.csv", content)
    let error = #expect(throws: FileError.self) { try Track(path: path) }
    #expect(error?.description == "\(path): \(message)")
  }

  @Test func coreLocationColumnsInAnyOrder() throws {
    let path = folder.file(
      "a.csv",
      """
      course,timestamp,longitude,latitude,altitude,speed,courseAccuracy,horizontalAccuracy
      0,1790000000000,-0.12,51.5,20,1.25,0,5
      -1,1790000001500,-0.13,51.6,-2,-1,-1,-1
      """)
    let track = try Track(path: path)
    #expect(
      track.fixes == [
        LocationFix(
          time: Timestamp(milliseconds: 1_790_000_000_000),
          coordinate: GeodeticCoordinate(latitude: 51.5, longitude: -0.12), altitude: 20,
          speed: 1.25, course: 0, courseAccuracy: 0, horizontalAccuracy: 5),
        LocationFix(
          time: Timestamp(milliseconds: 1_790_000_001_500),
          coordinate: GeodeticCoordinate(latitude: 51.6, longitude: -0.13), altitude: -2),
      ])
  }

  @Test(arguments: ["\u{FEFF}", "\u{FEFF}\n", " \n\t", ""])
  func gpxIsKnownByItsContent(_ start: String) throws {
    let path = folder.file(
      "a.csv",
      start + "<gpx><trk><trkseg><trkpt lat='1' lon='2'><time>9</time></trkpt></trkseg></trk></gpx>"
    )
    #expect(try Track(path: path).times == [Timestamp(nanoseconds: 9_000_000_000)])
  }

  @Test func fixesMustBeInOrderAndHaveTimes() {
    let place = GeodeticCoordinate(latitude: 1, longitude: 2)
    func fix(_ seconds: Int64?) -> LocationFix {
      LocationFix(
        time: seconds.map { Timestamp(nanoseconds: $0 * 1_000_000_000) }, coordinate: place)
    }
    #expect(Track(fixes: []) == nil)
    #expect(Track(fixes: [fix(1), fix(nil)]) == nil)
    #expect(Track(fixes: [fix(2), fix(1)]) == nil)
    #expect(Track(fixes: [fix(1), fix(1), fix(2)])?.fixes.count == 3)
  }
}

private let data = testDataFolder ?? ""

@Suite(.enabled(if: testDataFolder != nil)) struct TrackFileTests {
  /// The walks as a whole: number of points, first and last time, from ElementTree.
  @Test(
    arguments: [
      ("walk-611m", 361, 1_790_000_000_000, 1_790_000_388_048),
      ("walk-345m-as-logged", 216, 1_790_000_000_000, 1_790_000_235_925),
    ] as [(String, Int, Int64, Int64)])
  func walk(_ file: String, count: Int, first: Int64, last: Int64) throws {
    let track = try Track(path: "\(data)/gpx/\(file).gpx")
    #expect(track.fixes.count == count)
    #expect(track.times.first == Timestamp(milliseconds: first))
    #expect(track.times.last == Timestamp(milliseconds: last))
  }

  @Test(arguments: [
    ("handcrafted", "no track: 0 waypoints and 1 route"),
    ("unicode_with_bom", "no track: 1 waypoint and 0 routes"),
    ("cerknicko-without-times", "line 67: the track point has no time"),
    ("korita-zbevnica", "line 33: the track point has no time"),
  ])
  func noTrack(_ file: String, _ message: String) {
    let path = "\(data)/gpx/\(file).gpx"
    let error = #expect(throws: FileError.self) { try Track(path: path) }
    #expect(error?.description == "\(path): \(message)")
  }

  /// The same walk as Core Location and as Sensor Logger name its columns; counted with Python's
  /// csv.DictReader: 240 rows, every course valid.
  @Test func bothLayoutsAreTheSameTrack() throws {
    let track = try Track(path: data + "/logs/sim-block/location.csv")
    #expect(track.fixes.count == 240)
    #expect(track.fixes[1].course == 284.68)
    #expect(track.fixes[1].courseAccuracy == 8)
    #expect(try Track(path: data + "/logs/sim-block/Location.csv") == track)
  }

  /// Counted with Python's csv.DictReader: 145 of 587 rows have a position; the bearing is 0.0 in 36
  /// of them, and in all of these the speed or the bearing's accuracy is 0.0.
  @Test func phoneLogWithRowsOfOtherSensors() throws {
    let track = try Track(path: data + "/logs/phone-slow-1hz.csv")
    #expect(track.fixes.count == 145)
    #expect(track.fixes.count { $0.course == nil } == 36)
    // date -u -d '2025-06-14 21:17:07' +%s
    #expect(
      track.fixes[1]
        == LocationFix(
          time: Timestamp(nanoseconds: 1_749_935_827_000_000_000),
          coordinate: GeodeticCoordinate(latitude: 40.07431295, longitude: -75.23978925),
          altitude: 58.89999771118164, speed: 0.23649092763662335, course: 115.1083984375,
          courseAccuracy: 22.5, horizontalAccuracy: 11.360499858856201))
  }
}
