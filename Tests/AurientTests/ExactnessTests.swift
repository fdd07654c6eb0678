import Aurient
import TestSupport
import Testing

@Suite struct ExactnessTests {
  /// A turn is heard from the sample on that is nearest to its time. The engine fades to the new
  /// filter: in that sample it is still at the old one, in the next no longer.
  @Test(arguments: [
    ("SADIE-KU100-48000", 2503, 120_144), ("SADIE-KU100-48000", 2990, 143_520),
    // 110382.3, 132432.3, 132476.4 and 132564.6.
    ("MIT-KEMAR-44100", 2503, 110_382), ("MIT-KEMAR-44100", 3003, 132_432),
    ("MIT-KEMAR-44100", 3004, 132_476), ("MIT-KEMAR-44100", 3006, 132_565),
  ])
  func turnsAreSampleExact(set: String, milliseconds: Int, sample: Int) throws {
    func samples(_ turns: [SyntheticScene.Turn]) throws -> [Float] {
      let scene = SyntheticScene(seconds: 4, turns: turns)
      let sound = try scene.sound(
        noise(count: 1323), sampleRate: set == "MIT-KEMAR-44100" ? 44100 : 48000)
      return try rendering(of: scene.scene(beaconAt: 20, sound: sound, hrtf: set)).samples
    }
    // The same frames in both, so that the engine mixes in the same pieces.
    let still = try samples([.init(milliseconds: milliseconds)])
    let turned = try samples([.init(milliseconds: milliseconds, left: 60)])
    #expect(still.count == turned.count)
    let difference = try #require(still.indices.first { still[$0] != turned[$0] })
    #expect(difference / 2 == sample + 1)
  }

  @Test func theSameSceneGivesTheSameSamples() throws {
    let scene = SyntheticScene(seconds: 4, turns: [.init(milliseconds: 3000, left: 50, up: 10)])
    let description = scene.scene(beaconAt: 20)
    let first = try rendering(of: description).samples
    #expect(try rendering(of: description).samples == first)
    #expect(first.count == 2 * 4 * 48_000)
  }

  @Test func theSoundLastsAsLongAsHeadLogAndWalkTogether() throws {
    let scene = SyntheticScene(seconds: 3, turns: [])
    var description = scene.scene(beaconAt: 0)
    let start = SyntheticScene.start
    let rows = { (from: Int64, to: Int64) in
      "timestamp,yaw\n"
        + stride(from: from, through: to, by: 10).map { "\(start + $0),0.7\n" }.joined()
    }
    for (from, to, seconds) in [
      (0, 3000, 3.0), (-1000, 4000, 3.0), (500, 4000, 2.5), (-500, 2000, 2.0), (500, 2000, 1.5),
    ] as [(Int64, Int64, Double)] {
      description.head = scene.folder.file("head-\(from)-\(to).csv", rows(from, to))
      #expect(try rendering(of: description).samples.count == Int(seconds * 96_000))
    }
  }
}
