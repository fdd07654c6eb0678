import Files
import Geometry
import Testing

@testable import HeadTracking

@Suite struct CalibrationWindowTests {
  /// The estimates of a window over a list of differences, by the index of the sample they came with.
  static func estimates(_ differences: [Double]) -> [Int: CalibrationWindow.Estimate] {
    var window = CalibrationWindow()
    var result: [Int: CalibrationWindow.Estimate] = [:]
    for (index, difference) in differences.enumerated() {
      result[index] = window.add(reference: positiveDegrees(difference + 77), yaw: 77)
    }
    return result
  }

  /// Rounding takes the mean resultant length of half of all constant windows above 1.
  @Test(arguments: 0..<360) func aConstantWindowCalibrates(_ offset: Int) throws {
    let result = Self.estimates(Array(repeating: Double(offset), count: 450))
    #expect(result.keys.sorted() == [200, 401])
    let estimate = try #require(result[200])
    #expect(abs(signedDegrees(estimate.offset - Double(offset))) < 1e-9)
    #expect((0..<1e-4).contains(estimate.accuracy))
  }

  /// Half of the differences a to the left, half to the right: R = cos a, whose standard deviation
  /// √(−2 ln cos a) is 10° at a = acos(exp(−(10π/180)²/2)) = 9.9746346516986°.
  @Test(arguments: [(9.97463, true), (9.97464, false), (20, false), (0, true)])
  func theGateIsTenDegrees(_ amplitude: Double, _ passes: Bool) {
    let result = Self.estimates((0..<201).map { $0 % 2 == 0 ? amplitude : -amplitude })
    #expect((result[200] != nil) == passes)
  }

  /// Three of 200 differences 90° off spread by 9.92°, four by 11.46°. With five at the front, the
  /// 200 newest hold four at sample 200 and three at sample 201.
  @Test func theWindowSlidesUntilItPasses() throws {
    let result = Self.estimates((0..<402).map { $0 < 5 ? 90 : 0 })
    #expect(result.keys.sorted() == [201])
    let estimate = try #require(result[201])
    #expect(abs(estimate.offset - 0.8724571229020331) < 1e-9)
    #expect(abs(estimate.accuracy - 9.92315884687637) < 1e-9)
  }

  @Test func differencesThatCancelGiveNothing() {
    #expect(Self.estimates((0..<1000).map { Double($0 % 4 * 90) }).isEmpty)
  }

  @Test(arguments: [Double.nan, .infinity]) func whatIsNotFiniteClears(_ reference: Double) {
    var window = CalibrationWindow()
    for _ in 0..<200 { #expect(window.add(reference: 10, yaw: 0) == nil) }
    #expect(window.add(reference: reference, yaw: 0) == nil)
    for _ in 0..<200 { #expect(window.add(reference: 10, yaw: 0) == nil) }
    #expect(window.add(reference: 10, yaw: 0) != nil)
  }

  @Test func clearingStartsAnew() {
    var window = CalibrationWindow()
    for _ in 0..<200 { #expect(window.add(reference: 10, yaw: 0) == nil) }
    window.clear()
    for _ in 0..<200 { #expect(window.add(reference: 10, yaw: 0) == nil) }
    #expect(window.add(reference: 10, yaw: 0) != nil)
  }
}

@Suite struct CircularKalmanFilterTests {
  struct Case {
    let sigma: Double
    /// Seconds, degrees, degrees.
    let measurements: [(time: Double, direction: Double, accuracy: Double)]
    let directions: [Double]
  }

  /// Expected values from a filter of ten lines of Python on the same measurements, written from the
  /// published description: P += max(0, Δt) σ², K = P/(P + a²), x += K (z − x), P *= 1 − K.
  static let cases = [
    Case(
      sigma: 1, measurements: [(0, 10, 3), (8, 20, 3), (16, 350, 5), (16, 355, 1), (24, 10, 9.9)],
      directions: [
        10, 16.542006416134207, 7.106763130218391, 356.18384630058483, 357.3303099446816,
      ]),
    // The accuracy is floored at 0.1°.
    Case(
      sigma: 1, measurements: [(0, 359, 0), (1, 1, 0), (2, 3, 0)],
      directions: [359, 0.9803960222316936, 2.980202154152917]),
    // Time that goes backwards adds no variance, and is the time that the next step counts from.
    Case(
      sigma: 1, measurements: [(10, 100, 5), (5, 110, 5), (6, 110, 5)],
      directions: [100, 105, 106.7571598312227]),
    Case(
      sigma: 3, measurements: [(0, 350, 20), (1, 30, 15), (2, 200, 8)],
      directions: [350, 16.029891916913837, 202.55532626471845]),
  ]

  @Test(arguments: cases) func followsTheMeasurements(_ row: Case) throws {
    var filter = CircularKalmanFilter(sigma: row.sigma)
    #expect(filter.direction == nil)
    for (measurement, expected) in zip(row.measurements, row.directions) {
      filter.update(
        direction: measurement.direction, accuracy: measurement.accuracy,
        at: Timestamp(nanoseconds: Int64(measurement.time * 1e9)))
      let direction = try #require(filter.direction)
      #expect(abs(signedDegrees(direction - expected)) < 1e-9)
    }
  }
}

@Suite struct ClassicCalibratorTests {
  /// The index of the first frame with an offset, and that offset, of a still head with yaw 180°.
  static func first(
    _ frames: Int, phone: (Int) -> Double?, course: (Int) -> Double?
  ) -> (index: Int, offset: Double)? {
    var calibrator = ClassicCalibrator()
    for index in 0..<frames {
      let time = Timestamp(nanoseconds: Int64(index) * 40_000_000)
      calibrator.update(
        MotionFrame(time: time, attitude: .identity), phoneHeading: phone(index),
        course: course(index))
      if let offset = calibrator.offset { return (index, offset) }
    }
    return nil
  }

  @Test func eitherReferenceIsEnough() throws {
    let phone = try #require(Self.first(300, phone: { _ in 190 }, course: { _ in nil }))
    let course = try #require(Self.first(300, phone: { _ in nil }, course: { _ in 170 }))
    #expect(phone.index == 200)
    #expect(course.index == 200)
    #expect(abs(phone.offset - 10) < 1e-9)
    #expect(abs(course.offset - 350) < 1e-9)
  }

  /// Two estimates of the same accuracy at the same moment weigh the same.
  @Test func bothFeedOneFilter() throws {
    let result = try #require(Self.first(300, phone: { _ in 190 }, course: { _ in 200 }))
    #expect(result.index == 200)
    #expect(abs(result.offset - 15) < 1e-9)
  }

  @Test(arguments: [0, 1, 100, 199, 200]) func aMissingReferenceClearsItsWindow(_ gap: Int) throws {
    let alone = try #require(
      Self.first(500, phone: { $0 == gap ? nil : 190 }, course: { _ in nil }))
    #expect(alone.index == gap + 201)
    let other = try #require(
      Self.first(500, phone: { $0 == gap ? nil : 190 }, course: { _ in 200 }))
    #expect(other.index == 200)
    #expect(abs(other.offset - 20) < 1e-9)
  }

  @Test func noReferenceNoOffset() {
    #expect(Self.first(1000, phone: { _ in nil }, course: { _ in nil }) == nil)
  }
}
