import Compass
import Files
import Geometry
import Glibc
import TestSupport
import Testing

@Suite struct InterferenceTests {
  private let expected = FieldExpectation(strength: 48, dip: 66)

  /// The heading of a phone at 30°, pitch 10°, with a source that adds to the Earth's field.
  private func heading(
    adding source: Vector3, check: InterferenceCheck = InterferenceCheck()
  ) -> CompassHeading {
    var phone = SimulatedPhone()
    phone.earth += source
    let attitude = SimulatedPhone.attitude(30, 10, 0)
    var estimator = HeadingEstimator(check: check)
    return estimator.update(
      MagnetometerReading(
        time: Timestamp(nanoseconds: 0), field: phone.field(attitude),
        gravity: SimulatedPhone.gravity(attitude)), expected: expected)
  }

  @Test func cabinet() throws {
    let heading = heading(adding: Vector3(30, 0, 0))
    #expect(heading.faults == [.strength, .dip] && heading.isDisturbed)
    #expect(abs(try #require(heading.magneticHeading) - 333.1) < 0.06)
    #expect(try #require(heading.accuracy) > 57)
  }

  /// The limit of these checks: 8 µT east and 1.5 south keep strength and dip, and turn the heading by 24°.
  @Test func whatPassesUnseen() throws {
    let heading = heading(adding: Vector3(8, -1.5, 0))
    #expect(heading.faults == [] && !heading.isDisturbed)
    #expect(abs(try #require(heading.magneticHeading) - 6.1) < 0.06)
  }

  @Test func nothing() throws {
    let heading = heading(adding: Vector3())
    #expect(heading.faults == [])
    #expect(abs(try #require(heading.magneticHeading) - 30) < 1e-9)
    #expect(abs(heading.strength - 48) < 1e-9)
    #expect(abs(try #require(heading.dip) - 66) < 1e-9)
  }

  @Test func tolerancesCanBeSet() {
    let strict = InterferenceCheck(strengthTolerance: 0.001, dipTolerance: 0.1)
    #expect(heading(adding: Vector3(8, -1.5, 0), check: strict).faults == [.strength, .dip])
    let loose = InterferenceCheck(strengthTolerance: 0.2, dipTolerance: 16)
    #expect(heading(adding: Vector3(30, 0, 0), check: loose).faults == [])
  }

  @Test(arguments: [
    (55.1, 66.0, FieldFaults()), (55.3, 66, .strength), (40.9, 66, FieldFaults()),
    (40.7, 66, .strength), (48, 70.9, FieldFaults()), (48, 71.1, .dip), (48, 60.9, .dip),
    (.nan, 66, .strength), (48, .nan, .dip),
  ])
  func limits(strength: Double, dip: Double, faults: FieldFaults) {
    let check = InterferenceCheck()
    #expect(check.faults(strength: strength, dip: dip, expected: expected) == faults)
    #expect(
      check.faults(
        strength: strength, dip: dip, expected: FieldExpectation(strength: 48))
        == faults.subtracting(.dip))
  }
}

