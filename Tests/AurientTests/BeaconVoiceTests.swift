import CAllocationCount
import Glibc
import Navigation
import TestSupport
import Testing

@testable import Aurient

@Suite struct BeaconVoiceTests {
  private static let pieceLength = 256

  /// A voice's samples, the wish of each piece by its number.
  private static func samples(
    _ sounds: StyleSounds, rate: Int, pieces: Int, from frame: Int = 0,
    _ wish: (Int) -> BeaconVoice.Wish
  ) -> [Float] {
    var voice = BeaconVoice(sounds, sampleRate: rate)
    var samples = [Float](repeating: .nan, count: pieces * pieceLength)
    samples.withUnsafeMutableBufferPointer { samples in
      for piece in 0..<pieces {
        let start = piece * pieceLength
        let run = UnsafeMutableBufferPointer(rebasing: samples[start..<start + pieceLength])
        voice.render(into: run, from: frame + start, wish(piece))
      }
    }
    return samples
  }

  /// Samples that tell which sound they are of and where in it they stand.
  private static func numbered(_ sound: Int, count: Int) -> [Float] {
    (0..<count).map { Float(sound * 100_000 + $0 + 1) }
  }

  /// An hour: each sample is that of the loop's frame modulo its length, and loops change on beats alone, at
  /// the sample. The beat is a prime, so that nothing fits by chance.
  @Test func gridAndLoopsNeverDrift() {
    let (rate, beat, fade) = (8000, 3271, 40)
    let loops = [6, 6, 4].enumerated().map { Self.numbered($0, count: $1 * beat) }
    let sounds = StyleSounds(beat: beat, loops: loops)
    var generator = SeededGenerator(seed: 3)
    let pieceCount = 3600 * rate / Self.pieceLength
    let regions = (0..<pieceCount / 20 + 1).map { _ in Int.random(in: 0...2, using: &generator) }
    var voice = BeaconVoice(sounds, sampleRate: rate)
    var (faults, changes, region) = (0, 0, regions[0])
    var piece = [Float](repeating: 0, count: Self.pieceLength)
    for number in 0..<pieceCount {
      let start = number * Self.pieceLength
      piece.withUnsafeMutableBufferPointer {
        voice.render(into: $0, from: start, .init(region: regions[number / 20]))
      }
      func check(_ frame: Int, _ region: Int) {
        let expected = region * 100_000 + frame % loops[region].count + 1
        if piece[frame - start] != Float(expected) { faults += 1 }
      }
      // The first frame, if it is no beat, and what follows the next is not coming up yet.
      if 1..<beat - fade ~= start % beat { check(start, region) }
      // The beat in this piece, if any: decided 40 frames before, by the wish of the piece there.
      let next = (start + beat - 1) / beat * beat
      guard next < start + Self.pieceLength, next > 0 else { continue }
      if next - fade >= start { check(next - fade, region) }
      let decided = regions[(next - fade) / Self.pieceLength / 20]
      if decided != region { changes += 1 }
      region = decided
      check(next, region)
      if next + 1 < start + Self.pieceLength { check(next + 1, region) }
    }
    #expect(faults == 0)
    #expect(changes > 3000)
  }

