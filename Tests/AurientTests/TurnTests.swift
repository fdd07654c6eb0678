import Geometry
import Glibc
import TestSupport
import Testing

@testable import Aurient

/// A step of the head, which no head makes but a calibration or a recentring does, is no click.
@Suite struct TurnTests {
  private static let rate = 48_000

  /// The greatest difference of two samples of an ear that follow each other, in frames.
  private static func greatestStep(_ samples: [Float], _ frames: Range<Int>) -> Float {
    (2 * frames.lowerBound..<2 * frames.upperBound).reduce(0) {
      max($0, abs(samples[$1 + 2] - samples[$1]))
    }
  }

  /// Tones that repeat without a seam; the beacon goes from one side to the other, or from before to
  /// behind on the way of a side. Newer libraries fade faster. A tone on a side, where it is loudest, is the programme's own. A twentieth of it
  /// is Doppler's shift: the way to an ear changes by 1.2 cm in 2.7 ms.
  @Test(arguments: [100.0, 200, 400, 1000, 3000], [90.0, 0])
  func aTurnIsNoClick(frequency: Double, side: Double) throws {
    func samples(_ side: Double, _ turns: [SyntheticScene.Turn]) throws -> [Float] {
      let scene = SyntheticScene(seconds: 6, turns: turns)
      let tone = (0..<Self.rate / 10).map {
        Float(0.3 * sin(2 * .pi * frequency * Double($0) / Double(Self.rate)))
      }
      let sound = try scene.sound(tone, sampleRate: Self.rate)
      return try rendering(
        of: scene.scene(beaconAt: SyntheticScene.heading + side, sound: sound, hrtf: nil)
      ).samples
    }
    func step(_ samples: [Float], _ seconds: Range<Double>) -> Float {
      let rate = Double(Self.rate)
      return Self.greatestStep(
        samples, Int(seconds.lowerBound * rate)..<Int(seconds.upperBound * rate))
    }
    // All that lies on the way, so slowly that nothing is made of several steps.
    let slowly = (0...200).map {
      SyntheticScene.Turn(milliseconds: 3000 + 10 * $0, left: 0.9 * Double($0))
    }
    let own = step(try samples(side, slowly), 2.8..<5.9)
    let turned = try samples(
      side, [.init(milliseconds: 3003, left: 180), .init(milliseconds: 5001)])
    for start in [3.0, 5.0] {
      let ratio = step(turned, start..<start + 0.3) / own
      #expect(ratio <= 1.08, "at \(start) s")
    }
    // It has arrived.
    let late = step(turned, 3.15..<4.9)
    #expect(late <= own)
  }

  /// Attitudes on the way are those of the shortest turn, by steps of ten degrees, whatever its axis.
  @Test(arguments: [
    (175.0, 0.0, 0.0), (-135, 0, 0), (0, 78, 0), (25, 0, 0), (9, 0, 0), (0, 0, 165), (120, 60, 40),
  ])
  func stepsOfATurn(left: Double, up: Double, rolled: Double) {
    let turn =
      Quaternion(radians: radians(degrees: left), about: Vector3(0, 0, 1))
      * Quaternion(radians: radians(degrees: up), about: Vector3(1, 0, 0))
      * Quaternion(radians: radians(degrees: rolled), about: Vector3(0, 1, 0))
    let target = Facing(ahead: WorldFrame.ahead(turn), up: WorldFrame.up(turn))
    var facing = Facing(ahead: Vector3(0, 1, 0), up: Vector3(0, 0, 1))
    var steps = 0
    while facing != target, steps < 40 {
      let next = Glide.step(facing, to: target)
      for (before, after) in [(facing.ahead, next.ahead), (facing.up, next.up)] {
        #expect(before.dot(after) >= cos(radians(degrees: 10.001)))
      }
      #expect(abs(next.ahead.dot(next.up)) < 1e-9 && abs(next.ahead.length - 1) < 1e-9)
      facing = next
      steps += 1
    }
    #expect(facing == target)
    let whole = 2 * acos(min(1, abs(turn.w))) * 180 / .pi
    // The last step may be somewhat longer, where nose and crown are nearer than the turn is wide.
    #expect([whole / 10, whole / 10 - 1].map { Int($0.rounded(.up)) }.contains(steps))
  }
}