@Suite struct RotationCheckTests {
  /// A phone that turns to and fro about all axes at 50 Hz, and a source that comes and goes within a
  /// second; the share of readings at fault while it is there, and while it is not.
  private func shares(
    source: Vector3, from start: Double = 10, to end: Double = 20, rate: Double = 50,
    gyroscopeBias: Vector3 = Vector3(), isStill: Bool = false
  ) -> (during: Double, outside: Double) {
    var generator = SeededGenerator(seed: 7)
    var check = RotationCheck()
    var before: Quaternion?
    var (during, outside) = ((0.0, 0.0), (0.0, 0.0))
    for index in 0..<Int(30 * rate) {
      let time = Double(index) / rate
      let attitude =
        isStill
        ? SimulatedPhone.attitude(30, 10, 0)
        : SimulatedPhone.attitude(60 * sin(time), 20 + 15 * sin(2 * time), 10 * cos(1.3 * time))
      var phone = SimulatedPhone()
      let strength = min(max(0, time - start), max(0, end + 1 - time), 1)
      phone.earth += strength * source
      // The turn since the reading before, in the device's axes.
      let turn = (before?.conjugate ?? attitude.conjugate) * attitude
      let rotation = 2 * rate * Vector3(turn.x, turn.y, turn.z) * (turn.w < 0 ? -1 : 1)
      before = attitude
      let isAtFault = check.update(
        phone.field(attitude) + SimulatedPhone.noise(0.5, &generator),
        rotationRate: rotation + gyroscopeBias + SimulatedPhone.noise(0.01, &generator),
        after: index == 0 ? 0 : 1 / rate)
      if time > start + 1, time < end {
        during.0 += isAtFault == true ? 1 : 0
        during.1 += 1
      } else if time < start || time > end + 1 {
        outside.0 += isAtFault == true ? 1 : 0
        outside.1 += 1
      }
    }
    return (during.0 / during.1, outside.0 / outside.1)
  }

  /// What strength and dip do not see is seen as it comes, and until it goes.
  @Test(arguments: [false, true], [Triple(8, -1.5, 0), Triple(30, 0, 0)])
  func catchesWhatComes(isStill: Bool, source: Triple) {
    let shares = shares(source: source.vector, isStill: isStill)
    #expect(shares.during > 0.95 && shares.outside < 0.02, "\(shares)")
  }

  /// Half a degree a second of gyroscope bias is no disturbance.
  @Test func leavesASteadyFieldAlone() {
    let bias = radians(degrees: 0.5) * Vector3(1, -1, 1)
    for isStill in [false, true] {
      let shares = shares(source: Vector3(), gyroscopeBias: bias, isStill: isStill)
      #expect(shares.during == 0 && shares.outside == 0)
    }
  }

  /// The limit: what was there from the start is taken for the Earth's field; its going is seen.
  @Test func takesWhatIsThereFromTheStart() {
    let shares = shares(source: Vector3(8, -1.5, 0), from: -2, to: 15)
    #expect(shares.during < 0.02 && shares.outside > 0.9)
  }

  /// A turn that the gyroscope does not see is a change of the field.
  @Test func aTurnWithoutRotationIsAFault() {
    var check = RotationCheck()
    let faults = (0..<50).map { index in
      let field = SimulatedPhone().field(SimulatedPhone.attitude(Double(index), 0, 0))
      return check.update(field, rotationRate: Vector3(), after: index == 0 ? 0 : 0.02) ?? false
    }
    #expect(!faults[..<10].contains(true) && !faults[25...].contains(false))
  }

  @Test func cannotTellWithoutGyroscopeOrAcrossGaps() {
    var check = RotationCheck()
    let field = Vector3(0, 20, -40)
    #expect(check.update(field, rotationRate: nil, after: 0) == nil)
    #expect(check.update(field, rotationRate: Vector3(), after: 1) == nil)
    #expect(check.update(field, rotationRate: Vector3(), after: 0.02) == false)
    #expect(check.update(-field, rotationRate: Vector3(), after: 1) == nil)
    #expect(check.update(-field, rotationRate: Vector3(), after: 0.02) == false)
    #expect(check.update(field, rotationRate: Vector3(), after: -5) == nil)
    #expect(check.update(field, rotationRate: Vector3(.nan, 0, 0), after: 0.02) == nil)
    #expect(check.update(Vector3(.nan, 0, 0), rotationRate: Vector3(), after: 0.02) == nil)
  }

  /// A reference that the gyroscope has carried for too long is given up.
  @Test func startsAnewAfterHalfAMinute() {
    var check = RotationCheck()
    _ = check.update(Vector3(0, 20, -40), rotationRate: Vector3(), after: 0)
    let faults = (0..<2000).map { _ in
      check.update(Vector3(20, 0, -40), rotationRate: Vector3(), after: 0.02)
    }
    #expect(faults.firstIndex(of: false).map { $0 > 1400 && $0 < 1600 } == true)
  }
}
