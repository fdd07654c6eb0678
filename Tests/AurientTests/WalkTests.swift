import Aurient
import Files
import Geometry
import Glibc
import TestSupport
import Testing

/// The walk that ships as the example, rendered whole.
@Suite struct WalkTests {
  /// A row of the trace, numbers as they read back.
  private struct Row {
    var time: Double
    var place: GeodeticCoordinate
    /// Headings by the names that `heading_source` has.
    var headings: [String: Double]
    var presentation: Double?
    var source: String
    var status: String
    var bearing: Double
    var distance: Double
    var relative: Double?
  }

  private func rows(of path: String) throws -> [Row] {
    let reader = try CSVReader(path: path)
    func column(_ name: String) throws -> Int { try reader.requiredColumn(name) }
    let sources = ["head", "course", "phone"]
    var rows: [Row] = []
    while try reader.next() {
      var headings: [String: Double] = [:]
      for source in sources { headings[source] = try reader.number(column(source + "_deg")) }
      rows.append(
        Row(
          time: try reader.requiredNumber(column("time_s")),
          place: GeodeticCoordinate(
            latitude: try reader.requiredNumber(column("latitude")),
            longitude: try reader.requiredNumber(column("longitude"))),
          headings: headings,
          presentation: try reader.number(column("presentation_deg")),
          source: reader.text(try column("heading_source")),
          status: reader.text(try column("status")),
          bearing: try reader.requiredNumber(column("bearing_deg")),
          distance: try reader.requiredNumber(column("distance_m")),
          relative: try reader.number(column("relative_deg"))))
    }
    return rows
  }

  /// From the positions as a trace printed them, by PyPI geographiclib 2.1:
  /// `Geodesic.WGS84.Inverse(latitude, longitude, 51.4764, -0.0031)`, `azi1 % 360` and `s12`.
  private static let geographicLib: [(place: (Double, Double), bearing: Double, distance: Double)] =
    [
      ((51.4779, -0.0015), 213.66762692714076, 200.5183250392816),
      ((51.47778183592852, -0.0019993809380272633), 206.44494458837625, 171.70571595665157),
      ((51.47781425264249, -0.002802790330073501), 187.476394088338, 158.69516396611593),
      ((51.47773456845958, -0.003632466183795528), 166.0096352192302, 153.01958982726484),
      ((51.47756190386572, -0.004282782400779992), 147.5563012577009, 153.17788947290663),
      ((51.477046083783875, -0.004285097296653429), 131.12150049717764, 109.29834577667272),
      ((51.47699546941689, -0.0036227676056491418), 151.2673727647067, 75.5528753106666),
      ((51.477031862729866, -0.0027651720976876243), 198.3098025940876, 74.04827991669264),
      ((51.476999121277224, -0.0018694854102422396), 232.05725881019063, 108.40592879770288),
      ((51.47725033997913, -0.001300970459378337), 232.87789104775246, 156.75660339243376),
      ((51.47775538361655, -0.0014794954039317844), 216.74577082579924, 188.1886780052348),
      ((51.47795462229048, -0.0014984966652036996), 212.75321946914363, 205.66021766860538),
    ]

  @Test func traceAndHeadings() throws {
    convertShippedSets()
    let scene = try Scene(path: projectFolder + "/Examples/walk/scene.json")
    let folder = TemporaryFolder()
    let renderer = try OfflineRenderer(scene, catalogue: testCatalogue)
    let trace = try SceneTrace(path: folder.path + "/trace.csv", of: renderer)
    var frameCount = 0
    try renderer.render(
      onMove: { trace.append($0) }, onSound: { frameCount += $0.count / 2 })
    try trace.commit()
    let rows = try rows(of: folder.path + "/trace.csv")

    // 25 frames a second from 0 to 388.04 s.
    #expect(rows.count == 9702)
    #expect(rows.last?.time == 388.04)
    #expect(frameCount == 18_625_920)
    checkAgainstGeographicLib(rows)
    for row in rows { checkConsistency(row) }
    try checkAgainstTruth(rows)
  }

  private func checkAgainstGeographicLib(_ rows: [Row]) {
    for expected in Self.geographicLib {
      let row = rows.first {
        $0.place.latitude == expected.place.0 && $0.place.longitude == expected.place.1
      }
      #expect(row.map { abs($0.bearing - expected.bearing) <= 1e-9 } == true)
      #expect(row.map { abs($0.distance - expected.distance) <= 1e-6 } == true)
    }
  }

  private func checkConsistency(_ row: Row) {
    let source = ["head", "course", "phone"].first { row.headings[$0] != nil } ?? "none"
    #expect(row.source == source)
    #expect(row.presentation == row.headings[source])
    #expect((row.status == "calibrated") == (source == "head"))
    let relative = row.presentation.map { remainder(row.bearing - $0, 360) }
    #expect((relative == nil) == (row.relative == nil))
    if let relative, let traced = row.relative {
      #expect(abs(remainder(traced - relative, 360)) <= 1e-9)
      #expect(traced > -180 && traced <= 180)
    }
  }

  private func checkAgainstTruth(_ rows: [Row]) throws {
    let reader = try CSVReader(path: projectFolder + "/Examples/walk/truth.csv")
    let (time, heading) = (
      try reader.requiredColumn("time_s"), try reader.requiredColumn("heading_deg")
    )
    var truth: [Int: Double] = [:]
    while try reader.next() {
      truth[Int((try reader.requiredNumber(time) * 1000).rounded())] =
        try reader.requiredNumber(heading)
    }
    var sum = 0.0
    var count = 0
    for row in rows {
      guard let head = row.headings["head"],
        let expected = truth[Int((row.time * 1000).rounded())]
      else { continue }
      let error = signedDegrees(head - expected)
      sum += error * error
      count += 1
    }
    // The published calibration has a heading from 11.48 s on: 9415 frames.
    #expect(count >= 9415)
    #expect((sum / Double(count)).squareRoot() <= 4)
  }
}
