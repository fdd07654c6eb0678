import Aurient
import Files
import Geometry
import HeadTracking
import Navigation
import Testing

/// Courses and headings of poor accuracy are nothing to face.
@Suite struct PoorReferenceTests {
  private static func time(_ second: Int) -> Timestamp {
    Timestamp(nanoseconds: Int64(second) * 1_000_000_000)
  }

  /// Accuracies of course and phone a second, and what is faced; nil for unknown.
  private static let seconds: [(course: Double?, phone: Double?, source: HeadingSource?)] = [
    (45, 50, nil), (45, 30, .phone), (45, 40, .phone), (15, 41, .course), (20, 5, .course),
    (21, 5, .phone), (16, -1, nil), (nil, 5, .course), (4, nil, .course), (90, nil, .phone),
  ]

  @Test func followsTheAccuracies() throws {
    let fixes = Self.seconds.enumerated().map { second, row in
      LocationFix(
        time: Self.time(second), coordinate: GeodeticCoordinate(latitude: 51, longitude: 0),
        course: 10, courseAccuracy: row.course)
    }
    let phone = Self.seconds.enumerated().map { second, row in
      let reading = PhoneHeading(
        time: Self.time(second), trueHeading: 100, headingAccuracy: row.phone)
      return ReferenceSeries.Reading(
        time: reading.time, direction: reading.heading, accuracy: reading.headingAccuracy)
    }
    var scene = WalkingScene(
      track: try #require(Track(fixes: fixes)), phone: ReferenceSeries(phone), beacons: [],
      isYawOnly: false)
    let sources = Self.seconds.indices.map { second in
      scene.advance(to: Self.time(second))
      return scene.heading?.source
    }
    #expect(sources == Self.seconds.map(\.source))
  }
}
