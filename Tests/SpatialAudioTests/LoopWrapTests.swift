import Geometry
import HRTF
import Testing

@testable import SpatialAudio

/// A sound that is played in a loop goes on without a seam, wherever in a block it goes round.
@Suite struct LoopWrapTests {
  @Test(arguments: [[1000], [300], [512], [128]]) func seamless(blocks: [Int]) throws {
    let set = try ShippedSet.kemar.get()
    let loop = noise(1000)
    func render(_ samples: [Float], looping: Bool, _ block: Int) throws -> [Float] {
      let device = try LoopbackDevice(sampleRate: set.sampleRate, dataSet: set.dataSet)
      let source = try SoundSource(samples, looping: looping, in: device.context)
      source.setPosition(WorldFrame.direction(azimuth: 40))
      source.play()
      return (0..<3000 / block).flatMap { _ in device.render(frames: block) }
    }
    let looped = try render(loop, looping: true, blocks[0])
    let unrolled = try render(loop + loop + loop + loop, looping: false, blocks[0])
    let difference = zip(looped, unrolled).map { abs($0 - $1) }
    #expect((difference.max() ?? 1) < 1e-6)
  }
}
