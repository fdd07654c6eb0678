import Files
import Geometry
import Testing

@testable import HeadTracking

@Suite struct AdaptiveCalibratorTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let walk: SimulatedWalk
    /// The largest RMS error of any seed, degrees, and the latest first heading, seconds.
    let rms: Double
    let first: Double
    /// The error that is never exceeded for a second, degrees.
    var gross = 30.0
  }

  /// Coarse bounds: `Benchmarks/calibration.py` prints what is really reached.
  static let cases = [
    Case(testDescription: "straight", walk: SimulatedWalk(), rms: 4, first: 6),
    Case(
      testDescription: "corners and glances", walk: SimulatedWalk(glances: 9, corners: 40), rms: 4,
      first: 9),
    Case(
      testDescription: "no phone", walk: SimulatedWalk(glances: 9, corners: 40) { _ in nil },
      rms: 4, first: 12),
    Case(
      testDescription: "no course",
      walk: SimulatedWalk(glances: 12, corners: 40, hasCourse: { _ in false }), rms: 9, first: 16),
    Case(
      testDescription: "in a pocket", walk: SimulatedWalk(glances: 12) { _ in 75 }, rms: 4, first: 9
    ),
    Case(
      testDescription: "a magnet", walk: SimulatedWalk(glances: 12) { 40..<80 ~= $0 ? 43 : 3 },
      rms: 4, first: 9),
    Case(
      testDescription: "a field that no check of it sees",
      walk: SimulatedWalk(glances: 12) { 40..<80 ~= $0 ? -24 : 0 }, rms: 4, first: 9),
    Case(
      testDescription: "a magnet from the start",
      walk: SimulatedWalk(glances: 12) { $0 < 60 ? 43 : 3 }, rms: 4, first: 9),
    Case(
      testDescription: "a magnet and no course",
      walk: SimulatedWalk(phoneBias: { 40..<80 ~= $0 ? 43 : 3 }, hasCourse: { _ in false }),
      rms: 9, first: 9),
    Case(testDescription: "drift", walk: SimulatedWalk(seconds: 240, drift: 4), rms: 5, first: 6),
    Case(
      testDescription: "drift the other way in a pocket",
      walk: SimulatedWalk(seconds: 240, drift: -3, glances: 12) { _ in 75 }, rms: 5, first: 9),
    Case(
      testDescription: "a stop",
      walk: SimulatedWalk(glances: 9, corners: 40, hasCourse: { !(40..<80 ~= $0) }), rms: 4,
      first: 9),
    Case(
      testDescription: "late course", walk: SimulatedWalk(glances: 9, corners: 30, courseLag: 2),
      rms: 5, first: 9),
    Case(
      testDescription: "noisy course", walk: SimulatedWalk(glances: 9, courseNoise: 12), rms: 7,
      first: 12),
    Case(
      testDescription: "20 s aside",
      walk: SimulatedWalk(corners: 40, aside: { 60..<80 ~= $0 ? 60 : 0 }), rms: 4, first: 6),
    Case(testDescription: "100 Hz", walk: SimulatedWalk(rate: 100, glances: 9), rms: 4, first: 9),
    Case(testDescription: "10 Hz", walk: SimulatedWalk(rate: 10, glances: 9), rms: 4, first: 9),
  ]

  @Test(arguments: cases, 1...3) func keepsTheHeading(_ row: Case, _ seed: Int) throws {
    let frames = row.walk.track(HeadTracker(), seed: UInt64(seed))
    let errors = frames.errors
    #expect(try #require(errors.first).frame.seconds <= row.first)
    #expect(frames.rms < row.rms)
    let perSecond = Int(row.walk.rate)
    var inARow = 0
    for (_, error) in errors {
      inARow = abs(error) > row.gross ? inARow + 1 : 0
      #expect(inARow <= perSecond)
    }
  }

  /// Over many walks the true heading lies within the uncertainty about as often as it says, rather
  /// more often.
  @Test func theUncertaintyIsHonest() {
    var (inside, all) = (0, 0)
    var widths = 0.0
    for seed in 10..<40 as Range<UInt64> {
      for (frame, error) in SimulatedWalk(seconds: 60, rate: 10, glances: 10)
        .track(HeadTracker(), seed: seed).errors
      {
        let width = frame.pose.uncertainty ?? 0
        all += 1
        inside += abs(error) <= width ? 1 : 0
        widths += width
      }
    }
    #expect(Double(inside) >= 0.93 * Double(all))
    #expect(widths / Double(all) < 8)
  }

  /// While only the phone speaks, its bias bounds what is known; with a course it does not.
  @Test func aPhoneAloneIsLessSure() throws {
    let alone = SimulatedWalk(hasCourse: { _ in false }).track(HeadTracker(), seed: 1)
    let both = SimulatedWalk().track(HeadTracker(), seed: 1)
    #expect(try #require(alone.last?.pose.uncertainty) > 10)
    #expect(try #require(both.last?.pose.uncertainty) < 5)
    #expect(alone.first?.pose.heading == nil)
    #expect(try #require(alone.first?.pose.uncertainty) > 15)
  }

  /// A new zero that nobody told is found again, without a jump.
  @Test func recoversFromAnUntoldZero() throws {
    let frames = SimulatedWalk(zero: { $0 < 30 ? 0 : 130 }).track(HeadTracker(), seed: 4)
    let after = frames.errors.filter { $0.frame.seconds > 50 }
    #expect(after.count > 1000)
    #expect(after.allSatisfy { abs($0.error) < 12 })
    for (before, after) in zip(frames.errors, frames.errors.dropFirst()) {
      let (old, new) = (before.frame.pose.offset ?? 0, after.frame.pose.offset ?? 0)
      #expect(abs(signedDegrees(new - old)) <= 20 / 25 + 1e-9)
    }
  }

  /// A fix that is held counts once: with one fix alone there is no heading for long.
  @Test func aHeldFixIsOneObservation() {
    var calibrator = AdaptiveCalibrator()
    let fix = ReferenceSeries.Reading(time: Self.time(0), direction: 90)
    for index in 0..<500 {
      calibrator.update(
        MotionFrame(time: Self.time(40 * Int64(index)), attitude: .identity), phoneHeading: nil,
        course: fix)
      #expect(calibrator.offset == nil)
    }
  }

  static func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(nanoseconds: milliseconds * 1_000_000)
  }

  /// Garbage among good frames: the offset is that without it.
  @Test func garbageChangesNothing() throws {
    func run(_ garbage: Bool) -> AdaptiveCalibrator {
      var calibrator = AdaptiveCalibrator()
      for index in 0..<1000 as Range<Int64> {
        let now = Self.time(40 * index)
        let frame = MotionFrame(time: now, attitude: .identity)
        let course = ReferenceSeries.Reading(time: Self.time(40 * (index / 25 * 25)), direction: 90)
        if garbage, index % 7 == 3 {
          for yaw in [Double.nan, .infinity, -.infinity] {
            calibrator.update(
              MotionFrame(time: now, attitude: .identity, yaw: yaw), phoneHeading: nil,
              course: course)
          }
          calibrator.update(
            MotionFrame(time: Self.time(40 * index - 1000), attitude: .identity, yaw: 1),
            phoneHeading: nil, course: course)
        }
        calibrator.update(
          frame,
          phoneHeading: garbage ? .init(time: now, direction: .nan) : nil, course: course)
      }
      return calibrator
    }
    let (clean, dirty) = (run(false), run(true))
    #expect(abs(signedDegrees(try #require(clean.offset) - 270)) < 1)
    #expect(clean.offset == dirty.offset)
    #expect(clean.uncertainty == dirty.uncertainty)
  }

  /// Directions of any size, times of any distance: values stay finite.
  @Test func extremesStayFinite() {
    var calibrator = AdaptiveCalibrator()
    let steps: [Int64] = [1, 1_000_000_000, 40_000_000, 1_000_000_000_000_000, 3, 500_000_000]
    var now: Int64 = .min / 2
    for index in 0..<2000 {
      now += steps[index % steps.count]
      let time = Timestamp(nanoseconds: now)
      calibrator.update(
        MotionFrame(time: time, attitude: .identity, yaw: Double(index * index % 7) - 3),
        phoneHeading: .init(time: time, direction: [1e300, -1e9, 0, 359.999][index % 4]),
        course: .init(time: time, direction: Double(index * 97 % 1000)))
      #expect(calibrator.offset?.isFinite ?? true)
      #expect(calibrator.uncertainty.map { (0...180).contains($0) } ?? true)
    }
  }
}

