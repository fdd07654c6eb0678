import Geometry
import TestSupport
import Testing

/// The quaternions are SciPy 1.17.1's, `Rotation.from_euler(order, angles, degrees=True).as_quat()`
/// with the intrinsic orders 'ZXY' and 'ZYX', run once.
@Suite struct EulerAnglesTests {
  typealias Case = (Double, Double, Double, Double, Double, Double, Double)

  /// Yaw, pitch and roll about Z-X′-Y″ in degrees; x, y, z, w.
  static let coreMotion: [Case] = [
    (0, 0, 0, 0.0, 0.0, 0.0, 1.0),
    (30, 0, 0, 0.0, 0.0, 0.25881904510252074, 0.9659258262890683),
    (0, 40, 0, 0.3420201433256687, 0.0, 0.0, 0.9396926207859084),
    (0, 0, 50, 0.0, 0.42261826174069944, 0.0, 0.9063077870366499),
    (10, 20, 30, 0.14487812541736914, 0.2685358227515692, 0.12767944069578063, 0.943714364147489),
    (
      -170, -80, 175, 0.7599594097656182, 0.0946329354465885, -0.08925654788367428,
      -0.6368198895271289
    ),
    (
      123.4, 5.6, -78.9, 0.5766744298211735, -0.2676658997667438, 0.6643593604652958,
      0.39297354650743005
    ),
    (
      -45, 89.9, 60, 0.7006814711205934, 0.09278547266036072, 0.09180636833476843,
      0.7014327642936673
    ),
    (
      179.9, -0.1, -179.9, 0.9999988570206114, -0.0008734253937294691, 0.0008734253937294692,
      -0.0008719023075971094
    ),
    (
      90, -89.99, 1, -0.5043009765579888, -0.49557367955896026, 0.4956617042324924,
      0.5043874781637555
    ),
    (-90, 45, 90, 0.6532814824381882, 0.2705980500730985, -0.27059805007309845, 0.6532814824381883),
  ]

  @Test(arguments: coreMotion.indices)
  func coreMotionOrder(index: Int) throws {
    let (yaw, pitch, roll, x, y, z, w) = Self.coreMotion[index]
    let angles = CoreMotionAngles(
      yaw: radians(degrees: yaw), pitch: radians(degrees: pitch), roll: radians(degrees: roll))
    let expected = Quaternion(x: x, y: y, z: z, w: w)
    #expect(rotationAngle(angles.quaternion, expected) < 1e-14)
    let back = CoreMotionAngles(expected)
    #expect(abs(signedDegrees(degrees(radians: back.yaw) - yaw)) < 1e-9)
    #expect(abs(degrees(radians: back.pitch) - pitch) < 1e-9)
    #expect(abs(signedDegrees(degrees(radians: back.roll) - roll)) < 1e-9)
  }

  /// Yaw, pitch and roll about Z-Y′-X″ in degrees; x, y, z, w.
  static let aerospace: [Case] = [
    (0, 0, 0, 0.0, 0.0, 0.0, 1.0),
    (30, 0, 0, 0.0, 0.0, 0.25881904510252074, 0.9659258262890683),
    (0, 40, 0, 0.0, 0.3420201433256687, 0.0, 0.9396926207859084),
    (0, 0, 50, 0.42261826174069944, 0.0, 0.0, 0.9063077870366499),
    (10, 20, 30, 0.2392983377447303, 0.18930785741199999, 0.03813457647485015, 0.9515485246437885),
    (
      -170, -80, 175, 0.03877031808853133, -0.7648467554993346, 0.02268207295549396,
      0.6426444013635355
    ),
    (
      123.4, 5.6, -78.9, -0.33409049293573656, -0.5409084714047956, 0.6937901580521013,
      0.3383146238082599
    ),
    (
      -45, 89.9, 60, 0.5610658565948777, 0.42984738276739753, -0.5609047697841021,
      0.4310709585728527
    ),
    (
      179.9, -0.1, -179.9, -0.0008719023075971163, -0.9999988583497551, 0.0008719023075971164,
      0.0008734253937294622
    ),
    (
      90, -89.99, 1, 0.5043009765579888, -0.4955736795589603, 0.5043874781637554, 0.4956617042324925
    ),
    (
      -90, 45, 90, 0.6532814824381883, -0.27059805007309834, -0.6532814824381883,
      0.27059805007309856
    ),
  ]

