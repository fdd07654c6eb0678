import Aurient
import Files
import Geometry
import Glibc
import HRTF
import SpatialAudio
import TestSupport
import Testing

@testable import ListeningTest

/// Stimuli as they lie in the folder, against what they are made of.
@Suite struct StimulusTests {
  /// A folder with a page, a click and a second of noise.
  private final class Workbench {
    let folder = TemporaryFolder()
    let page: String

    init() throws {
      page = folder.path + "/page"
      mkdir(page, 0o777)
      try OutputFile.write("<!doctype html>".utf8, to: page + "/index.html")
      var click = [Float](repeating: 0, count: 64)
      click[0] = 1
      try write("click.wav", click, rate: 48_000)
      try write("click-44100.wav", click, rate: 44_100)
      var generator = SeededGenerator(seed: 4)
      let noise = (0..<48_000).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
      try write("noise.wav", noise, rate: 48_000)
    }

    func write(_ name: String, _ samples: [Float], rate: Int) throws {
      let path = "\(folder.path)/\(name)"
      let bytes = try SoundFileData.bytes(
        samples, sampleRate: rate, channelCount: 1, format: .wav, for: path)
      try OutputFile.write(bytes, to: path)
    }

    /// Builds a localisation test with these keys besides.
    func build(set: String, sound: String, directions: String, keys: String) throws -> String {
      let path = folder.file(
        "design.json",
        """
        {"format": "aurient-listening-design", "version": 1, "type": "localisation", "id": "t",
         "title": "T", "instructions": "I", "participants": 1,
         "hrtfs": [{"id": "S", "set": "\(set)"}], "sounds": [{"id": "s", "file": "\(sound)"}],
         "directions": [\(directions)], \(keys)}
        """)
      let output = folder.path + "/test"
      _ = try ListeningTestBuilder(
        design: path, version: "test", catalogue: testCatalogue, page: page
      )
      .build(into: output, isForced: true)
      return output
    }
  }

  /// A built file's ears.
  private func ears(_ path: String) throws -> (left: [Float], right: [Float]) {
    let sound = try Sound.frames(path: path)
    func ear(_ index: Int) -> [Float] {
      stride(from: index, to: sound.samples.count, by: 2).map { sound.samples[$0] }
    }
    return (ear(0), ear(1))
  }

  private static let sets: [(set: String, click: String, count: Int, distortion: Double)] = [
    ("MIT-KEMAR-44100", "click-44100.wav", 142, 0.95),
    ("SADIE-KU100-48000", "click.wav", 156, 0.12),
  ]