@Suite struct SteadyOffsetTests {
  @Test(arguments: [10.0, 25, 50, 100]) func neverJumps(_ rate: Double) {
    var offset = SteadyOffset(170)
    var frames = 0
    while abs(signedDegrees(-20 - offset.degrees)) > 1, frames < 10_000 {
      let before = offset.degrees
      offset.follow(-20, seconds: 1 / rate)
      let step = abs(signedDegrees(offset.degrees - before))
      #expect(step <= 1 + 1e-9 && step * rate <= 20 + 1e-6)
      frames += 1
    }
    // Over the back: 170° by the short way.
    #expect(Double(frames) / rate < 20)
  }
}

@Suite struct TurnMemoryTests {
  /// After a corner or a glance of 2 s: of a sweep of 90°, half of what is beyond 15° may lag.
  @Test(arguments: [(90.0, 90.0, 37.5), (90, 0, 0), (0, 90, 0), (10, 12, 0), (-90, -90, 37.5)])
  func onlyATurnMayLag(_ yawTurn: Double, _ courseTurn: Double, _ lag: Double) {
    var memory = TurnMemory()
    var last = 0.0
    for second in 0...2 {
      for frame in 0..<25 {
        let time = Double(second) + Double(frame) / 25
        memory.add(yaw: positiveDegrees(350 + yawTurn * min(1, time / 2)), seconds: 0.04)
      }
      last = memory.lag(course: positiveDegrees(20 + courseTurn * min(1, Double(second) / 2)))
    }
    #expect(abs(last - lag) < 5)
  }
}
