import Files
import Geometry
import HeadTracking
import Navigation
import Testing

struct UserReadingsTests {
  private static func time(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: 1_790_000_000_000_000_000) + seconds
  }

  private static let place = GeodeticCoordinate(latitude: 51.5, longitude: -0.1)

  private static func readings() -> UserReadings {
    var readings = UserReadings()
    readings.take(LocationFix(coordinate: place, course: 90), at: time(0))
    readings.take(PhoneHeading(time: time(1), trueHeading: 80))
    readings.takeHead(70, at: time(2))
    return readings
  }

  /// The head, of 2 s, goes after 2 s more, as does the phone, of 1 s, after 3 s; the course of 0 s went
  /// before.
  @Test(
    arguments: [
      (2, 70, .head), (4, 70, .head), (4.01, nil, nil),
    ] as [(Double, Double?, HeadingSource?)])
  func untilAllAreStale(_ seconds: Double, _ heading: Double?, _ source: HeadingSource?) {
    let geometry = Self.readings().geometry(at: Self.time(seconds))
    #expect(geometry.presentationHeading?.degrees == heading)
    #expect(geometry.presentationHeading?.source == source)
    #expect(geometry.location == Self.place)
  }

  @Test func limitsOfEach() {
    let readings = Self.readings()
    #expect(readings.geometry(at: Self.time(3)).course == 90)
    #expect(readings.geometry(at: Self.time(3.001)).course == nil)
    #expect(readings.geometry(at: Self.time(4)).phoneHeading == 80)
    #expect(readings.geometry(at: Self.time(4.001)).phoneHeading == nil)
    #expect(readings.geometry(at: Self.time(4)).headHeading == 70)
    #expect(readings.geometry(at: Self.time(4.001)).headHeading == nil)
    #expect(!readings.isLocationStale(at: Self.time(10)))
    #expect(readings.isLocationStale(at: Self.time(10.001)))
    let ages = readings.ages(at: Self.time(5))
    #expect(ages.location == 5 && ages.course == 5 && ages.phone == 4 && ages.head == 3)
  }

  @Test func limitsCanBeSet() {
    var readings = Self.readings()
    readings.limits = UserReadings.Limits(course: 60, phone: 1, head: 1, location: 1)
    let geometry = readings.geometry(at: Self.time(50))
    #expect(geometry.presentationHeading == PresentationHeading(degrees: 90, source: .course))
    #expect(readings.isLocationStale(at: Self.time(2)))
  }

  /// A source that says that it knows nothing is believed at once.
  @Test func whatIsTakenBack() {
    var readings = Self.readings()
    readings.takeHead(nil, at: Self.time(2.1))
    readings.take(PhoneHeading(time: Self.time(2.1), trueHeading: 80, headingAccuracy: -1))
    readings.take(LocationFix(coordinate: Self.place), at: Self.time(2.1))
    #expect(readings.geometry(at: Self.time(2.2)) == UserGeometry(location: Self.place))
    #expect(readings.ages(at: Self.time(2.2)).course == nil)
    readings.take(LocationFix(coordinate: Self.place, course: 5), at: Self.time(2.3))
    readings.loseLocation()
    #expect(readings.geometry(at: Self.time(2.4)).course == nil)
    #expect(UserReadings().isLocationStale(at: Self.time(0)))
    #expect(UserReadings().geometry(at: Self.time(0)) == UserGeometry())
  }
}
