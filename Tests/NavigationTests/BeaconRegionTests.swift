import Geometry
import Navigation
import TestSupport
import Testing

struct BeaconRegionTests {
  /// The regions of Microsoft Soundscape's beacons of 2, 3 and 4 sounds (DynamicAudioEngineAsset.swift).
  @Test(
    arguments: [
      (2, [(0, .on), (22.5, .on), (22.6, .behind), (180, .behind), (-22.5, .on), (337.6, .on)]),
      (3, [(15, .on), (15.1, .near), (-125, .near), (125.1, .behind), (-180, .behind)]),
      (
        4,
        [
          (0, .on), (-15, .on), (16, .near), (55, .near), (-55.1, .beside), (125, .beside),
          (-125.1, .behind), (720 + 16, .near),
        ]
      ),
    ] as [(Int, [(Double, BeaconRegion)])])
  func published(_ count: Int, _ cases: [(Double, BeaconRegion)]) throws {
    let edges = try #require(AngularRegions.usualEdges(regionCount: count))
    let division = try #require(AngularRegions(edges: edges))
    #expect(division.regions.count == count)
    for (relative, region) in cases { #expect(division.region(relative: relative) == region) }
  }

  @Test(
    arguments: [
      ([], 3), ([10, 20, 30, 40], 0), ([20, 10], 0), ([10, 10], 0), ([0], 0), ([180], 0),
      ([.nan], 0), ([15, 20], 3), ([22.5], -1), ([22.5], .nan), ([5], 3), ([175], 3),
    ] as [([Double], Double)])
  func refused(_ edges: [Double], _ hysteresis: Double) {
    #expect(AngularRegions(edges: edges, hysteresis: hysteresis) == nil)
  }

  private static func geometry(_ relative: Double?) -> BeaconGeometry {
    BeaconGeometry(bearing: 0, distance: 50, relative: relative)
  }

  /// A turn past an edge and back: it changes 3 degrees beyond the edge, either way.
  @Test func hysteresis() throws {
    var tracker = RegionTracker(try #require(AngularRegions(edges: [15, 55, 125])))
    var changes: [(Double, BeaconRegion?)] = []
    for step in 0...1800 {
      let relative = Double(step) / 10
      if tracker.update(Self.geometry(relative)) { changes.append((relative, tracker.region)) }
    }
    for step in (0...1800).reversed() {
      let relative = -Double(step) / 10
      if tracker.update(Self.geometry(relative)) { changes.append((relative, tracker.region)) }
    }
    #expect(
      changes.map(\.1) == [.on, .near, .beside, .behind, .beside, .near, .on])
    #expect(changes.map(\.0) == [0, 18.1, 58.1, 128.1, -122, -52, -12])
  }

  /// A heading that wavers by 2 degrees about an edge changes nothing; without hysteresis it would
  /// all the time.
  @Test func aWaveringHeadingDoesNotFlap() throws {
    var random = SeededGenerator(seed: 3)
    let angles = (0..<1000).map { _ in 15 + Double.random(in: -2...2, using: &random) }
    func changes(_ hysteresis: Double) throws -> Int {
      var tracker = RegionTracker(
        try #require(AngularRegions(edges: [15, 55, 125], hysteresis: hysteresis)))
      return angles.count { tracker.update(Self.geometry($0)) }
    }
    #expect(try changes(3) == 1)
    #expect(try changes(0) > 300)
  }

  /// A quick turn passes over regions, and without a heading the last one stays.
  @Test func jumpsAndUnknownHeadings() throws {
    var tracker = RegionTracker(try #require(AngularRegions(edges: [15, 55, 125])))
    var changed = tracker.update(Self.geometry(nil))
    #expect(!changed && tracker.region == nil)
    changed = tracker.update(Self.geometry(170))
    #expect(changed && tracker.region == .behind)
    changed = tracker.update(Self.geometry(5))
    #expect(changed && tracker.region == .on)
    changed = tracker.update(Self.geometry(nil))
    #expect(!changed && tracker.region == .on)
  }
}

struct VicinityTests {
  @Test func arrivalAndDeparture() throws {
    var vicinity = try #require(Vicinity())
    let distances = [40.0, 20, 15, 14.9, 20, 30, 30.1, 16, 29, 14, 31]
    let events = distances.map { vicinity.update(distance: $0) }
    #expect(
      events == [nil, nil, nil, .entered, nil, nil, .left, nil, nil, .entered, .left])
  }

  /// A beacon that is set where the listener stands has not been reached.
  @Test func whoStartsInsideHasNotArrived() throws {
    var vicinity = try #require(Vicinity(entry: 12, exit: 12))
    let events = [3.0, 11, 13, 11].map { vicinity.update(distance: $0) }
    #expect(events == [nil, nil, .left, .entered])
  }

  @Test(arguments: [(0.0, 30.0), (-1, 30), (30, 15), (15, .infinity), (.nan, 30), (15, .nan)])
  func refused(_ entry: Double, _ exit: Double) {
    #expect(Vicinity(entry: entry, exit: exit) == nil)
  }

  @Test(arguments: [(100.0, 0.0), (30, 0), (22.5, 0.5), (15, 1), (0, 1)])
  func closeness(_ distance: Double, _ expected: Double) throws {
    #expect(try #require(Vicinity()).closeness(distance: distance) == expected)
  }
}

struct DistanceModelTests {
  /// The formulas of the OpenAL 1.1 specification, section 3.4, worked out by hand.
  @Test(
    arguments: [
      (.inverse, true, 10, 100, 1, [(0, 1), (10, 1), (20, 0.5), (100, 0.1), (1000, 0.1)]),
      (.inverse, false, 10, 100, 1, [(5, 2), (20, 0.5), (1000, 0.01)]),
      (.inverse, true, 10, 100, 0.5, [(30, 0.5)]),
      (.linear, true, 10, 110, 1, [(0, 1), (10, 1), (60, 0.5), (110, 0), (500, 0)]),
      (.linear, false, 10, 110, 0.5, [(0, 1.05), (60, 0.75), (500, 0.5)]),
      (.exponent, true, 10, 1000, 1, [(5, 1), (20, 0.5), (100, 0.1)]),
      (.exponent, false, 10, 1000, 2, [(5, 4), (20, 0.25)]),
      (.constant, true, 10, 100, 1, [(0, 1), (1e6, 1)]),
    ] as [(DistanceModel.Curve, Bool, Double, Double, Double, [(Double, Double)])])
  func specified(
    _ curve: DistanceModel.Curve, isClamped: Bool, reference: Double, maximum: Double,
    rolloff: Double, cases: [(Double, Double)]
  ) throws {
    let model = try #require(
      DistanceModel(
        curve, isClamped: isClamped, reference: reference, maximum: maximum, rolloff: rolloff))
    for (distance, gain) in cases { #expect(abs(model.gain(distance: distance) - gain) < 1e-12) }
  }

  @Test func refused() {
    #expect(DistanceModel(.inverse, reference: 0) == nil)
    #expect(DistanceModel(.inverse, reference: 10, maximum: 5) == nil)
    #expect(DistanceModel(.exponent, rolloff: -1) == nil)
    #expect(DistanceModel(.linear, reference: 10, maximum: 10) == nil)
    #expect(DistanceModel(.linear, rolloff: 1.5) == nil)
    #expect(DistanceModel(.inverse, rolloff: .nan) == nil)
    #expect(DistanceModel.constant.gain(distance: 1e9) == 1)
  }
}

struct CalloutTests {
  @Test(
    arguments: [
      (0, nil), (0.49, nil), (0.5, "1 metre"), (1.49, "1 metre"), (1.5, "2 metres"),
      (9.4, "9 metres"), (9.5, "10 metres"), (12.4, "10 metres"), (12.5, "15 metres"),
      (41.9, "40 metres"), (97.4, "95 metres"), (97.5, "100 metres"), (104.9, "100 metres"),
      (105, "110 metres"), (994.9, "990 metres"), (995, "1 kilometre"), (1049, "1 kilometre"),
      (1050, "1.1 kilometres"), (9949, "9.9 kilometres"), (9950, "10 kilometres"),
      (12_499, "12 kilometres"), (5_585_234, "5585 kilometres"), (.nan, nil), (.infinity, nil),
    ] as [(Double, String?)])
  func distances(_ metres: Double, _ expected: String?) {
    #expect(Callout.distance(metres) == expected)
  }

  @Test(
    arguments: [
      (0, "ahead", 12), (-22.4, "ahead", 11), (22.5, "ahead right", 1), (45, "ahead right", 2),
      (67.5, "right", 2), (90, "right", 3), (112.5, "behind right", 4), (135, "behind right", 5),
      (157.5, "behind", 5), (180, "behind", 6), (-180, "behind", 6), (-157.6, "behind", 7),
      (-150, "behind left", 7), (-90, "left", 9), (-45, "ahead left", 11), (-30, "ahead left", 11),
      (-15.1, "ahead", 11), (-15, "ahead", 12), (14.9, "ahead", 12), (15, "ahead", 1),
      (359.9, "ahead", 12),
    ] as [(Double, String, Int)])
  func directions(_ relative: Double, _ side: String, _ hour: Int) {
    #expect(Callout.direction(relative: relative, wording: .sides) == side)
    #expect(Callout.direction(relative: relative, wording: .clock) == "at \(hour) o'clock")
  }

  @Test(
    arguments: [
      (nil, 41.9, 315, -50, .sides, "beacon, 40 metres, ahead left"),
      ("Fountain", 41.9, 315, -50, .clock, "Fountain, 40 metres, at 10 o'clock"),
      ("Fountain", 120, 315, nil, .sides, "Fountain, 120 metres, north-west"),
      ("Fountain", 1, 350, nil, .clock, "Fountain, 1 metre, north"),
      ("Fountain", 0.2, 350, 10, .sides, "Fountain, here"),
    ] as [(String?, Double, Double, Double?, Callout.Wording, String)])
  func wholeCallouts(
    _ name: String?, _ distance: Double, _ bearing: Double, _ relative: Double?,
    _ wording: Callout.Wording, _ expected: String
  ) {
    let geometry = BeaconGeometry(bearing: bearing, distance: distance, relative: relative)
    #expect(Callout(name: name, geometry, wording: wording).description == expected)
  }
}
