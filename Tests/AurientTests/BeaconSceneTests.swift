import Aurient
import Files
import Geometry
import HeadTracking
import Navigation
import Testing

@Suite struct BeaconSceneTests {
  private static func time(_ seconds: Double) -> Timestamp { Timestamp(nanoseconds: 0) + seconds }

  private static func readings(course: Double?, phone: Double?, at seconds: Double)
    -> ListenerReadings
  {
    func reading(_ direction: Double?) -> ReferenceSeries.Reading {
      .init(time: time(seconds), direction: direction, accuracy: 1)
    }
    return ListenerReadings(
      location: SyntheticScene.place, course: reading(course), phone: reading(phone))
  }

  /// Head, course and phone point where the beacon would be in three different regions: its region is always
  /// that of the heading by which it is placed.
  @Test func regionAndPlaceAreOfOneHeading() throws {
    let division = try #require(AngularRegions(edges: [15, 55, 125]))
    let place = SyntheticScene.place.destination(bearing: 25, distance: 100)
    var scene = BeaconScene(
      beacons: [BeaconState(Beacon(coordinate: place), division: division)],
      calibrator: .classic, isYawOnly: false)
    #expect(scene.beacons[0].region == nil)
    func expect(_ source: HeadingSource?, _ region: BeaconRegion) {
      #expect(scene.heading?.source == source && scene.beacons[0].region == region)
      guard let heading = scene.heading else { return }
      let geometry = scene.beacons[0].geometry
      #expect(
        abs(signedDegrees(geometry.bearing - heading.degrees - (geometry.relative ?? 999))) < 1e-9)
      #expect(division.region(relative: geometry.relative ?? 999) == region)
    }
    // The head is calibrated to the phone's 30°.
    for index in 0...201 {
      let seconds = Double(index) / 25
      scene.advance(
        to: MotionFrame(time: Self.time(seconds), attitude: .identity),
        Self.readings(course: nil, phone: 30, at: seconds))
    }
    expect(.head, .on)
    scene.advance(
      to: MotionFrame(time: Self.time(9), attitude: .identity),
      Self.readings(course: 120, phone: 210, at: 9))
    expect(.head, .on)
    scene.update(to: Self.time(9.01), Self.readings(course: 120, phone: 210, at: 9.01))
    expect(.head, .on)
    scene.advance(to: Self.time(9.02), Self.readings(course: 120, phone: 210, at: 9.02))
    expect(.course, .beside)
    scene.advance(to: Self.time(9.04), Self.readings(course: nil, phone: 210, at: 9.04))
    expect(.phone, .behind)
    scene.advance(to: Self.time(9.06), Self.readings(course: nil, phone: nil, at: 9.06))
    expect(nil, .behind)
  }

  /// A listener whose head wavers by 2.9 degrees about an edge hears one loop, by 3.1 degrees two.
  @Test(arguments: [(2.9, 1), (3.1, 20)])
  func regionsDoNotFlap(_ waver: Double, _ expected: Int) throws {
    let place = SyntheticScene.place.destination(bearing: 0, distance: 100)
    var scene = BeaconScene(
      beacons: [
        BeaconState(Beacon(coordinate: place), division: AngularRegions(edges: [15, 55, 125]))
      ], isYawOnly: false)
    var regions: [BeaconRegion] = []
    for index in 0..<20 {
      let course = 15 + (index % 2 == 0 ? waver : -waver)
      scene.advance(
        to: Self.time(Double(index)),
        Self.readings(course: course, phone: nil, at: Double(index)))
      if let region = scene.beacons[0].region, region != regions.last { regions.append(region) }
    }
    #expect(regions.count == expected)
  }

  /// Off, alone, and on the route at once: turned off stays turned off when its turn comes.
  @Test func routesLeaveSwitchesAlone() throws {
    let places = (0..<3).map {
      Beacon(
        coordinate: SyntheticScene.place.destination(bearing: 90, distance: 100 + 50 * Double($0)))
    }
    let route = try #require(Route(beacons: places))
    let other = Beacon(coordinate: SyntheticScene.place.destination(bearing: 0, distance: 90))
    var scene = BeaconScene(
      beacons: (places + [other]).map { BeaconState($0) }, route: RouteProgress(route),
      isYawOnly: true)
    #expect(scene.beacons.map(\.presence) == [.sounding, .waiting, .waiting, .sounding])
    scene.turn(1, off: true)
    scene.moveOnRoute(to: 1)
    #expect(scene.beacons.map(\.presence) == [.arrived, .off, .waiting, .sounding])
    scene.turn(1, off: false)
    #expect(scene.beacons.map(\.presence) == [.arrived, .sounding, .waiting, .sounding])
    scene.solo(3)
    #expect(scene.beacons.map(\.presence) == [.off, .off, .off, .sounding])
    scene.moveOnRoute(to: 3)
    scene.solo(nil)
    #expect(scene.beacons.map(\.presence) == [.arrived, .arrived, .arrived, .sounding])
    scene.moveOnRoute(to: 0)
    #expect(scene.beacons.map(\.presence) == [.sounding, .waiting, .waiting, .sounding])
  }
}