  /// Tones in opposite phases, turned on and off and about all the time: no sample step is greater than the
  /// tones' own.
  @Test func nothingClicks() {
    let (rate, beat) = (48_000, 4801)
    func tone(_ hertz: Double, _ phase: Double, beats: Int) -> [Float] {
      // Whole periods.
      let periods = (hertz * Double(beats * beat) / Double(rate)).rounded()
      return (0..<beats * beat).map {
        Float(0.5 * sin(2 * .pi * (periods * Double($0) / Double(beats * beat) + phase)))
      }
    }
    let sounds = StyleSounds(
      beat: beat,
      loops: [
        tone(200, 0.25, beats: 4), tone(200, 0.75, beats: 4), tone(400, 0.25, beats: 3),
        tone(400, 0.6, beats: 4),
      ], start: tone(300, 0, beats: 2), end: tone(350, 0, beats: 3), hum: tone(150, 0.25, beats: 2))
    var generator = SeededGenerator(seed: 5)
    var wish = BeaconVoice.Wish()
    let samples = Self.samples(sounds, rate: rate, pieces: 20_000) { piece in
      // Sometimes faster than beats, mostly slower.
      if piece % (piece < 5000 ? 7 : 90) == 0 {
        wish.presence = .allCases.randomElement(using: &generator) ?? .sounding
        wish.region = Int.random(in: 0...3, using: &generator)
        wish.closeness = [0, 0, 0, 0.1].randomElement(using: &generator) ?? 0
      }
      return wish
    }
    let step = zip(samples, samples.dropFirst()).map { abs($1 - $0) }.dropFirst().max() ?? 1
    // Of 400 Hz at 0.5, and of the hum at 0.5 · 0.05.
    let own = 2 * Double.pi * (400 * 0.5 + 150 * 0.025) / Double(rate)
    #expect(Double(step) < 1.001 * own)
    // And it was heard.
    #expect(samples.count { abs($0) > 0.4 } > samples.count / 20)
  }

  private static let melodic = StyleSounds(
    beat: 1000, loops: [numbered(0, count: 4000), numbered(1, count: 4000)],
    start: numbered(2, count: 2000), end: numbered(3, count: 3000))

  /// The sounds in each beat, by the wish from each frame on.
  ///
  /// `0`, `1` the loops, `s` and `e` the melodies, `-` nothing. A wish counts from the first beat 40 frames
  /// after it, or its piece, has begun.
  @Test(
    arguments: [
      ([(0, "sounding")], "ss00000000"),
      // Arrived, left, arrived again.
      (
        [(0, "sounding"), (4100, "arrived"), (10_100, "sounding"), (14_500, "arrived")],
        "ss000eee---ss00eee---"
      ),
      // The arrival cuts the beginning off; who leaves before the end has been played hears it first.
      ([(0, "sounding"), (600, "arrived"), (1600, "sounding")], "seeess0000"),
      // Turned off and on: no melodies, and none cut in halves goes on.
      ([(0, "sounding"), (3100, "off"), (6100, "sounding")], "ss00---0000"),
      ([(0, "sounding"), (600, "off"), (3600, "sounding")], "s---0000"),
      // Off while the listener arrives: nothing is heard of it.
      ([(0, "sounding"), (3100, "off"), (5100, "arrived"), (7100, "sounding")], "ss00----ss00"),
      // Its turn on a route comes, passes, and comes again.
      (
        [(0, "waiting"), (3100, "sounding"), (8100, "waiting"), (9100, "sounding")],
        "----ss000-ss00"
      ),
      ([(0, "waiting"), (3100, "sounding"), (8100, "arrived")], "----ss000eee---"),
      ([(0, "arrived"), (3100, "sounding")], "----ss00"),
      ([(0, "off"), (3100, "sounding")], "----0000"),
    ] as [([(Int, String)], String)])
  func melodies(_ wishes: [(Int, String)], _ expected: String) throws {
    let samples = Self.samples(
      Self.melodic, rate: 8000, pieces: expected.count * 1000 / Self.pieceLength + 1
    ) { piece in
      let name = wishes.last { $0.0 <= piece * Self.pieceLength }?.1 ?? ""
      return .init(presence: BeaconState.Presence(rawValue: name) ?? .off, region: 0)
    }
    var (heard, begin) = ("", 0)
    for beat in 0..<expected.count {
      // Up to where it fades to what follows, samples are those of one sound in their order.
      let run = samples[beat * 1000..<beat * 1000 + 960]
      let sound = Int(run[beat * 1000]) / 100_000
      let name: Character = run[beat * 1000] == 0 ? "-" : ["0", "1", "s", "e"][sound]
      if heard.last != name { begin = beat }
      heard.append(name)
      let length = [4000, 4000, 2000, 3000][sound]
      let origin = sound < 2 ? 0 : begin * 1000
      for index in run.indices {
        let number = sound * 100_000 + (index - origin) % length + 1
        try #require(run[index] == (name == "-" ? 0 : Float(number)), "\(index)")
      }
    }
    #expect(heard == expected)
  }

