import CAllocationCount
import Geometry
import Glibc
import HRTF
import TestSupport
import Testing

@testable import SpatialAudio

/// KEMAR with made-up near distances, a data set each: what OpenAL Soft 1.19.1 needs.
let nearKemar = Result {
  let cache = HRTFCache(folder: convertedFolder)
  try OpenALConfiguration.prepare(cache: cache)
  return try cache.dataSets(
    for: "\(projectFolder)/HRTF/MIT-KEMAR-44100.sofa", fitting: HRTFFitting(isNearField: true))
}

@Suite struct LoopbackMixTests {
  @Test(
    arguments: [
      (0.1, [1.0, 0, 0]), (0.5, [1, 0, 0]), (1, [0, 1, 0]), (3.25, [0, 0, 1]), (1e6, [0, 0, 1]),
      (0.7071068, [0.5, 0.5, 0]), (1.8027756, [0, 0.5, 0.5]), (0, [1, 0, 0]),
    ] as [(Double, [Double])])
  func shares(distance: Double, expected: [Double]) {
    let shells = DistanceShells(distances: [0.5, 1, 3.25])
    for index in 0..<3 { #expect(abs(shells.gain(index, at: distance) - expected[index]) < 1e-6) }
  }

  /// At a shell's distance and beyond the last a mix is that shell's device.
  @Test(arguments: [0, 3, 7]) func aShellAlone(index: Int) throws {
    let dataSets = try nearKemar.get()
    let dataSet = dataSets[index]
    let direction = SphericalDirection(
      azimuth: 40, elevation: 10, distance: try #require(dataSet.distance))
    let mixed = try ImpulseResponse(dataSets: dataSets, sampleRate: 44_100, direction: direction)
    let alone = try ImpulseResponse(dataSets: [dataSet], sampleRate: 44_100, direction: direction)
    #expect(alone.samples.contains { abs($0) > 0.01 })
    #expect(zip(mixed.samples, alone.samples).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  /// A source that comes near and goes, against devices that never sleep and are shared by hand; the
  /// other sources, of which one has ended and one begun on the way, where they should be.
  @Test func sleepIsNotHeard() throws {
    let dataSets = try nearKemar.get()
    let sounds = [noise(3000, seed: 1), noise(2500, seed: 2), noise(4000, seed: 3)]
    let mix = try LoopbackMix(sampleRate: 44_100, dataSets: dataSets)
    let sources = try sounds.indices.map {
      try MixSource(sounds[$0], looping: $0 != 1, on: mix)
    }
    let devices = try dataSets.map { try LoopbackDevice(sampleRate: 44_100, dataSet: $0.name) }
    let shells = DistanceShells(distances: dataSets.map { $0.distance ?? 1 })
    let copies = try devices.map { device in
      try sounds.indices.map { try SoundSource(sounds[$0], looping: $0 != 1, in: device.context) }
    }
    func move(_ index: Int, _ place: Vector3) {
      sources[index].setPosition(place)
      for (shell, device) in copies.enumerated() {
        device[index].setPosition(place)
        device[index].setGain(Float(shells.gain(shell, at: place.length)))
      }
    }
    func play(_ index: Int) {
      sources[index].play()
      for device in copies { device[index].play() }
    }
    play(0)
    play(1)
    var worst: Float = 0
    var loudest: Float = 0
    for block in 0..<120 {
      if block == 50 { play(2) }
      let distance = 0.16 + 1.4 * abs(sin(Double(block) / 20))
      move(0, WorldFrame.direction(azimuth: 70) * distance)
      move(1, WorldFrame.direction(azimuth: -30) * (2 - distance))
      move(2, WorldFrame.direction(azimuth: 200) * 0.3)
      var output = [Float](repeating: 0, count: 2 * 256)
      output.withUnsafeMutableBufferPointer { mix.render(into: $0) }
      var expected = [Float](repeating: 0, count: output.count)
      for device in devices {
        for (index, sample) in device.render(frames: 256).enumerated() {
          expected[index] += sample
        }
      }
      for (a, b) in zip(output, expected) { worst = max(worst, abs(a - b)) }
      loudest = max(loudest, expected.max() ?? 0)
    }
    try mix.checkErrors()
    #expect(loudest > 0.2)
    #expect(worst < 1e-3)
  }

  /// A source that rests while it is silent, and comes nearer meanwhile, goes on where it would be by now.
  @Test(arguments: [1, 3]) func restIsNotHeard(setCount: Int) throws {
    let dataSets = Array(try nearKemar.get().prefix(setCount))
    func samples(rests: Bool) throws -> [Float] {
      let mix = try LoopbackMix(sampleRate: 44_100, dataSets: dataSets)
      let source = try MixSource(noise(3001, seed: 4), looping: true, on: mix)
      source.play()
      var samples: [Float] = []
      for block in 0..<120 {
        source.setPosition(WorldFrame.direction(azimuth: 70) * (0.1 + 0.004 * Double(120 - block)))
        switch block {
        case 26: source.setGain(0)
        case 30 where rests: source.rest()
        case 80 where rests: source.resume()
        case 84: source.setGain(1)
        default: break
        }
        var output = [Float](repeating: 0, count: 2 * 256)
        output.withUnsafeMutableBufferPointer { mix.render(into: $0) }
        samples += output
      }
      try mix.checkErrors()
      return samples
    }
    let (rested, usual) = (try samples(rests: true), try samples(rests: false))
    #expect(usual.contains { $0 > 0.1 })
    #expect(rested[(2 * 256 * 31)..<(2 * 256 * 80)].allSatisfy { $0 == 0 })
    #expect(zip(rested, usual).allSatisfy { abs($0 - $1) < 1e-3 })
  }

  /// The ears grow unequal near the head, as the measurements of D. S. Brungart and W. M. Rabinowitz,
  /// "Auditory localization of nearby sources", J. Acoust. Soc. Am. 106 (1999), show: at 500 Hz and
  /// 90° by some 20 dB at 0.12 m, by 5 at 1 m; while the level at the head's centre stays.
  @Test func nearField() throws {
    let dataSets = try nearKemar.get()
    func difference(_ distance: Double) throws -> Double {
      let response = try ImpulseResponse(
        dataSets: dataSets, sampleRate: 44_100,
        direction: SphericalDirection(azimuth: 90, elevation: 0, distance: distance))
      let levels = [0, 1].map { side in
        Response(ear(side, of: response.samples), sampleRate: 44_100, step: 500, highest: 500)
          .decibels(above: 0)[0]
      }
      return levels[0] - levels[1]
    }
    let differences = try [1.4, 0.5, 0.25, 0.15].map(difference)
    #expect(zip(differences, differences.dropFirst()).allSatisfy { $0 < $1 })
    #expect(differences[3] - differences[0] > 9 && differences[3] < 25)
  }

  @Test(.enabled(if: counts_calls())) func renderingAllocatesNothing() throws {
    let mix = try LoopbackMix(sampleRate: 44_100, dataSets: nearKemar.get())
    let source = try MixSource(noise(4800), looping: true, on: mix)
    source.play()
    let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * 441)
    defer { block.deallocate() }
    let places = (0..<200).map {
      WorldFrame.direction(azimuth: Double($0)) * (0.2 + 0.02 * Double($0 % 100))
    }
    func move(_ index: Int) {
      source.setPosition(places[index])
      mix.render(into: block)
    }
    for index in 0..<100 { move(index) }
    let start = heap_call_count()
    for index in 100..<200 { move(index) }
    #expect(heap_call_count() - start == 0)
  }
}

/// Measured distances, joined by `aurient hrtf merge` or in one file.
@Suite(.enabled(if: testDataFolder != nil)) struct MeasuredDistanceTests {
  /// A KU 100 at three distances in 1° steps: more directions than OpenAL has nodes in a ring. Whole
  /// path against measurement.
  @Test(arguments: OpenALLibrary.takesFields ? [.fields, .single] : [OpenALDataSet.Layout.single])
  func wholePath(layout: OpenALDataSet.Layout) throws {
    let folder = try #require(testDataFolder) + "/sofa"
    let files = ["HRIR_CIRC360_NF050", "HRIR_CIRC360_NF100", "HRIR_CIRC360"]
    let set = HRIRSet.merging(
      try files.map { try SOFAFile(path: "\(folder)/\($0).sofa").responses }
    ).set
    let temporary = TemporaryFolder()
    let path = temporary.path + "/ku100.sofa"
    try SOFAFile.write(set, attributes: [], to: path)
    let cache = HRTFCache(folder: convertedFolder)
    try OpenALConfiguration.prepare(cache: cache)
    let dataSets = try cache.dataSets(for: path, layout: layout)
    #expect(dataSets.count == (layout == .fields ? 1 : 4))
    let mix = try LoopbackMix(sampleRate: 48_000, dataSets: dataSets, sourceCount: 1)
    let comparison = BinauralComparison(sampleRate: 48_000, length: set.length)
    var times: [Double] = []
    var levels: [Double] = []
    for index in stride(from: 0, to: set.directions.count, by: 31) {
      let response = try mix.impulseResponse(set.directions[index])
      let difference = comparison.difference(
        of: (response.ear(0), response.ear(1)), from: set, direction: index)
      if abs(set.directions[index].unitVector.y) < 0.96 {
        times.append(abs(difference.renderedITD - difference.measuredITD))
      }
      levels.append(abs(difference.renderedILD - difference.measuredILD))
    }
    #expect(times.count > 20)
    #expect(percentile(0.95, times) < 3)
    #expect(percentile(0.95, levels) < 0.5)
  }

  /// Far measurements brought near by the spherical head, against measurements there: the error in
  /// interaural level is well below that of taking the far ones.
  @Test func nearFieldAgainstMeasurement() throws {
    let folder = try #require(testDataFolder) + "/sofa"
    let near = try SOFAFile(path: "\(folder)/HRIR_CIRC360_NF050.sofa").responses
    let cache = HRTFCache(folder: convertedFolder)
    try OpenALConfiguration.prepare(cache: cache)
    let comparison = BinauralComparison(sampleRate: 48_000, length: near.length)
    func meanError(nearField: Bool) throws -> Double {
      let dataSets = try cache.dataSets(
        for: "\(folder)/HRIR_CIRC360.sofa", fitting: HRTFFitting(isNearField: nearField))
      let mix = try LoopbackMix(sampleRate: 48_000, dataSets: dataSets, sourceCount: 1)
      let errors = try stride(from: 0, to: 360, by: 20).map { index in
        let response = try mix.impulseResponse(near.directions[index])
        let difference = comparison.difference(
          of: (response.ear(0), response.ear(1)), from: near, direction: index)
        return abs(difference.renderedILD - difference.measuredILD)
      }
      return errors.reduce(0, +) / Double(errors.count)
    }
    let (made, plain) = (try meanError(nearField: true), try meanError(nearField: false))
    #expect(made < 0.9 && made < 0.4 * plain)
  }
}
