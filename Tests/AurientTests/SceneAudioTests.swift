import CAllocationCount
import Files
import Geometry
import Glibc
import Navigation
import SpatialAudio
import TestSupport
import Testing

@testable import Aurient

/// A listener at 51° N 0° E who faces north, with beacons 100 m away, and what the engine makes of it.
private struct Stage {
  static let rate = 48_000
  let mix: LoopbackMix
  let audio: SceneAudio
  var scene: BeaconScene
  private(set) var frame = 0

  /// - Parameter bearings: where the beacons are, degrees.
  init(
    _ sounds: [StyleSounds], bearings: [Double], canSpeak: Bool = false,
    model: DistanceModel = .constant, division: AngularRegions? = nil
  ) throws {
    let dataSets = try testCatalogue.select(nil, sampleRate: Self.rate).dataSets
    mix = try LoopbackMix(
      sampleRate: Self.rate, dataSets: dataSets, sourceCount: sounds.count + 1)
    audio = try SceneAudio(
      sounds.map { .init($0, distanceModel: model) }, canSpeak: canSpeak, on: mix)
    let place = SyntheticScene.place
    scene = BeaconScene(
      beacons: bearings.map {
        BeaconState(
          Beacon(coordinate: place.destination(bearing: $0, distance: 100)), division: division)
      }, isYawOnly: false)
  }

  /// Plays for seconds in frames of the head's, each after `onMove`.
  mutating func play(
    _ seconds: Double, course: Double? = 0, onMove: (inout BeaconScene) -> Void = { _ in }
  ) -> [Float] {
    var samples: [Float] = []
    for _ in 0..<Int(seconds * 50) {
      let time = Timestamp(nanoseconds: 0) + Double(frame) / Double(Self.rate)
      onMove(&scene)
      scene.advance(
        to: time,
        ListenerReadings(
          location: SyntheticScene.place,
          course: course.map { .init(time: time, direction: $0, accuracy: 1) }))
      audio.update(scene, goesOn: true)
      audio.begin(scene, at: frame)
      samples += render(Self.rate / 50)
    }
    return samples
  }

  mutating func render(_ count: Int) -> [Float] {
    audio.prepare(scene, at: frame)
    var block = [Float](repeating: 0, count: 2 * count)
    block.withUnsafeMutableBufferPointer { mix.render(into: $0) }
    frame += count
    audio.prepare(scene, at: frame)
    return block
  }
}

@Suite struct SceneAudioTests {
  private static func steady() -> StyleSounds { StyleSounds(loop: noise(count: 9600)) }

  private static func level(_ samples: [Float], _ seconds: Range<Double>) -> Double {
    let frames = Int(seconds.lowerBound * 48_000)..<Int(seconds.upperBound * 48_000)
    return decibels(
      (energy(samples, ear: 0, frames) + energy(samples, ear: 1, frames)) / Double(frames.count))
  }

  /// A plain sound comes out as OpenAL plays it as a loop of its own, sample for sample.
  @Test(arguments: [1323, 50_000]) func aPlainSoundIsOpenALsOwnLoop(count: Int) throws {
    let sound = noise(count: count)
    var stage = try Stage([StyleSounds(loop: sound)], bearings: [20])
    var headings: [Double] = []
    let samples = stage.play(2, course: 0) { scene in headings.append(scene.heading?.degrees ?? 0) }
    let mix = try LoopbackMix(
      sampleRate: 48_000, dataSets: try testCatalogue.select(nil, sampleRate: 48_000).dataSets)
    let source = try MixSource(sound, looping: true, on: mix)
    source.play()
    mix.setListener(ahead: Vector3(0, 1, 0), up: Vector3(0, 0, 1))
    let geometry = stage.scene.beacons[0].geometry
    source.setPosition(geometry.distance * WorldFrame.direction(azimuth: geometry.bearing))
    var expected = [Float](repeating: 0, count: samples.count)
    expected.withUnsafeMutableBufferPointer { whole in
      for start in stride(from: 0, to: whole.count, by: 1920) {
        mix.render(into: UnsafeMutableBufferPointer(rebasing: whole[start..<start + 1920]))
      }
    }
    #expect(samples == expected)
  }

  /// Words come from their beacon at their own level while the beacons are 12 dB softer, which neither
  /// begins nor ends with a step, and all is as before afterwards.
  @Test func wordsDimTheBeacons() throws {
    func samples(words: [Float]?) throws -> [Float] {
      var stage = try Stage([Self.steady()], bearings: [90], canSpeak: true)
      var samples = stage.play(1)
      if let words {
        var words = words
        #expect(try stage.audio.say(&words, from: 0))
        #expect(stage.audio.isSpeaking(at: 48_000))
      }
      samples += stage.play(3)
      #expect(!stage.audio.isSpeaking(at: 48_000 * 4))
      return samples
    }
    let usual = try samples(words: nil)
    let dimmed = try samples(words: [Float](repeating: 0, count: 48_000))
    #expect(dimmed[..<96_000] == usual[..<96_000])
    let difference = Self.level(dimmed, 1.3..<2) - Self.level(usual, 1.3..<2)
    #expect(abs(difference - 20 * log10(0.25)) < 0.01)
    #expect(dimmed[(2 * 48_000 * 23 / 10)...] == usual[(2 * 48_000 * 23 / 10)...])
    let step = zip(usual, usual.dropFirst(2)).map { abs($1 - $0) }.max() ?? 0
    let dimmedStep = zip(dimmed, dimmed.dropFirst(2)).map { abs($1 - $0) }.max() ?? 1
    #expect(dimmedStep <= step)
  }

