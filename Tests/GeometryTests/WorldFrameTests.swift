import Geometry
import Glibc
import TestSupport
import Testing

@Suite struct WorldFrameTests {
  @Test(
    arguments: [
      (0.0, 0.0, [0.0, 1, 0]), (90, 0, [1, 0, 0]), (180, 0, [0, -1, 0]), (270, 0, [-1, 0, 0]),
      (0, 90, [0, 0, 1]), (123, -90, [0, 0, -1]),
    ] as [(Double, Double, [Double])])
  func directions(azimuth: Double, elevation: Double, expected: [Double]) {
    let direction = WorldFrame.direction(azimuth: azimuth, elevation: elevation)
    #expect((direction - Vector3(expected[0], expected[1], expected[2])).length < 1e-15)
  }

  /// A level head turned to a heading h looks along (sin h, cos h), whatever zero its yaw had.
  @Test(arguments: Array(stride(from: 0.0, to: 360, by: 7.5)), [-157.0, 0, 12.5, 180])
  func levelHead(heading: Double, yaw: Double) {
    let angles = CoreMotionAngles(yaw: radians(degrees: yaw), pitch: 0, roll: 0)
    let head = WorldFrame.attitude(angles.quaternion, yaw: angles.yaw, heading: heading)
    let expected = Vector3(sin(heading * .pi / 180), cos(heading * .pi / 180), 0)
    #expect((WorldFrame.ahead(head) - expected).length < 1e-14)
    #expect((WorldFrame.up(head) - [0, 0, 1]).length < 1e-14)
  }

  /// Pitch and roll stay: the nose keeps its elevation, and points to the heading in plan.
  @Test func tiltedHead() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<1000 {
      let angles = CoreMotionAngles(
        yaw: .random(in: -3...3, using: &generator),
        pitch: .random(in: -1.5...1.5, using: &generator),
        roll: .random(in: -3...3, using: &generator))
      let heading = Double.random(in: 0..<360, using: &generator)
      let head = WorldFrame.attitude(angles.quaternion, yaw: angles.yaw, heading: heading)
      let ahead = WorldFrame.ahead(head)
      #expect(abs(ahead.z - sin(angles.pitch)) < 1e-14)
      #expect(
        (ahead
          - WorldFrame.direction(
            azimuth: heading, elevation: degrees(radians: angles.pitch))).length < 1e-14)
      let turned = CoreMotionAngles(head)
      #expect(abs(turned.pitch - angles.pitch) < 1e-12)
      #expect(abs(signedDegrees(degrees(radians: turned.roll - angles.roll))) < 1e-9)
    }
  }
}