  /// Before a heading is known no beacon is said to be ahead.
  @Test func withoutRegionTheLastLoop() {
    let sounds = StyleSounds(
      beat: 1000, loops: [0, 1, 2].map { Self.numbered($0, count: 4000) })
    let samples = Self.samples(sounds, rate: 8000, pieces: 10) { piece in
      .init(region: piece < 5 ? nil : 1)
    }
    #expect(samples[0] == 200_001 && samples[1959] == 201_960 && samples[2000] == 102_001)
  }

  /// A plain sound is itself from the first sample on, however short or long it is.
  @Test(arguments: [1, 7, 256, 4799, 10_001])
  func plainSounds(count: Int) {
    let loop = Self.numbered(0, count: count)
    let samples = Self.samples(StyleSounds(loop: loop), rate: 48_000, pieces: 200) { _ in .init() }
    #expect(samples.indices.allSatisfy { samples[$0] == loop[$0 % count] })
  }

  /// Half the closeness is half the hum's level, which is half of its file's, after a piece; none while
  /// nothing sounds.
  @Test func hum() {
    let hum = (0..<2000).map { 1 + Float($0) / 10_000 }
    let sounds = StyleSounds(beat: 1000, loops: [[Float](repeating: 0, count: 1000)], hum: hum)
    let samples = Self.samples(sounds, rate: 8000, pieces: 40) { piece in
      switch piece {
      case ..<10: .init(closeness: 0)
      case ..<20: .init(closeness: 0.5)
      case ..<30: .init(closeness: 1)
      default: .init(presence: .arrived, closeness: 1)
      }
    }
    #expect(samples[..<2560].allSatisfy { $0 == 0 })
    let levels = samples.indices.map { samples[$0] / hum[$0 % 2000] }
    #expect(levels[(11 * 256)..<(20 * 256)].allSatisfy { abs($0 - 0.25) < 1e-6 })
    #expect(levels[(21 * 256)..<(30 * 256)].allSatisfy { abs($0 - 0.5) < 1e-6 })
    #expect(samples[(31 * 256)...].allSatisfy { $0 == 0 })
    // From level to level in even steps.
    #expect(zip(levels, levels.dropFirst()).allSatisfy { abs($1 - $0) < 0.5 / 256 + 1e-6 })
  }

  /// A voice that comes in the middle of a beat begins with the next.
  @Test func comesInOnABeat() {
    let samples = Self.samples(Self.melodic, rate: 8000, pieces: 10, from: 500) { _ in
      .init(region: 0)
    }
    #expect(samples[..<500].allSatisfy { $0 == 0 } && samples[500] == 200_001)
  }

  @Test(.enabled(if: counts_calls())) func aPieceNeitherAllocatesNorLocks() {
    var voices = (0..<3).map { _ in BeaconVoice(Self.melodic, sampleRate: 8000) }
    let piece = UnsafeMutableBufferPointer<Float>.allocate(capacity: 256)
    defer { piece.deallocate() }
    let presences = BeaconState.Presence.allCases
    func play(_ pieces: Range<Int>) -> UInt64 {
      let before = heap_call_count() + lock_count()
      for number in pieces {
        for index in voices.indices {
          let wish = BeaconVoice.Wish(
            presence: presences[(number / 30 + index) % 4], region: number / 7 % 2, closeness: 0.3)
          voices[index].render(into: piece, from: number * 256, wish)
        }
      }
      return heap_call_count() + lock_count() - before
    }
    _ = play(0..<2)
    #expect(play(2..<2000) == 0)
  }
}