  /// Words on the right from a beacon that is off are heard there, as loud as they are without a heading.
  @Test func wordsComeFromTheirBeacon() throws {
    func words(course: Double?) throws -> [Float] {
      var stage = try Stage(
        [Self.steady(), Self.steady()], bearings: [270, 90], canSpeak: true)
      stage.scene.turn(0, off: true)
      stage.scene.turn(1, off: true)
      _ = stage.play(0.5, course: course)
      var words = noise(count: 24_000)
      #expect(try stage.audio.say(&words, from: 1))
      return stage.play(1, course: course)
    }
    let samples = try words(course: 0)
    let frames = 9600..<24_000
    #expect(
      decibels(energy(samples, ear: 1, frames) / energy(samples, ear: 0, frames)) > 8)
    #expect(Self.level(samples, 0.8..<1) < -120)
    #expect(try words(course: nil) == samples)
  }

  /// Moments of which none is heard are as the last alone, also where a turn ends just with the first: a record
  /// does not tell them apart.
  @Test(arguments: [10.0, 9.9996, 4, -10]) func momentsThatAreNotHeard(first: Double) throws {
    func samples(_ courses: [Double]) throws -> [Float] {
      var stage = try Stage([Self.steady()], bearings: [30])
      var samples = stage.play(0.1)
      let time = Timestamp(nanoseconds: 0) + 0.1
      for (index, course) in courses.enumerated() {
        stage.scene.advance(
          to: time,
          ListenerReadings(
            location: SyntheticScene.place,
            course: .init(time: time, direction: course, accuracy: 1)))
        stage.audio.update(stage.scene, goesOn: index == 0)
      }
      samples += stage.render(Stage.rate / 10)
      return samples
    }
    #expect(try samples([positiveDegrees(first), 10.0004]) == samples([10.0004]))
    // It is heard at all.
    #expect(try samples([10.0004]) != samples([0]))
  }

  /// Without a heading −8 dB, without a step.
  @Test func noHeadingDims() throws {
    var stage = try Stage([Self.steady()], bearings: [30])
    let with = stage.play(0.4)
    let without = stage.play(0.4, course: nil)
    let again = stage.play(0.4)
    let samples = with + without + again
    // The noise repeats after 0.2 s.
    let difference = Self.level(samples, 0.6..<0.8) - Self.level(samples, 0.2..<0.4)
    #expect(abs(difference - 20 * log10(0.4)) < 0.01)
    #expect(abs(Self.level(samples, 1..<1.2) - Self.level(samples, 0.2..<0.4)) < 0.01)
    let step = zip(with, with.dropFirst(2)).map { abs($1 - $0) }.max() ?? 0
    #expect(zip(samples, samples.dropFirst(2)).allSatisfy { abs($1 - $0) <= step })
  }

  /// A volume of a half is −6 dB from the first sample on, or after a tenth of a second.
  @Test func volume() throws {
    var soft = try Stage([Self.steady()], bearings: [30])
    soft.audio.volume = 0.5
    let softly = soft.play(0.6)
    var usual = try Stage([Self.steady()], bearings: [30])
    let usually = usual.play(0.6)
    for (soft, usual) in zip(softly, usually) { #expect(abs(soft - usual / 2) < 1e-6) }
    soft.audio.volume = 1
    let louder = soft.play(0.6)
    #expect(abs(Self.level(louder, 0.3..<0.5) - Self.level(usually, 0.3..<0.5)) < 0.01)
  }

  /// One alone is what it is without the others; then all again.
  @Test func soloAndOff() throws {
    var stage = try Stage(
      (0..<3).map { StyleSounds(loop: noise(count: 4800 + $0)) }, bearings: [0, 120, 240])
    stage.scene.turn(2, off: true)
    stage.scene.solo(1)
    #expect(stage.scene.beacons.map(\.presence) == [.off, .sounding, .off])
    let alone = stage.play(0.5)
    var other = try Stage([StyleSounds(loop: noise(count: 4801))], bearings: [120])
    let expected = other.play(0.5)
    let error = zip(alone, expected).map { abs($0 - $1) }.max() ?? 1
    #expect(error < 1e-6)
    stage.scene.solo(nil)
    #expect(stage.scene.beacons.map(\.presence) == [.sounding, .sounding, .off])
    let two = stage.play(0.5)
    #expect(Self.level(two, 0.3..<0.5) > Self.level(alone, 0.3..<0.5) + 2)
  }

  /// Beacons that have rested are in the same place of their loops as if they had not.
  @Test func restingKeepsTime() throws {
    let sounds = StyleSounds(loop: noise(count: 50_000))
    var stage = try Stage([sounds], bearings: [30])
    _ = stage.play(0.5)
    stage.scene.turn(0, off: true)
    let rest = stage.play(2)
    #expect(Self.level(rest, 0.5..<2) < -120)
    stage.scene.turn(0, off: false)
    _ = stage.play(0.5)
    var other = try Stage([sounds], bearings: [30])
    _ = other.play(3)
    #expect(stage.play(1) == other.play(1))
  }

  /// At 100 m: 10/100 by the inverse model, and by the linear one half way.
  @Test(arguments: [
    (DistanceModel.Curve.inverse, 10.0, 1e6, -20.0), (.linear, 50, 150, -6.02),
    (.exponent, 25, 1e6, -12.04), (.constant, 1, 1e6, 0),
  ])
  func distanceModels(
    _ curve: DistanceModel.Curve, reference: Double, maximum: Double, expected: Double
  ) throws {
    let model = try #require(DistanceModel(curve, reference: reference, maximum: maximum))
    var near = try Stage([Self.steady()], bearings: [30])
    var far = try Stage([Self.steady()], bearings: [30], model: model)
    let difference =
      Self.level(far.play(0.4), 0.2..<0.4) - Self.level(near.play(0.4), 0.2..<0.4)
    #expect(abs(difference - expected) < 0.05)
  }

  /// A scene that begins between two pieces, or goes on for longer than the loop in OpenAL: everything
  /// stays in its place.
  @Test(arguments: [0, 1, 1000]) func aLaterBeginning(frames: Int) throws {
    let dataSets = try testCatalogue.select(nil, sampleRate: 48_000).dataSets
    let mix = try LoopbackMix(sampleRate: 48_000, dataSets: dataSets)
    let audio = try SceneAudio([.init(StyleSounds(loop: noise(count: 4800)))], on: mix)
    var scene = BeaconScene(
      beacons: [
        BeaconState(
          Beacon(coordinate: SyntheticScene.place.destination(bearing: 0, distance: 100)))
      ], isYawOnly: true)
    var samples = [Float](repeating: 0, count: 2 * (frames + 96_000))
    samples.withUnsafeMutableBufferPointer { samples in
      mix.render(into: UnsafeMutableBufferPointer(rebasing: samples[..<(2 * frames)]))
      let time = Timestamp(nanoseconds: 0)
      scene.advance(
        to: time,
        ListenerReadings(
          location: SyntheticScene.place, course: .init(time: time, direction: 0, accuracy: 1)))
      audio.update(scene, goesOn: true)
      audio.begin(scene, at: frames)
      for start in stride(from: frames, to: frames + 96_000, by: 1920) {
        audio.prepare(scene, at: start)
        mix.render(
          into: UnsafeMutableBufferPointer(rebasing: samples[2 * start..<2 * (start + 1920)]))
      }
    }
    // Periodic with the sound, from the second beat on.
    let later = samples[(4 * 9600)...]
    let faults = later.indices.dropLast(9600).count { abs(samples[$0 + 9600] - samples[$0]) > 1e-6 }
    #expect(faults == 0)
    #expect(energy(samples, ear: 0, 48_000..<96_000) > 1)
  }

  @Test(.enabled(if: counts_calls())) func aMomentNeitherAllocatesNorWaits() throws {
    let division = AngularRegions(edges: [15, 55, 125])
    let loops = (0..<4).map { noise(count: 9600 * (1 + $0 % 2)) }
    let style = StyleSounds(
      beat: 4800, loops: loops, start: noise(count: 9600), end: noise(count: 4800),
      hum: noise(count: 9600))
    var stage = try Stage(
      (0..<8).map { _ in style }, bearings: (0..<8).map { Double($0) * 45 }, canSpeak: true,
      division: division)
    _ = stage.play(0.1)
    var words = noise(count: 24_000)
    #expect(try stage.audio.say(&words, from: 3))
    let audio = stage.audio
    var scene = stage.scene
    scene.turn(7, off: true)
    let first = stage.frame
    let before = heap_call_count()
    for moment in 1..<400 {
      audio.prepare(scene, at: first + 960 * moment)
      audio.update(scene, goesOn: true)
      audio.begin(scene, at: first + 960 * moment)
      // Some rest for a while.
      if moment == 50 { for index in 0..<4 { scene.turn(index, off: true) } }
      if moment == 250 { for index in 0..<8 { scene.turn(index, off: false) } }
    }
    #expect(heap_call_count() == before)
  }
}
