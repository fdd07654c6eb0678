import Files
import Navigation
import SpatialAudio
import TestSupport
import Testing

@testable import Aurient

@Suite struct BeaconStyleTests {
  private static func style(_ name: String) throws -> BeaconStyle {
    try BeaconStyle(path: "\(projectFolder)/Sounds/\(name)")
  }

  /// The descriptions that ship, against make-sounds.py's table of styles.
  @Test(arguments: [
    ("wood", 19_200, [15.0, 55, 125], [BeaconRegion.on, .near, .beside, .behind]),
    ("sticks", 17_280, [15, 125], [.on, .near, .behind]),
    ("drops", 20_800, [15, 55, 125], [.on, .near, .beside, .behind]),
    ("shaker", 16_000, [22.5], [.on, .behind]),
  ])
  func shipped(_ name: String, beat: Int, edges: [Double], regions: [BeaconRegion]) throws {
    let style = try Self.style(name)
    #expect(style.name == name && style.sampleRate == 48_000 && style.beat == beat)
    #expect(style.division == AngularRegions(edges: edges))
    #expect(style.loops.map(\.region) == regions)
    let folder = "\(projectFolder)/Sounds/\(name)/"
    #expect(style.loops.map(\.file) == regions.map { "\(folder)\($0).flac" })
    #expect(style.start == folder + "start.flac" && style.end == folder + "end.flac")
    #expect(style.hum == folder + "hum.flac")
    // 44.1 kHz is 147/160 of 48 kHz.
    #expect(style.beat(at: 44_100) == beat / 160 * 147 && style.beat(at: 96_000) == 2 * beat)
    #expect(BeaconStyle.shipped.contains(name))
  }

  /// Lengths are whole beats, peaks below −1 dBFS, and the loops of all styles equally loud, as
  /// libebur128 measures ten seconds of each.
  @Test func soundsAreAlike() throws {
    var loudnesses: [Double] = []
    for name in BeaconStyle.shipped {
      let style = try Self.style(name)
      let extras = [style.start, style.end, style.hum].compactMap { $0 }
      for path in style.loops.map(\.file) + extras {
        let sound = try Sound(path: path)
        #expect(sound.sampleRate == style.sampleRate && sound.fileChannelCount == 1)
        #expect(!sound.samples.isEmpty && sound.samples.count % style.beat == 0, "\(path)")
        let peak = sound.samples.map(abs).max() ?? 1
        #expect(peak < 0.891, "\(path)")
        loudnesses.append(loudness(of: sound.samples, seconds: 10))
      }
      // All loops of a style have the grid in common, so that one can go on where another stops.
      let lengths = try style.loops.map { try Sound(path: $0.file).samples.count }
      #expect(Set(lengths).count == 1)
    }
    let (least, most) = (loudnesses.min() ?? -70, loudnesses.max() ?? 0)
    #expect(most - least < 1)
    #expect(abs(least + 23) < 1)
  }

