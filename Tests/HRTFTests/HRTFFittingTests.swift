import Geometry
import Glibc
import TestSupport
import Testing

@testable import HRTF

/// Equalisation and head size, on measured and on made-up sets.
@Suite struct HRTFFittingTests {
  private static let kemar = Result {
    try SOFAFile(path: "\(projectFolder)/HRTF/MIT-KEMAR-44100.sofa").responses
  }

  /// The shares of the sphere of a regular layout: rings of evenly spaced azimuths, each ring's zone
  /// bounded half-way to the next (Archimedes: a zone's area is its height), the lowest reaching down.
  private static func ringShares(_ set: HRIRSet) -> [Double] {
    let elevations = Set(set.directions.map { $0.elevation.rounded() }).sorted()
    return set.directions.map { direction in
      let ring = direction.elevation.rounded()
      let place = elevations.firstIndex(of: ring) ?? 0
      func height(_ degrees: Double) -> Double { sin(degrees * .pi / 180) }
      let top =
        place + 1 < elevations.count ? height((ring + elevations[place + 1]) / 2) : 1
      let bottom = place > 0 ? height((ring + elevations[place - 1]) / 2) : -1
      let count = set.directions.count { $0.elevation.rounded() == ring }
      return (top - bottom) / 2 / Double(count)
    }
  }

  /// Levels, dB, every 100 Hz from 200 Hz to 16 kHz, of the power over both ears of some directions.
  private static func levels(_ set: HRIRSet, shares: [(direction: Int, share: Double)]) -> [Double]
  {
    let fft = RealFFT(size: 4096)
    var power = [Double](repeating: 0, count: 2049)
    for (direction, share) in shares {
      for ear in 0...1 {
        let spectrum = fft.forward(set.response(direction, ear: ear))
        for bin in power.indices {
          let (re, im) = (Double(spectrum.real[bin]), Double(spectrum.imaginary[bin]))
          power[bin] += share / 2 * (re * re + im * im)
        }
      }
    }
    return stride(from: 200.0, through: 16_000, by: 100).map { frequency in
      10 * log10(power[Int((frequency / set.sampleRate * 4096).rounded())])
    }
  }

  /// Root mean square of the deviation from the mean.
  private static func unevenness(_ levels: [Double]) -> Double {
    let mean = levels.reduce(0, +) / Double(levels.count)
    return (levels.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(levels.count))
      .squareRoot()
  }

  /// After equalisation the diffuse field is even, though the shares here are not those of the code.
  @Test func diffuseFieldBecomesEven() throws {
    let set = try Self.kemar.get()
    let shares = Array(Self.ringShares(set).enumerated()).map { (direction: $0, share: $1) }
    #expect(abs(shares.reduce(0) { $0 + $1.share } - 1) < 1e-9)
    let fitted = try set.fitted(HRTFFitting(equalization: .diffuseField), path: "a.sofa")
    let (before, after) = (Self.levels(set, shares: shares), Self.levels(fitted, shares: shares))
    #expect(Self.unevenness(before) > 3)
    #expect(Self.unevenness(after) < 0.5)
    // As loud as before.
    let (first, second) = (before.reduce(0, +), after.reduce(0, +))
    #expect(abs(first - second) / Double(before.count) < 0.3)
    #expect(fitted.directions == set.directions && fitted.delays == set.delays)
  }

  /// After free-field equalisation the front is even but for its notches, which are not filled: no
  /// frequency is raised by more than 12 dB, here against the mean level.
  @Test func frontBecomesEven() throws {
    let set = try Self.kemar.get()
    let front = try #require(
      set.directions.firstIndex { $0.azimuth == 0 && abs($0.elevation) < 0.01 })
    let fitted = try set.fitted(HRTFFitting(equalization: .freeField), path: "a.sofa")
    let before = Self.levels(set, shares: [(front, 1)])
    let after = Self.levels(fitted, shares: [(front, 1)])
    #expect(Self.unevenness(before) > 3)
    let sorted = after.map { abs($0 - after.sorted()[after.count / 2]) }.sorted()
    #expect(sorted[Int(0.9 * Double(sorted.count))] < 1)
    for (old, new) in zip(before, after) { #expect(new - old < 13) }
  }

