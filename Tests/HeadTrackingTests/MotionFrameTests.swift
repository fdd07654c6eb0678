import Files
import Geometry
import HeadTracking
import Testing

@Suite struct MotionFrameTests {
  static let time = Timestamp(nanoseconds: 5)

  static let directions: [(yaw: Double, frameYaw: Double)] = [
    (0, 180), (.pi / 2, 90), (-.pi / 2, 270), (.pi, 0), (-.pi, 0), (2 * .pi, 180),
    (0.5, 151.35211024345884),
  ]

  @Test(arguments: directions) func frameYawRunsClockwise(_ yaw: Double, _ expected: Double) {
    let frame = MotionFrame(time: Self.time, attitude: .identity, yaw: yaw)
    #expect(abs(signedDegrees(frame.frameYaw - expected)) < 1e-12)
  }

  @Test(arguments: [-3.0, -1.2, 0, 0.4, 2.9]) func yawIsTheAttitudes(_ yaw: Double) {
    let attitude = CoreMotionAngles(yaw: yaw, pitch: 0.7, roll: -1.1).quaternion
    #expect(abs(MotionFrame(time: Self.time, attitude: attitude).yaw - yaw) < 1e-12)
  }

  /// A head that is pitched at the reference and then turns about its own vertical has turned by that
  /// angle and pitched by none; the differences of its Euler angles say otherwise.
  @Test func recentringIsARotation() {
    let reference = CoreMotionAngles(yaw: 1, pitch: 0.6, roll: 0).quaternion
    let turned = reference * Quaternion(radians: 0.8, about: [0, 0, 1])
    let frame = MotionFrame(time: Self.time, attitude: turned).recentered(on: reference)
    #expect(frame.time == Self.time)
    #expect(abs(frame.yaw - 0.8) < 1e-12)
    let angles = CoreMotionAngles(frame.attitude)
    #expect(abs(angles.pitch) < 1e-12)
    #expect(abs(angles.roll) < 1e-12)
    #expect(abs(MotionFrame(time: Self.time, attitude: turned).yaw - 1 - 0.8) > 0.05)
  }

  @Test func theReferenceBecomesTheIdentity() {
    let reference = CoreMotionAngles(yaw: -2, pitch: 0.3, roll: 1).quaternion
    let frame = MotionFrame(time: Self.time, attitude: reference).recentered(on: reference)
    #expect(abs(frame.attitude.w - 1) < 1e-12)
    #expect(abs(frame.yaw) < 1e-12)
  }
}