  /// Every fifth or tenth measured direction, as built files, against the SOFA file: the figures that
  /// `aurient hrtf verify` is held to.
  @Test(arguments: sets.indices)
  func clicksAreTheMeasuredResponses(index: Int) throws {
    let (set, click, count, limit) = Self.sets[index]
    let bench = try Workbench()
    let measured = try testCatalogue.measurement(set).responses
    let step = measured.directions.count / count
    let chosen = (0..<count).map { $0 * step }
    let list = chosen.map { number in
      let direction = measured.directions[number]
      return "{\"azimuth_deg\": \(direction.azimuth), \"elevation_deg\": \(direction.elevation)}"
    }
    let test = try bench.build(
      set: set, sound: click, directions: list.joined(separator: ", "),
      keys: "\"ramp_s\": 0, \"level\": {\"align\": \"none\", \"gain_db\": -20}")
    let comparison = BinauralComparison(
      sampleRate: measured.sampleRate, length: max(measured.length, 512))
    // Stimuli are numbered in the order of the participant; the manifest tells which is which.
    let manifest = JSONPlace(
      try JSONValue(
        try InputFile.bytes(path: test + "/manifest.json", limit: 1 << 24), path: "manifest"),
      file: "manifest")
    var differences: [(BinauralDifference, SphericalDirection)] = []
    for stimulus in try manifest.required("stimuli").list() {
      guard let asked = stimulus.optional("asked") else { continue }
      let direction = SphericalDirection(
        azimuth: try asked.required("azimuth_deg").number(-180...360),
        elevation: try asked.required("elevation_deg").number(-90...90))
      let number = try #require(
        chosen.min {
          measured.directions[$0].angle(to: direction)
            < measured.directions[$1].angle(to: direction)
        })
      #expect(measured.directions[number].angle(to: direction) < 1e-3)
      let rendered = try ears("\(test)/\(try stimulus.required("file").text())")
      differences.append(
        (comparison.difference(of: rendered, from: measured, direction: number), direction))
    }
    #expect(differences.count == count)
    let levels = differences.flatMap(\.0.meanLevel)
    let gain = levels.reduce(0, +) / Double(levels.count)
    let distortion = ErrorSummary(
      differences.flatMap { difference in
        (0...1).map { difference.0.spectralDistortion(ear: $0, gain: gain) }
      })
    // Beyond 75° from the median plane the measurement's own correlation has no single maximum.
    let time = ErrorSummary(
      differences.filter { abs($0.1.unitVector.y) <= 0.9659 }.map {
        abs($0.0.renderedITD - $0.0.measuredITD)
      })
    #expect(distortion.mean < limit)
    #expect(time.percentile95 < 5)
    // The level that was asked for.
    #expect(abs(gain + 20) < 0.5)
  }

  /// A second of noise, divided by its source's spectrum, is the same response: the figures hold for any
  /// sound. FLAC, and ramps, too.
  @Test func noiseHoldsTheMeasuredResponse() throws {
    let bench = try Workbench()
    let set = "SADIE-KU100-48000"
    let measured = try testCatalogue.measurement(set).responses
    let test = try bench.build(
      set: set, sound: "noise.wav", directions: "{\"azimuth_deg\": 40}",
      keys:
        "\"ramp_s\": 0.05, \"level\": {\"align\": \"rms\", \"target_dbfs\": -20, \"per\": \"stimulus\"}"
    )
    let number = try #require(
      measured.directions.firstIndex { $0.azimuth == 40 && $0.elevation == 0 })
    var source = try Sound(path: bench.folder.path + "/noise.wav").samples
    ramp(&source, channelCount: 1, length: 2400)
    let fft = RealFFT(size: 1 << 17)
    let spectrum = fft.forward(source)
    let built = try ears(test + "/stimuli/s0001.flac")
    func divided(_ ear: [Float]) -> [Float] {
      var quotient = fft.forward(ear)
      for bin in quotient.real.indices {
        let (a, b) = (quotient.real[bin], quotient.imaginary[bin])
        let (c, d) = (spectrum.real[bin], spectrum.imaginary[bin])
        let power = c * c + d * d
        quotient.real[bin] = (a * c + b * d) / power
        quotient.imaginary[bin] = (b * c - a * d) / power
      }
      return Array(fft.inverse(quotient).prefix(256))
    }
    let difference = BinauralComparison(sampleRate: 48_000, length: 512).difference(
      of: (divided(built.left), divided(built.right)), from: measured, direction: number)
    let gain = (difference.meanLevel[0] + difference.meanLevel[1]) / 2
    #expect(difference.spectralDistortion(ear: 0, gain: gain) < 0.2)
    #expect(difference.spectralDistortion(ear: 1, gain: gain) < 0.2)
    #expect(abs(difference.renderedITD - difference.measuredITD) < 5)
    let both = zip(built.left, built.right).flatMap { [$0, $1] }
    let power = both.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(both.count)
    #expect(abs(10 * log10(power) + 20) < 0.01)
  }

  /// What OpenAL renders of the sound itself differs by rounding alone: two steps of 24 bits at the most.
  @Test(arguments: [0.0, 77, 180, 305])
  func isWhatOpenALRenders(azimuth: Double) throws {
    let bench = try Workbench()
    let test = try bench.build(
      set: "SADIE-KU100-48000", sound: "noise.wav",
      directions: "{\"azimuth_deg\": \(azimuth), \"elevation_deg\": 15}",
      keys: "\"ramp_s\": 0.02, \"level\": {\"align\": \"none\", \"gain_db\": -12}")
    var source = try Sound(path: bench.folder.path + "/noise.wav").samples
    ramp(&source, channelCount: 1, length: 960)
    let selection = try testCatalogue.select("SADIE-KU100-48000", sampleRate: nil)
    let mix = try LoopbackMix(
      sampleRate: 48_000, dataSets: selection.dataSets, sourceCount: 1)
    let played = try MixSource(source, looping: false, on: mix)
    let distance = try testCatalogue.measurement("SADIE-KU100-48000").responses.directions[0]
      .distance
    played.setPosition(WorldFrame.direction(azimuth: -azimuth, elevation: 15) * distance)
    played.play()
    var expected = [Float](repeating: 0, count: 2 * (source.count + 255))
    expected.withUnsafeMutableBufferPointer { mix.render(into: $0) }
    let built = try Sound.frames(path: test + "/stimuli/s0001.flac").samples
    #expect(built.count == expected.count)
    let gain = Float(pow(10, -12.0 / 20))
    let difference = zip(built, expected).reduce(0 as Float) { max($0, abs($1.0 - gain * $1.1)) }
    #expect(difference <= 2 / 8_388_608)
  }

  /// ITU-R BS.1770-4, annex 1: a sine of 997 Hz at full scale in one channel is −3.01 LKFS, in two 0.
  @Test(arguments: [0.2, 0.39, 0.41, 2.0])
  func loudnessIsThatOfTheStandard(seconds: Double) throws {
    let samples = (0..<Int(48_000 * seconds)).flatMap { frame -> [Float] in
      let value = Float(0.1 * sin(2 * .pi * 997 * Double(frame) / 48_000))
      return [value, value]
    }
    let loudness = StimulusLevel.measured(samples, sampleRate: 48_000, by: .loudness)
    #expect(abs((loudness ?? 0) + 20) < 0.1)
    let level = StimulusLevel.measured(samples, sampleRate: 48_000, by: .rms)
    #expect(abs((level ?? 0) + 23.01) < 0.01)
    let silence = [Float](repeating: 0, count: samples.count)
    #expect(StimulusLevel.measured(silence, sampleRate: 48_000, by: .loudness) == nil)
  }

  /// ITU-R BS.1534-3, 5.1: the low anchor is within 0.1 dB up to 3.5 kHz, at least 25 dB down at 4 kHz and
  /// 50 dB at 4.5 kHz.
  @Test(arguments: [44_100, 48_000, 96_000])
  func theAnchorIsThatOfTheStandard(rate: Int) {
    var click = [Float](repeating: 0, count: 8192)
    click[4096] = 1
    let fft = RealFFT(size: 8192)
    let spectrum = fft.forward(LowPassFilter(3500, sampleRate: rate).filtered(click))
    func level(_ hertz: Double) -> Double {
      let bin = Int((hertz / Double(rate) * 8192).rounded())
      let (re, im) = (Double(spectrum.real[bin]), Double(spectrum.imaginary[bin]))
      return 10 * log10(re * re + im * im + 1e-20)
    }
    for hertz in stride(from: 100.0, through: 3480, by: 20) { #expect(abs(level(hertz)) < 0.1) }
    for hertz in stride(from: 4010.0, to: 20_000, by: 50) { #expect(level(hertz) < -25) }
    for hertz in stride(from: 4510.0, to: 20_000, by: 50) { #expect(level(hertz) < -50) }
  }

  /// Processor time of building against that of OpenAL for the same frames, on one thread: at least 0.9 of
  /// the engine's throughput is asked for.
  @Test func isAsFastAsTheEngine() throws {
    func processorTime() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
    let bench = try Workbench()
    let path = bench.folder.file(
      "fast.json",
      """
      {"format": "aurient-listening-design", "version": 1, "type": "localisation", "id": "t",
       "title": "T", "instructions": "I", "participants": 1,
       "hrtfs": [{"id": "S", "set": "SADIE-KU100-48000"}],
       "sounds": [{"id": "s", "file": "noise.wav"}],
       "directions": [{"fibonacci": {"count": 120}}], "direction_tolerance_deg": 30}
      """)
    let builder = try ListeningTestBuilder(
      design: path, version: "test", catalogue: testCatalogue, page: bench.page)
    var start = processorTime()
    let summary = try builder.build(into: bench.folder.path + "/fast", jobs: 1)
    let building = processorTime() - start
    let selection = try testCatalogue.select("SADIE-KU100-48000", sampleRate: nil)
    let mix = try LoopbackMix(sampleRate: 48_000, dataSets: selection.dataSets, sourceCount: 1)
    let source = try MixSource(
      try Sound(path: bench.folder.path + "/noise.wav").samples, looping: true, on: mix)
    source.play()
    var block = [Float](repeating: 0, count: 2 * 48_000)
    start = processorTime()
    for _ in 0..<Int(summary.seconds) {
      block.withUnsafeMutableBufferPointer { mix.render(into: $0) }
    }
    let rendering = processorTime() - start
    #expect(rendering / building > 0.9)
  }
}