  @Test(arguments: aerospace.indices)
  func aerospaceOrder(index: Int) throws {
    let (yaw, pitch, roll, x, y, z, w) = Self.aerospace[index]
    let angles = AerospaceAngles(
      yaw: radians(degrees: yaw), pitch: radians(degrees: pitch), roll: radians(degrees: roll))
    let expected = Quaternion(x: x, y: y, z: z, w: w)
    #expect(rotationAngle(angles.quaternion, expected) < 1e-14)
    let back = AerospaceAngles(expected)
    #expect(abs(signedDegrees(degrees(radians: back.yaw) - yaw)) < 1e-9)
    #expect(abs(degrees(radians: back.pitch) - pitch) < 1e-9)
    #expect(abs(signedDegrees(degrees(radians: back.roll) - roll)) < 1e-9)
  }

  /// Looking straight up or down, only yaw ± roll is defined: the angles must still describe the
  /// same rotation, with a roll of 0.
  @Test(arguments: [90.0, -90], [-170.0, -45, 0, 30, 180])
  func gimbalLock(pitch: Double, yaw: Double) {
    for roll in [0.0, 20, -130] {
      let motion = CoreMotionAngles(
        yaw: radians(degrees: yaw), pitch: radians(degrees: pitch), roll: radians(degrees: roll)
      ).quaternion
      let motionAngles = CoreMotionAngles(motion)
      #expect(motionAngles.roll == 0)
      #expect(abs(degrees(radians: motionAngles.pitch) - pitch) < 1e-5)
      #expect(rotationAngle(motionAngles.quaternion, motion) < 1e-7)

      let aerospace = AerospaceAngles(
        yaw: radians(degrees: yaw), pitch: radians(degrees: pitch), roll: radians(degrees: roll)
      ).quaternion
      let aerospaceAngles = AerospaceAngles(aerospace)
      #expect(aerospaceAngles.roll == 0)
      #expect(abs(degrees(radians: aerospaceAngles.pitch) - pitch) < 1e-5)
      #expect(rotationAngle(aerospaceAngles.quaternion, aerospace) < 1e-7)
    }
  }

  /// A length a little above 1 takes the arcsine's argument out of its domain.
  @Test func arcsineIsClamped() {
    let half = 0.5.squareRoot() * (1 + 1e-9)
    #expect(CoreMotionAngles(Quaternion(x: half, y: 0, z: 0, w: half)).pitch == .pi / 2)
    #expect(CoreMotionAngles(Quaternion(x: -half, y: 0, z: 0, w: half)).pitch == -.pi / 2)
    #expect(AerospaceAngles(Quaternion(x: 0, y: half, z: 0, w: half)).pitch == .pi / 2)
    #expect(AerospaceAngles(Quaternion(x: 0, y: -half, z: 0, w: half)).pitch == -.pi / 2)
  }

  @Test func anglesOfRandomRotationsDescribeThem() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      let q = try randomRotation(using: &generator)
      let motion = CoreMotionAngles(q)
      #expect(abs(motion.pitch) <= .pi / 2)
      #expect(rotationAngle(motion.quaternion, q) < 1e-7)
      let aerospace = AerospaceAngles(q)
      #expect(abs(aerospace.pitch) <= .pi / 2)
      #expect(rotationAngle(aerospace.quaternion, q) < 1e-7)
    }
  }
}

/// The angle of the rotation from one to the other, radians; q and −q are the same rotation.
private func rotationAngle(_ p: Quaternion, _ q: Quaternion) -> Double {
  let r = p * q.conjugate
  return 2 * Vector3(r.x, r.y, r.z).length
}

func randomRotation(using generator: inout SeededGenerator) throws -> Quaternion {
  while true {
    let parts = (0..<4).map { _ in Double.random(in: -1...1, using: &generator) }
    let (x, y, z, w) = (parts[0], parts[1], parts[2], parts[3])
    let length = (x * x + y * y + z * z + w * w).squareRoot()
    if length > 0.1, length < 1 {
      return try #require(Quaternion(normalizing: x / length, y / length, z / length, w / length))
    }
  }
}
