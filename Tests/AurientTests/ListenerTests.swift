import Aurient
import Files
import Geometry
import HRTF
import Navigation
import Testing

/// What the listener hears against the measured responses of the set.
@Suite struct ListenerTests {
  private static let kemar = "MIT-KEMAR-44100"
  private static let sadie = "SADIE-KU100-48000"

  /// The set's own interaural level difference, left over right in dB, for a loop from one direction:
  /// the energies of the loop filtered with the two measured responses.
  private func measuredILD(_ set: String, azimuth: Double, loop: [Float]) throws -> Double {
    let entry = try #require(HRTFCatalogue().entries.first { $0.name == set })
    let responses = try SOFAFile(path: entry.path).responses
    let direction = SphericalDirection(azimuth: azimuth, elevation: 0)
    let angles = responses.directions.map { $0.angle(to: direction) }
    let nearest = try #require(angles.indices.min { angles[$0] < angles[$1] })
    #expect(angles[nearest] < 0.01)
    let energies = (0...1).map { ear -> Double in
      let response = Array(responses.response(nearest, ear: ear))
      return loop.withUnsafeBufferPointer { loop in
        response.withUnsafeBufferPointer { response in
          var sum = 0.0
          for time in 0..<loop.count {
            var sample: Float = 0
            for tap in 0..<response.count {
              let index = time - tap
              sample += response[tap] * loop[index >= 0 ? index : index + loop.count]
            }
            sum += Double(sample) * Double(sample)
          }
          return sum
        }
      }
    }
    return decibels(energies[0] / energies[1])
  }

  struct Case {
    var set: String
    var rate: Int
    /// Degrees that the head turns to the left after calibration.
    var left: Double
    /// SOFA's azimuth of the beacon then.
    var azimuth: Double
  }

  /// The head turns and the beacon, ahead before, stays where it is in the world.
  @Test(arguments: [
    Case(set: kemar, rate: 44100, left: 0, azimuth: 0),
    Case(set: kemar, rate: 44100, left: 90, azimuth: 270),
    Case(set: kemar, rate: 44100, left: -90, azimuth: 90),
    Case(set: sadie, rate: 48000, left: 0, azimuth: 0),
    Case(set: sadie, rate: 48000, left: 90, azimuth: 270),
    Case(set: sadie, rate: 48000, left: -90, azimuth: 90),
  ])
  func levelDifference(_ test: Case) throws {
    // A loop of 30 ms goes a whole number of times into the 0.6 s that are compared.
    let loop = noise(count: test.rate * 3 / 100)
    let scene = SyntheticScene(seconds: 4, turns: [.init(milliseconds: 3000, left: test.left)])
    let sound = try scene.sound(loop, sampleRate: test.rate)
    let result = try rendering(of: scene.scene(beaconAt: 0, sound: sound, hrtf: test.set))
    #expect(result.sampleRate == test.rate)
    #expect(result.last.heading?.source == .head)
    let relative = try #require(result.last.beacons[0].geometry.relative)
    #expect(abs(relative - test.left) < 1e-6)

    let frames = test.rate * 33 / 10..<test.rate * 39 / 10
    let (left, right) = (
      energy(result.samples, ear: 0, frames), energy(result.samples, ear: 1, frames)
    )
    let expected = try measuredILD(test.set, azimuth: test.azimuth, loop: loop)
    #expect(abs(decibels(left / right) - expected) < 1, "expected \(expected)")
    if test.left > 0 { #expect(right > 4 * left) }
    if test.left < 0 { #expect(left > 4 * right) }
    if test.left == 0 { #expect(abs(decibels(left / right)) < 1.5) }
    // Before the turn it was ahead.
    let before = test.rate * 23 / 10..<test.rate * 29 / 10
    let ahead = decibels(
      energy(result.samples, ear: 0, before) / energy(result.samples, ear: 1, before))
    #expect(abs(ahead) < 1.5)
  }

  /// Tilting the head up moves a beacon neither from ahead nor from the right to a side, and tilting
  /// it to a side leaves one ahead where it is.
  @Test(arguments: [
    (0.0, 40.0, 0.0), (0, -40, 0), (0, 0, 60), (90, 40, 0), (-90, -40, 0), (90, 0, 0),
  ])
  func tilt(beacon: Double, up: Double, rolled: Double) throws {
    let scene = SyntheticScene(
      seconds: 4, turns: [.init(milliseconds: 3000, up: up, rolled: rolled)])
    let sound = try scene.sound(noise(count: 1440), sampleRate: 48000)
    let result = try rendering(
      of: scene.scene(beaconAt: beacon, sound: sound, hrtf: Self.sadie))
    func ild(_ frames: Range<Int>) -> Double {
      decibels(energy(result.samples, ear: 0, frames) / energy(result.samples, ear: 1, frames))
    }
    let (level, tilted) = (ild(110_400..<139_200), ild(158_400..<187_200))
    #expect(result.last.beacons[0].geometry.relative.map { abs($0 - beacon) < 1e-6 } == true)
    let (ahead, crown) = result.last.orientation
    #expect(abs(ahead.z - WorldFrame.direction(azimuth: 0, elevation: up).z) < 1e-9)
    #expect(
      abs(crown.z - WorldFrame.direction(azimuth: 0, elevation: 90 - max(abs(up), rolled)).z) < 1e-9
    )
    if beacon == 0 {
      #expect(abs(tilted) < 1.5)
    } else {
      #expect(abs(tilted) > 5 && (tilted < 0) == (beacon > 0))
      #expect(abs(tilted - level) < 3)
    }
  }

  @Test func yawOnlyLeavesOutTheTilt() throws {
    func samples(up: Double, isYawOnly: Bool) throws -> [Float] {
      let scene = SyntheticScene(seconds: 4, turns: [.init(milliseconds: 3000, left: 20, up: up)])
      let sound = try scene.sound(noise(count: 1440), sampleRate: 48000)
      return try rendering(
        of: scene.scene(beaconAt: 0, sound: sound, hrtf: Self.sadie, isYawOnly: isYawOnly)
      ).samples
    }
    let level = try samples(up: 0, isYawOnly: true)
    #expect(try samples(up: 40, isYawOnly: true) == level)
    #expect(try samples(up: 40, isYawOnly: false) != level)
  }

  /// Without any heading the beacons are 8 dB softer (a gain of 0.4) and lie as if north were ahead.
  @Test func noHeadingIsKnown() throws {
    let silent = SyntheticScene(seconds: 2, turns: nil, hasPhone: false)
    let known = SyntheticScene(seconds: 2, turns: nil)
    let sound = try silent.sound(noise(count: 1440), sampleRate: 48000)
    let unknown = try rendering(of: silent.scene(beaconAt: -30, sound: sound, hrtf: Self.sadie))
    let ahead = try rendering(of: known.scene(beaconAt: 0, sound: sound, hrtf: Self.sadie))
    #expect(unknown.last.heading == nil && unknown.last.beacons[0].geometry.relative == nil)
    #expect(ahead.last.heading?.source == .phone)
    let frames = 14_400..<86_400
    for ear in 0...1 {
      let ratio =
        energy(unknown.samples, ear: ear, frames) / energy(ahead.samples, ear: ear, frames)
      #expect(abs(decibels(ratio) - -7.96) < 0.01)
    }
  }
}
