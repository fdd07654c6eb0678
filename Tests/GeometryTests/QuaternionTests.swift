import Geometry
import TestSupport
import Testing

@Suite struct QuaternionTests {
  @Test func turnsAreRightHanded() {
    let quarter = Double.pi / 2
    let turns: [(Vector3, Vector3, Vector3)] = [
      ([0, 0, 1], [1, 0, 0], [0, 1, 0]), ([1, 0, 0], [0, 1, 0], [0, 0, 1]),
      ([0, 1, 0], [0, 0, 1], [1, 0, 0]),
    ]
    for (axis, from, to) in turns {
      let turned = Quaternion(radians: quarter, about: axis).rotate(from)
      #expect((turned - to).length < 1e-15)
    }
  }

  @Test func productTurnsByItsRightFactorFirst() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<1000 {
      let (p, q) = (
        try randomRotation(using: &generator), try randomRotation(using: &generator)
      )
      let v = try randomRotation(using: &generator).rotate([0.3, -0.2, 0.9])
      #expect(((p * q).rotate(v) - p.rotate(q.rotate(v))).length < 1e-14)
      #expect((q.conjugate.rotate(q.rotate(v)) - v).length < 1e-14)
      #expect(abs(q.rotate(v).length - v.length) < 1e-14)
    }
  }

  @Test(
    arguments: [
      (0.0, 0.0, 0.0, 0.0), (.nan, 0, 0, 1), (0, .infinity, 0, 1), (0, 0, 0, 0.4), (2, 0, 0, 1),
      (1e200, 0, 0, 0), (0, 0, -.infinity, 0),
    ] as [(Double, Double, Double, Double)])
  func partsThatAreNoRotation(x: Double, y: Double, z: Double, w: Double) {
    #expect(Quaternion(normalizing: x, y, z, w) == nil)
  }

  @Test func partsAreNormalized() {
    #expect(Quaternion(normalizing: 0, 0, 0, 1.5) == .identity)
    #expect(
      Quaternion(normalizing: 0.6, 0, 0, -0.8).map { abs($0.x - 0.6) + abs($0.w + 0.8) < 1e-15 }
        == true)
  }
}

@Suite struct Vector3Tests {
  @Test func products() {
    let (a, b) = (Vector3(1, 2, 3), Vector3(-4, 5, 6))
    // By hand: −4 + 10 + 18; (12 − 15, −12 − 6, 5 + 8).
    #expect(a.dot(b) == 24)
    #expect(a.cross(b) == [-3, -18, 13])
    #expect(Vector3(2, 3, 6).length == 7)
    #expect(Vector3(2, 3, 6).normalized == Vector3(2, 3, 6) / 7)
  }
}
