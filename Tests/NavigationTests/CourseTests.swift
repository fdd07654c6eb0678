import Files
import Geometry
import Navigation
import TestSupport
import Testing

/// A track of fixes a second apart, each reached from the one before on (bearing, distance).
private func track(
  _ steps: [(bearing: Double, distance: Double)], seconds: Double = 1, logged: Double? = nil
) -> Track {
  var place = GeodeticCoordinate(latitude: 51.5, longitude: -0.12)
  var fixes = [LocationFix(time: Timestamp(nanoseconds: 0), coordinate: place)]
  for (index, step) in steps.enumerated() {
    place = place.destination(bearing: step.bearing, distance: step.distance)
    fixes.append(
      LocationFix(
        time: Timestamp(nanoseconds: Int64(Double(index + 1) * seconds * 1e9)), coordinate: place,
        course: index == 0 ? logged : nil, courseAccuracy: index == 0 ? logged.map { _ in 3 } : nil)
    )
  }
  guard let track = Track(fixes: fixes) else { preconditionFailure("no track") }
  return track
}

struct CourseTests {
  /// 1.4 m/s north-east: after four steps 5.6 m lie behind.
  @Test func straightWalk() throws {
    let courses = track(Array(repeating: (45, 1.4), count: 8)).derivedCourses
    #expect(courses.prefix(4) == [nil, nil, nil, nil])
    for course in courses.dropFirst(4) { #expect(abs(try #require(course) - 45) < 1e-3) }
  }

  /// A stay of a minute among fixes that wander by a metre; before it a walk, whose last course must
  /// fade within 12.5 s.
  @Test func stayHasNoCourse() {
    let walk = Array(repeating: (bearing: 90.0, distance: 1.4), count: 6)
    let stay = (0..<60).map { (bearing: 137.0 * Double($0), distance: 0.8) }
    let courses = track(walk + stay).derivedCourses
    #expect(courses[6] != nil)
    #expect(courses.dropFirst(6 + 13).allSatisfy { $0 == nil })
  }

  /// Fixes farther apart than 12.5 s, at walking speed and at a drift.
  @Test(arguments: [(30.0, 40.0, true), (30, 11, false), (10, 4.9, false), (10, 5.1, true)])
  func sparseFixes(seconds: Double, distance: Double, hasCourse: Bool) {
    let courses = track([(200, distance)], seconds: seconds).derivedCourses
    #expect((courses[1] != nil) == hasCourse)
  }

  @Test func courseIsCausal() {
    let there = Array(repeating: (bearing: 0.0, distance: 2.0), count: 5)
    let back = Array(repeating: (bearing: 180.0, distance: 2.0), count: 5)
    #expect(track(there + back).derivedCourses.prefix(6) == track(there).derivedCourses[...])
  }

  @Test(
    arguments: [
      (CourseSource.logged, 77.0, 77.0), (.derived, 77, 0), (.automatic, 77, 77),
      (.automatic, nil, 0), (.logged, nil, nil),
    ] as [(CourseSource, Double?, Double?)])
  func source(_ source: CourseSource, logged: Double?, expected: Double?) {
    let fix = track([(0, 6)], logged: logged).courses(from: source).fixes[1]
    #expect(fix.course.map { ($0 * 1e6).rounded() / 1e6 } == expected)
    #expect(fix.courseAccuracy == (expected == 77 ? 3 : nil))
  }

  /// Derived against logged courses where the speed is above 0.7 m/s and a course was logged. The
  /// expected numbers come from the same rule written in Python on geographiclib 2.1: for each fix
  /// the newest earlier one at least 5 m away, not more than 12.5 s ago, at 0.4 m/s or more.
  @Test(
    .enabled(if: testDataFolder != nil),
    arguments: [
      ("walk-611m", 351, 5.079474409588812, [0, 1, 2, 3, 353, 354, 355, 356]),
      ("walk-345m-as-logged", 213, 5.814873095336225, [0, 1, 2]),
    ])
  func agreesWithLoggedCourses(
    _ file: String, compared: Int, median: Double, without: [Int]
  ) throws {
    let track = try Track(path: (testDataFolder ?? "") + "/gpx/\(file).gpx")
    let derived = track.derivedCourses
    let differences = zip(track.fixes, derived).compactMap { fix, course -> Double? in
      guard let speed = fix.speed, speed > 0.7, let logged = fix.course, let course else {
        return nil
      }
      return abs(signedDegrees(course - logged))
    }
    #expect(differences.count == compared)
    #expect(abs(differences.sorted()[differences.count / 2] - median) < 1e-6)
    #expect(derived.indices.filter { derived[$0] == nil } == without)
  }
}
