import Files
import Geometry
import Navigation
import Testing

private func time(_ seconds: Double) -> Timestamp {
  Timestamp(nanoseconds: Int64(seconds * 1e9))
}

private func track(_ fixes: [(seconds: Double, latitude: Double, longitude: Double)]) -> Track {
  let fixes = fixes.map {
    LocationFix(
      time: time($0.seconds),
      coordinate: GeodeticCoordinate(latitude: $0.latitude, longitude: $0.longitude))
  }
  guard let track = Track(fixes: fixes) else { preconditionFailure("no track") }
  return track
}

struct TrackCursorTests {
  private let steps = track([(1, 10, 0), (2, 20, 0), (2, 30, 0), (5, 40, 0)])

  /// Moments in any order, with the latitude of the newest fix not later.
  @Test func newestFixNotLater() {
    let moments: [(Double, Double?)] = [
      (0.5, nil), (1, 10), (1.999, 10), (2, 30), (4.999, 30), (5, 40), (1e6, 40), (2, 30),
      (1.5, 10), (0.999, nil), (3, 30), (0, nil), (99, 40),
    ]
    var cursor = TrackCursor(steps)
    for (moment, latitude) in moments {
      #expect(cursor.fix(at: time(moment))?.coordinate.latitude == latitude)
    }
  }

  @Test func positionIsHeldBeforeAndAfterAndExactAtFixes() {
    var cursor = TrackCursor(steps)
    for (moment, latitude) in [(0, 10), (1, 10), (2, 30), (5, 40), (6, 40), (0.5, 10)] {
      #expect(
        cursor.position(at: time(moment))
          == GeodeticCoordinate(latitude: Double(latitude), longitude: 0))
    }
  }

  /// Python's geographiclib 2.1: `g = Geodesic.WGS84.Inverse(*a, *b)`, then
  /// `Geodesic.WGS84.Direct(*a, g["azi1"], part * g["s12"])`.
  @Test(arguments: [
    (51.5, -0.12, 51.501, -0.118, 0.25, 51.50025000321299, -0.11950000820685927),
    (-16.5, 179.9995, -16.501, -179.9995, 0.75, -16.500750000457316, -179.99975000096345),
    (40.7128, -74.006, 51.5074, -0.1278, 0.5, 52.38947447273703, -41.27790142895784),
  ])
  func positionBetweenFixesIsOnTheirGeodesic(
    _ latitude0: Double, _ longitude0: Double, _ latitude1: Double, _ longitude1: Double,
    part: Double, latitude: Double, longitude: Double
  ) {
    var cursor = TrackCursor(track([(0, latitude0, longitude0), (8, latitude1, longitude1)]))
    _ = cursor.position(at: time(1))
    let position = cursor.position(at: time(8 * part))
    #expect(abs(position.latitude - latitude) < 1e-12)
    #expect(abs(position.longitude - longitude) < 1e-12)
  }
}