  /// At any rate all sounds are whole beats of whole frames, and no rougher for it.
  @Test(arguments: [(44_100, 17_640), (22_051, 8820), (96_000, 38_400), (8000, 3200)])
  func soundsAtOtherRates(rate: Int, beat: Int) throws {
    let style = try Self.style("wood")
    let sounds = try StyleSounds(style, sampleRate: rate)
    let original = try StyleSounds(style, sampleRate: 48_000)
    #expect(sounds.beat == beat && original.beat == 19_200)
    func all(_ sounds: StyleSounds) -> [[Float]] {
      sounds.loops + [sounds.start, sounds.end, sounds.hum].compactMap { $0 }
    }
    #expect(all(sounds).count == 7)
    for (sound, original) in zip(all(sounds), all(original)) {
      #expect(sound.count * 19_200 == original.count * beat)
      func step(_ samples: [Float]) -> Float {
        zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0
      }
      #expect(step(sound) < 1.1 * step(original) * max(1, 48_000 / Float(rate)))
      func power(_ samples: [Float]) -> Float {
        samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count)
      }
      // At lower rates the highest frequencies are gone.
      let ratio = power(sound) / power(original)
      #expect(ratio < 1.01 && ratio > (rate < 44_100 ? 0.5 : 0.97))
    }
  }

  private func loudness(of samples: [Float], seconds: Int) -> Double {
    let meter = LoudnessMeter(sampleRate: 48_000)
    // The meter takes stereo: the same in both ears is 3 dB louder than in one.
    var stereo: [Float] = []
    stereo.reserveCapacity(2 * 48_000 * seconds)
    for index in 0..<48_000 * seconds {
      let sample = samples[index % samples.count]
      stereo += [sample, 0]
    }
    stereo.withUnsafeBufferPointer { meter.add($0) }
    return meter.integratedLoudness
  }

  /// The step from the end of a loop to its start, and from any beat of one region to any of another,
  /// is none that could be heard: each beat begins and ends in silence.
  @Test func nothingClicksOnABeat() throws {
    for name in BeaconStyle.shipped {
      let style = try Self.style(name)
      let melodies = [style.start, style.end].compactMap { $0 }
      for path in style.loops.map(\.file) + melodies {
        let samples = try Sound(path: path).samples
        for beat in stride(from: 0, to: samples.count, by: style.beat) {
          // −50 dBFS; the sounds peak at −6.
          #expect(abs(samples[beat]) < 0.00316 && abs(samples[beat + style.beat - 1]) < 0.00316)
        }
      }
      let hum = try Sound(path: try #require(style.hum)).samples
      let steps = zip(hum, hum.dropFirst()).map { abs($1 - $0) }
      #expect(abs(hum[0] - hum[hum.count - 1]) <= steps.max() ?? 0)
    }
  }

  private static let whole = """
    {"sampleRate": 48000, "beat": 4800, "hysteresis": 2, "start": "/a/b.wav",
     "regions": [{"region": "on", "file": "x.wav", "edge": 20}, {"region": "behind", "file": "y.wav"}]}
    """

  @Test func everyKey() throws {
    let folder = TemporaryFolder()
    let style = try BeaconStyle(path: folder.file("own.json", Self.whole))
    #expect(style.division == AngularRegions(edges: [20], hysteresis: 2))
    #expect(
      style.loops == [
        .init(region: .on, file: folder.path + "/x.wav"),
        .init(region: .behind, file: folder.path + "/y.wav"),
      ])
    #expect(style.start == "/a/b.wav" && style.end == nil && style.hum == nil)
    #expect(style.beat(at: 44_100) == 4410 && style.beat(at: 22_051) == nil)
  }

  @Test(arguments: [
    ("", "", "the file is empty"), ("{", "", "line 1: the JSON ends here, in the middle"),
    ("[]", "", "is not an object"),
    (#""beat": 4800,"#, "", "there is no beat"),
    (#""beat": 4800"#, #""beat": 4800.5"#, "beat 4800.5 is not a whole number from 480 to 2880000"),
    (#""beat": 4800"#, #""beat": 0"#, "beat 0.0 is not a whole number from 480 to 2880000"),
    (#""beat": 4800"#, #""beat": "x""#, "beat: is not a number"),
    (
      #""sampleRate": 48000"#, #""sampleRate": 1"#,
      "sampleRate 1.0 is not a whole number from 8000 to 192000"
    ),
    (
      #""beat": 4800"#, #""beat": 4800, "loop": 1"#,
      #"unknown key "loop"; there are sampleRate, beat, regions, hysteresis, start, end, hum"#
    ),
    (
      #""file": "x.wav""#, #""file": "x.wav", "gain": 1"#,
      #"regions 1: unknown key "gain"; there are region, file, edge"#
    ),
    (#""behind""#, #""off""#, #"regions 2: region "off" is none of on, near, beside, behind"#),
    (#""behind""#, #""near""#, "regions: 2 regions are on, behind, in this order"),
    (#""edge": 20"#, #""edge": 200"#, shape), (#", "edge": 20"#, "", shape),
    (#""y.wav"}"#, #""y.wav", "edge": 30}"#, shape),
    (#""hysteresis": 2"#, #""hysteresis": 30"#, shape),
    (#"{"region": "on", "file": "x.wav", "edge": 20}, "#, "", shape),
  ])
  func faults(_ old: String, _ new: String, _ message: String) {
    let folder = TemporaryFolder()
    let content = old.count < 3 ? old : Self.whole.replacing(old, with: new)
    let path = folder.file("own.json", content)
    let error = #expect(throws: FileError.self) { try BeaconStyle(path: path) }
    #expect(error?.description.hasPrefix("\(path): ") == true)
    #expect(error?.description.hasSuffix(message) == true, "\(error?.description ?? "")")
  }

  private static let shape =
    "regions: two to four, each but the last with an edge; edges rise, between 0 and 180 degrees and "
    + "further apart than twice the hysteresis"

  @Test func names() throws {
    #expect(try BeaconStyle(named: "wood") == Self.style("wood"))
    let error = #expect(throws: FileError.self) { try BeaconStyle(named: "bell") }
    #expect(
      error?.description
        == "bell: no beacon style of this name; there are drops, shaker, sticks, wood, or name a folder"
    )
  }
}
