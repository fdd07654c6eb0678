import Compass
import Geometry
import Testing

@Suite struct HorizontalFrameTests {
  /// Heading, pitch and roll; headings of an attitude by construction.
  @Test(arguments: [
    Triple(30, 0, 0), Triple(30, 5, 0), Triple(30, 60, 0), Triple(315, 70, -35),
    Triple(0, -89, 170),
    Triple(359.999, 45, -90), Triple(180, 20, 180), Triple(90, -40, 12.5),
  ])
  func isExactAtAnyAttitude(angles: Triple) throws {
    let attitude = SimulatedPhone.attitude(angles.x, angles.y, angles.z)
    let frame = try #require(
      HorizontalFrame(
        field: SimulatedPhone().field(attitude), gravity: 9.81 * SimulatedPhone.gravity(attitude)))
    let heading = try #require(frame.heading(of: PointingAxis.topEdge.direction))
    #expect(abs(signedDegrees(heading - angles.x)) < 1e-9)
    #expect(abs(frame.dip - 66) < 1e-9)
    #expect(abs(frame.elevation(of: PointingAxis.topEdge.direction) - angles.y) < 1e-9)
  }

  /// By numpy, with the top edge lowered: m = R.T @ [0, 48 cos 66°, −48 sin 66°], R = Rz(−30°) @ Rx(−p),
  /// `np.degrees(np.arctan2(-m[0], m[1])) - 30`.
  @Test(arguments: [(5.0, -4.72), (10, -8.09), (20, -12.46), (40, -16.65), (60, -18.13)])
  func theFlatFormulaErrs(pitch: Double, error: Double) {
    let field = SimulatedPhone().field(SimulatedPhone.attitude(30, -pitch, 0))
    #expect(abs(signedDegrees(HorizontalFrame.flatHeading(field: field) - 30) - error) < 0.005)
  }

  /// A phone held like a camera: its back faces ahead.
  @Test(arguments: [(10.0, 90.0), (200, 90), (300, 80), (45, 100)])
  func theCameraPointsAhead(heading: Double, pitch: Double) throws {
    let attitude = SimulatedPhone.attitude(heading, pitch, 0)
    let frame = try #require(
      HorizontalFrame(
        field: SimulatedPhone().field(attitude), gravity: SimulatedPhone.gravity(attitude)))
    let camera = try #require(frame.heading(of: PointingAxis.backCamera.direction))
    #expect(abs(signedDegrees(camera - heading)) < 1e-9)
  }

  @Test func theAxisChangesWithHysteresis() throws {
    var choice = PointingAxisChoice()
    let pitches = [0.0, 70, 74, 76, 70, 66, 64, 70, -76, -66, -60, 100, 120]
    let axes = try pitches.map { pitch in
      let attitude = SimulatedPhone.attitude(123, pitch, 0)
      choice.update(
        try #require(
          HorizontalFrame(
            field: SimulatedPhone().field(attitude), gravity: SimulatedPhone.gravity(attitude))))
      return choice.axis == .backCamera
    }
    #expect(
      axes == [
        false, false, false, true, true, true, false, false, true, true, false, true, false,
      ])
  }

  @Test(arguments: [
    (Triple(0, 0, 0), Triple(0, 0, -1)), (Triple(20, 0, -40), Triple(0, 0, 0)),
    (Triple(0, 0, -48), Triple(0, 0, -1)), (Triple(.nan, 1, 1), Triple(0, 0, -1)),
    (Triple(1, 1, 1), Triple(0, .nan, -1)), (Triple(1, 1, 1), Triple(.infinity, 0, 0)),
    (Triple(.infinity, 0, 0), Triple(0, 0, -1)),
  ])
  func degenerateInputHasNoFrame(field: Triple, gravity: Triple) {
    #expect(HorizontalFrame(field: field.vector, gravity: gravity.vector) == nil)
  }

  @Test func aVerticalAxisHasNoHeading() {
    let frame = HorizontalFrame(field: Vector3(0, 20, -40), gravity: Vector3(0, 0, -1))
    #expect(frame?.heading(of: Vector3(0, 0, 1)) == nil)
  }
}
