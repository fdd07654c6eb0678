import Files
import Geometry
import Navigation
import TestSupport
import Testing

/// What a file holds, counted with gpxpy 1.6.2 and, alike, with Python's ElementTree:
/// `g = gpxpy.parse(f); len(g.waypoints), [len(r.points) for r in g.routes],
/// [[len(s.points) for s in t.segments] for t in g.tracks]`.
private struct Counts: CustomTestStringConvertible {
  var file: String
  var waypoints = 0
  var routes: [Int] = []
  var tracks: [[Int]] = []
  var testDescription: String { file }
}

private let counts = [
  Counts(
    file: "cerknicko-without-times", waypoints: 7,
    tracks: [[0], [173], [52], [2], [44], [2], [2], [21]]),
  Counts(file: "gpx1.0_with_all_fields", waypoints: 2, routes: [3, 2], tracks: [[1, 0], []]),
  Counts(file: "gpx1.1_with_all_fields", waypoints: 2, routes: [3, 2], tracks: [[1, 0], []]),
  Counts(file: "handcrafted", routes: [5]),
  Counts(file: "korita-zbevnica", waypoints: 2, tracks: [[0], [358], [176], [337]]),
  Counts(file: "route", routes: [55]),
  Counts(file: "soundscape-route", routes: [8]),
  Counts(file: "track-with-empty-segment", tracks: [[9, 0]]),
  Counts(file: "track_with_speed", tracks: [[3]]),
  Counts(file: "unicode_with_bom", waypoints: 1),
  Counts(file: "walk-345m-as-logged", tracks: [[216]]),
  Counts(file: "walk-611m", tracks: [[361]]),
]

private let folder = (testDataFolder ?? "") + "/gpx/"

@Suite(.enabled(if: testDataFolder != nil)) struct GPXFileTests {
  @Test(arguments: counts) private func holdsWhatItHolds(_ expected: Counts) throws {
    let gpx = try GPX(path: folder + expected.file + ".gpx")
    #expect(gpx.waypoints.count == expected.waypoints)
    #expect(gpx.routes.map(\.points.count) == expected.routes)
    #expect(gpx.tracks.map { $0.segments.map(\.count) } == expected.tracks)
    #expect(gpx.warnings == [])
  }

  @Test(arguments: ["gpx1.0_with_all_fields", "gpx1.1_with_all_fields"])
  func namesGoToWhatTheyName(_ file: String) throws {
    let gpx = try GPX(path: folder + file + ".gpx")
    #expect(gpx.waypoints.map(\.name) == ["example name", nil])
    #expect(gpx.routes.map(\.name) == ["example name", "second route"])
    #expect(gpx.routes[0].points.map(\.name) == ["example name r", nil, nil])
    #expect(gpx.tracks.map(\.name) == ["example name t", nil])
    let point = gpx.tracks[0].segments[0][0]
    #expect(point.name == "example name t")
    // date -u -d 2013-01-01T12:00:04Z +%s
    #expect(
      point.fix
        == LocationFix(
          time: Timestamp(nanoseconds: 1_357_041_604_000_000_000),
          coordinate: GeodeticCoordinate(latitude: 10.1, longitude: -20.2), altitude: 11.1))
  }

  @Test func byteOrderMark() throws {
    let waypoint = try GPX(path: folder + "unicode_with_bom.gpx").waypoints[0]
    #expect(waypoint.name == "test")
    #expect(waypoint.line == 3)
    #expect(waypoint.fix.altitude == -14.6)
    // date -u -d 2016-05-27T10:08:47.8Z +%s%N
    #expect(waypoint.fix.time == Timestamp(nanoseconds: 1_464_343_727_800_000_000))
  }

  @Test func phoneLoggersWalk() throws {
    let points = try GPX(path: folder + "walk-345m-as-logged.gpx").tracks[0].segments[0]
    #expect(
      points[1].fix
        == LocationFix(
          time: Timestamp(nanoseconds: 1_790_000_010_846_000_000),
          coordinate: GeodeticCoordinate(latitude: 48.8605911, longitude: 2.3376035),
          altitude: 20, speed: 0.510366, course: 190.85431, courseAccuracy: 37.753853,
          horizontalAccuracy: 3.804))
    #expect(points.allSatisfy { $0.fix.course != nil })
  }

  /// The first and the last point of this walk have bearing and accuracy 0.0, and they alone:
  /// `grep -A1 '<bearing>0.0<' walk-611m.gpx`.
  @Test func bearingZeroOfAccuracyZeroIsNone() throws {
    let points = try GPX(path: folder + "walk-611m.gpx").tracks[0].segments[0]
    #expect(points.indices.filter { points[$0].fix.course == nil } == [0, 360])
    #expect(points[0].fix.courseAccuracy == nil)
    #expect(points[0].fix.speed == 0.024635816)
  }
}