  /// Every response is changed alike, so that differences between directions and ears stay.
  @Test(arguments: [HRTFFitting.Equalization.diffuseField, .freeField])
  func differencesStay(_ equalization: HRTFFitting.Equalization) throws {
    let set = try Self.kemar.get()
    let fitted = try set.fitted(HRTFFitting(equalization: equalization), path: "a.sofa")
    let reference = zip(
      Self.levels(fitted, shares: [(0, 1)]), Self.levels(set, shares: [(0, 1)])
    ).map { $0 - $1 }
    for direction in [100, 355, 700] {
      let change = zip(
        Self.levels(fitted, shares: [(direction, 1)]), Self.levels(set, shares: [(direction, 1)])
      ).map { $0 - $1 }
      for (own, other) in zip(change, reference) { #expect(abs(own - other) < 0.2) }
    }
  }

  @Test func noneChangesNothing() throws {
    let set = try Self.kemar.get()
    let same = try set.fitted(HRTFFitting(), path: "a.sofa")
    #expect(same.samples == set.samples && same.delays == set.delays)
  }

  /// Impulses with Woodworth's delays for a radius; by the sphere's own low-band responses such delays
  /// are a head's whose radius is 1/1.217 of that.
  private static func sphere(
    radius: Double, azimuths: [Double] = Array(stride(from: 0, to: 360, by: 5)),
    mirrored: Bool = false
  ) -> HRIRSet {
    let (rate, length) = (48_000.0, 128)
    var samples: [Float] = []
    var delays: [Float] = []
    let directions = azimuths.map { SphericalDirection(azimuth: $0, elevation: 0) }
    for direction in directions {
      let sine = direction.unitVector.y * (mirrored ? -1 : 1)
      let time = radius / 343 * (asin(sine) + sine)
      for sign in [-1.0, 1] {
        samples += (0..<length).map { $0 == 10 ? 1 : 0 }
        delays.append(Float((1e-3 + sign * time / 2) * rate))
      }
    }
    return HRIRSet(
      title: "", sampleRate: rate, directions: directions, length: length, samples: samples,
      delays: delays)
  }

  @Test(arguments: [0.07, 0.09, 0.12]) func radiusIsFound(radius: Double) throws {
    let found = try #require(Self.sphere(radius: radius).headRadius)
    #expect(abs(found - radius / 1.217) < 1e-5)
  }

  @Test func whatIsNoHead() {
    #expect(Self.sphere(radius: 0.09, azimuths: [0, 180]).headRadius == nil)
    #expect(Self.sphere(radius: 0.001).headRadius == nil)
    let wanted = HRTFFitting(headCircumference: 57)
    let error = #expect(throws: (any Error).self) {
      _ = try Self.sphere(radius: 0.09, mirrored: true).fitted(wanted, path: "a.sofa")
    }
    #expect(
      error.map { "\($0)" }
        == "a.sofa: its interaural times are not those of a head, so they cannot be scaled to another: "
        + "left and right are mirrored")
    let behind = Self.sphere(radius: 0.09, azimuths: Array(stride(from: 90, to: 271, by: 5)))
    let frontless = #expect(throws: (any Error).self) {
      _ = try behind.fitted(HRTFFitting(equalization: .freeField), path: "a.sofa")
    }
    #expect(
      frontless.map { "\($0)" }
        == "a.sofa: has no response within 5 degrees of ahead, by which free-field equalisation divides"
    )
  }

  /// Times are those of a head of the circumference, whatever the set's own, and levels stay.
  @Test(arguments: [45.0, 57, 70]) func timesAreScaled(circumference: Double) throws {
    let set = Self.sphere(radius: 0.0875)
    let fitted = try set.fitted(HRTFFitting(headCircumference: circumference), path: "a.sofa")
    #expect(abs(try #require(fitted.headRadius) * 200 * .pi - circumference) < 1e-3)
    #expect(fitted.samples == set.samples && fitted.delays.allSatisfy { $0 >= 0 })
    let ratio = circumference / 100 / (2 * .pi) * 1.217 / 0.0875
    for direction in set.directions.indices {
      let times = [set, fitted].map {
        Double($0.delay(direction, ear: 0) - $0.delay(direction, ear: 1))
      }
      #expect(abs(times[1] - ratio * times[0]) < 1e-3)
    }
  }

  /// Every choice has a name of its own in the cache.
  @Test func names() {
    let choices = HRTFFitting.Equalization.allCases.flatMap { equalization in
      [nil, 50, 57.5].map { HRTFFitting(equalization: equalization, headCircumference: $0).suffix }
    }
    #expect(Set(choices).count == 9 && choices[0] == "")
    #expect(choices.allSatisfy { !$0.contains("/") && !$0.contains(" ") })
  }
}

/// The part of the sphere that a set measures.
@Suite struct MeasuredPartTests {
  private static func set(_ directions: [(azimuth: Double, elevation: Double)]) -> HRIRSet {
    HRIRSet(
      title: "", sampleRate: 48_000,
      directions: directions.map {
        SphericalDirection(azimuth: $0.azimuth, elevation: $0.elevation)
      },
      length: 1, samples: Array(repeating: 1, count: 2 * directions.count),
      delays: Array(repeating: 0, count: 2 * directions.count))
  }

  /// Of the horizontal plane in steps of 5°, 20° up and down; in steps of 30°, 60°.
  @Test(arguments: [(5.0, 18.0, 22.0), (30, 57, 62)])
  func plane(step: Double, inside: Double, outside: Double) {
    let part = MeasuredPart(
      of: Self.set(stride(from: 0, to: 360, by: step).map { ($0, 0) }))
    for azimuth in stride(from: 0.0, to: 360, by: 30) {
      for sign in [-1.0, 1] {
        #expect(part.contains(SphericalDirection(azimuth: azimuth, elevation: sign * inside)))
        #expect(!part.contains(SphericalDirection(azimuth: azimuth, elevation: sign * outside)))
      }
    }
    #expect(!part.contains(SphericalDirection(azimuth: 0, elevation: 90)))
    #expect(MeasuredPart(bytes: part.bytes) == part)
  }

  /// Half a plane ends 20° beyond its ends; a second distance changes nothing.
  @Test func halfPlane() {
    let half = stride(from: -90.0, through: 90, by: 5).map { (azimuth: $0, elevation: 0.0) }
    let part = MeasuredPart(of: Self.set(half + half))
    for (azimuth, isInside) in [(0.0, true), (107, true), (253, true), (113, false), (180, false)] {
      #expect(part.contains(SphericalDirection(azimuth: azimuth, elevation: 0)) == isInside)
    }
  }

  @Test func otherBytesAreNoMap() {
    #expect(MeasuredPart(bytes: []) == nil)
    #expect(MeasuredPart(bytes: Array(repeating: 2, count: 16_200)) == nil)
  }
}
