import Files
import Geometry
import Glibc
import HRTF
import TestSupport
import Testing

@testable import SpatialAudio

@Suite struct SegmentedMixTests {
  private static let loop = 3001

  /// Something like a walk: sources that move, grow still, rest, are written anew and end, and a head that turns,
  /// with mixes of all lengths.
  private func perform(
    on stage: any SoundStage, sources count: Int, rests: Bool, mixes: Int = 150,
    render: (Int) throws -> Void
  ) throws {
    var random = SeededGenerator(seed: 7)
    var sources = try (0..<count).map {
      try stage.makeSource(noise(Self.loop, seed: UInt64($0)), looping: true)
    }
    var begins = sources.map { $0.play() }
    for mix in 0..<mixes {
      if mix % 3 == 0 {
        let azimuth = Double(mix) * 1.7
        stage.setListener(ahead: WorldFrame.direction(azimuth: azimuth), up: Vector3(0, 0, 1))
      }
      for index in sources.indices {
        let place = WorldFrame.direction(azimuth: Double(90 * index) + 3 * Double(mix))
        sources[index].setPosition(place * Double.random(in: 0.1...1.5, using: &random))
        let phase = (mix + 40 * index) % 100
        switch phase {
        case 10 where rests: sources[index].setGain(0)
        case 20 where rests: sources[index].rest()
        case 50 where rests: sources[index].resume()
        case 53 where rests: sources[index].setGain(0.7)
        default: break
        }
        if phase % 7 == 3 {
          let place = (stage.frame - begins[index]) % Self.loop
          let samples = noise(min(300, Self.loop - place), seed: UInt64(1000 + mix))
          samples.withUnsafeBufferPointer { sources[index].write($0, at: place) }
        }
      }
      // One ends on the way, another begins.
      if count > 1, mix == mixes / 2 {
        sources[1].stop()
        sources.append(try stage.makeSource(noise(Self.loop, seed: 99), looping: true))
        begins.append(sources[count].play())
      }
      try render([480, 441, 128, 1, 960, 313][Int.random(in: 0..<6, using: &random)])
    }
  }

  private func segmented(
    _ dataSets: [DistanceDataSet], sources: Int, rests: Bool, threads: Int,
    segmentLength: Int = 3000
  ) throws -> [Float] {
    let mix = try SegmentedMix(
      sampleRate: 44_100, dataSets: dataSets, sourceCount: sources + 1, threadCount: threads,
      segmentLength: segmentLength)
    var samples: [Float] = []
    try perform(on: mix, sources: sources, rests: rests) {
      try mix.render(frames: $0) { samples += $0 }
    }
    try mix.finish { samples += $0 }
    #expect(samples.count == 2 * mix.frame)
    return samples
  }

  private func whole(_ dataSets: [DistanceDataSet], sources: Int, rests: Bool) throws -> [Float] {
    let mix = try LoopbackMix(
      sampleRate: 44_100, dataSets: dataSets, sourceCount: sources + 1)
    var samples: [Float] = []
    try perform(on: mix, sources: sources, rests: rests) { count in
      var block = [Float](repeating: 0, count: 2 * count)
      block.withUnsafeMutableBufferPointer { mix.render(into: $0) }
      samples += block
    }
    try mix.checkErrors()
    return samples
  }

  private func worst(_ one: [Float], _ other: [Float]) -> Float {
    one.count == other.count ? zip(one, other).map { abs($0 - $1) }.max() ?? 0 : .infinity
  }

  /// Against a mix that renders the whole in one go, bit for bit; several sources may be added in another order once one
  /// has stopped.
  @Test(
    arguments: [
      (sets: 1, sources: 1, rests: false), (1, 1, true), (1, 4, false), (1, 4, true),
      (3, 1, false), (3, 1, true), (3, 4, true),
    ])
  func segmentsAreNotHeard(sets: Int, sources: Int, rests: Bool) throws {
    let dataSets = Array(try nearKemar.get().prefix(sets))
    let expected = try whole(dataSets, sources: sources, rests: rests)
    let samples = try segmented(dataSets, sources: sources, rests: rests, threads: 2)
    #expect(expected.contains { $0 > 0.1 })
    #expect(worst(samples, expected) <= (sources == 1 ? 0 : 5e-6))
  }

  @Test(arguments: [1, 3]) func coresAreNotHeard(sets: Int) throws {
    let dataSets = Array(try nearKemar.get().prefix(sets))
    let one = try segmented(dataSets, sources: 4, rests: true, threads: 1)
    for threads in [2, 5] {
      let samples = try segmented(dataSets, sources: 4, rests: true, threads: threads)
      #expect(worst(samples, one) == 0)
    }
  }

  /// A segment that is never full.
  @Test func shortSound() throws {
    let dataSets = Array(try nearKemar.get().prefix(1))
    let samples = try segmented(
      dataSets, sources: 2, rests: false, threads: 2, segmentLength: 1_000_000)
    #expect(worst(samples, try whole(dataSets, sources: 2, rests: false)) == 0)
  }

  private struct Enough: Error {}

  /// Who has heard enough ends it, while others render.
  @Test func ends() throws {
    let mix = try SegmentedMix(
      sampleRate: 44_100, dataSets: Array(try nearKemar.get().prefix(1)), sourceCount: 1,
      threadCount: 3, segmentLength: 2000)
    #expect(throws: Enough.self) {
      try perform(on: mix, sources: 1, rests: false) {
        try mix.render(frames: $0) { _ in throw Enough() }
      }
    }
  }

  /// OpenAL's own limit is 256 sources; what it refuses is told, not silent.
  @Test func tooManySources() throws {
    let mix = try SegmentedMix(
      sampleRate: 44_100, dataSets: Array(try nearKemar.get().prefix(1)), sourceCount: 1,
      threadCount: 2)
    let sources = (0..<300).map { _ in mix.makeSource([0, 0, 0], looping: true) }
    let error = #expect(throws: EngineError.self) {
      try mix.render(frames: 100) { _ in }
      try mix.finish { _ in }
    }
    #expect(error?.code == .source)
    #expect(sources.count == 300)
  }

  /// Against `nproc`, which honours `taskset`, too.
  @Test func coresOfTheProcess() throws {
    let nproc = try #require(popen("env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc", "r"))
    defer { pclose(nproc) }
    var line = [CChar](repeating: 0, count: 64)
    try #require(fgets(&line, 64, nproc) != nil)
    #expect(availableCoreCount() == atol(line))
  }
}