/// A track point with these elements in it.
private func point(_ content: String) -> String {
  """
  <gpx><trk><trkseg><trkpt lat="1" lon="2">
  \(content)
  </trkpt></trkseg></trk></gpx>
  """
}

struct GPXFieldTests: ~Copyable {
  private let folder = TemporaryFolder()

  private func fix(_ content: String) throws -> LocationFix {
    return try GPX(path: folder.file("a.gpx", point(content))).tracks[0].segments[0][0].fix
  }

  @Test(
    arguments: [
      ("<course>90</course><bearing>10</bearing>", 90),
      ("<bearing>10</bearing><course>90</course>", 90),
      ("<bearing>10</bearing>", 10),
      ("<course>0</course><speed>0</speed>", 0),
      ("<course>360.0</course>", 0),
      ("<course>-1</course>", nil),
      ("<bearing>0.0</bearing><bearingAccuracyDegrees>0.0</bearingAccuracyDegrees>", nil),
      ("<speed>0.0</speed><bearing>0.0</bearing>", nil),
      ("<speed>1.4</speed><bearing>0.0</bearing>", 0),
      ("<bearing/>", nil),
      (
        "<extensions><gpxtpx:TrackPointExtension><gpxtpx:course>45</gpxtpx:course>"
          + "</gpxtpx:TrackPointExtension></extensions>", 45
      ),
      ("<link><name>no</name></link><course> 7 </course>", 7),
    ] as [(String, Double?)])
  func course(_ content: String, expected: Double?) throws {
    #expect(try fix(content).course == expected)
  }

  @Test func valuesOfThePointGoBeforeItsExtensions() throws {
    let fix = try fix(
      "<speed>1.5</speed><extensions><x:speed>9</x:speed><ele>9</ele></extensions>")
    #expect(fix.speed == 1.5)
    #expect(fix.altitude == nil)
  }

  @Test func negativeMeansNone() throws {
    let fix = try fix(
      "<ele>-3</ele><speed>-1</speed><accuracy>-1</accuracy><course>5</course>"
        + "<bearingAccuracyDegrees>-1</bearingAccuracyDegrees>")
    #expect(
      fix
        == LocationFix(
          coordinate: GeodeticCoordinate(latitude: 1, longitude: 2), altitude: -3, course: 5))
  }

  @Test func prefixesAndForeignElementsAreIgnored() throws {
    let gpx = try GPX(
      path: folder.file(
        "a.gpx",
        """
        <g:gpx xmlns:g="urn:x"><g:metadata><g:name>no</g:name></g:metadata>
        <g:rte><g:name>A &amp; B</g:name><g:rtept lat=" 1.5" lon="-2"/></g:rte>
        <g:extensions><gpx><trk><trkseg><trkpt/></trkseg></trk></gpx></g:extensions></g:gpx>
        """))
    #expect(gpx.routes.map(\.name) == ["A & B"])
    #expect(
      gpx.routes[0].points.map(\.fix.coordinate) == [
        GeodeticCoordinate(latitude: 1.5, longitude: -2)
      ])
    #expect(gpx.tracks == [])
  }

  @Test(arguments: [
    ("<ele>>20.0</ele>", #"ele ">20.0" is not a finite number; left out"#),
    ("<ele>nan</ele>", #"ele "nan" is not a finite number; left out"#),
    ("<speed>fast</speed>", #"speed "fast" is not a finite number; left out"#),
    ("<bearing>361</bearing>", #"bearing "361" is beyond 360 degrees; left out"#),
  ])
  func unreadableNumbersAreLeftOutWithAWarning(_ content: String, _ cause: String) throws {
    let path = folder.file("a.gpx", point(content + "<time>1790000000000</time>"))
    let warning = FileError(.malformed, file: path, place: "line 2", cause)
    let gpx = try GPX(path: path)
    #expect(gpx.warnings == [warning])
    #expect(
      gpx.tracks[0].segments[0][0].fix
        == LocationFix(
          time: Timestamp(milliseconds: 1_790_000_000_000),
          coordinate: GeodeticCoordinate(latitude: 1, longitude: 2)))
    #expect(try Track(path: path).warnings == [warning])
  }
}
