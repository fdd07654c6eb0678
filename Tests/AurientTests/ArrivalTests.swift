import Aurient
import Files
import Geometry
import Navigation
import TestSupport
import Testing

/// Arrival and routes, from files to samples.
struct ArrivalTests: ~Copyable {
  /// Metres a second.
  private static let speed = 1.5

  private let folder = TemporaryFolder()

  /// A walk along places, a fix a second.
  private func track(_ places: [GeodeticCoordinate], speed: Double = Self.speed) -> String {
    var (points, passed) = ([places[0]], 0.0)
    for (from, to) in zip(places, places.dropFirst()) {
      let way = from.geodesic(to: to)
      var next = Double(points.count) * speed - passed
      while next <= way.distance {
        points.append(from.destination(bearing: way.bearing, distance: next))
        next += speed
      }
      passed += way.distance
    }
    let rows = points.enumerated().map { second, place in
      let time = Timestamp(nanoseconds: (SyntheticScene.start + Int64(second) * 1000) * 1_000_000)
      return
        "<trkpt lat=\"\(place.latitude)\" lon=\"\(place.longitude)\"><time>\(time)</time></trkpt>"
    }
    return folder.file("walk.gpx", "<gpx><trk><trkseg>\(rows.joined())</trkseg></trk></gpx>")
  }

  /// A walk north from the scene's place.
  private func north(metres: Double) -> String {
    track([SyntheticScene.place, SyntheticScene.place.destination(bearing: 0, distance: metres)])
  }

  /// Where one is after so many metres north, and some to the east.
  private static func place(north: Double, east: Double = 0) -> GeodeticCoordinate {
    SyntheticScene.place.destination(bearing: 0, distance: north)
      .destination(bearing: 90, distance: east)
  }

  /// A receiver may take a minute to its first fix.
  @Test func nothingIsNearBeforeThereIsAPlace() {
    let beacon = Beacon(name: nil, coordinate: SyntheticScene.place)
    let state = BeaconState(beacon, vicinity: Vicinity())
    #expect(state.closeness == 0 && !state.hasArrived)
  }

  private func route(_ places: [GeodeticCoordinate]) -> String {
    let points = places.enumerated().map {
      "<rtept lat=\"\($1.latitude)\" lon=\"\($1.longitude)\"><name>Place \($0)</name></rtept>"
    }
    return folder.file("route.gpx", "<gpx><rte>\(points.joined())</rte></gpx>")
  }

  private struct Heard {
    /// When each beacon's presence changed, and to what, from the first on.
    var changes: [[(time: Double, presence: BeaconState.Presence)]] = []
    var samples: [Float] = []
    var last: BeaconScene

    func level(_ seconds: ClosedRange<Double>) -> Double {
      let frames = Int(seconds.lowerBound * 48_000)..<Int(seconds.upperBound * 48_000)
      return decibels(
        (energy(samples, ear: 0, frames) + energy(samples, ear: 1, frames)) / Double(frames.count))
    }
  }

  private func hear(_ scene: Scene) throws -> Heard {
    let renderer = try OfflineRenderer(scene, catalogue: testCatalogue)
    var heard = Heard(last: renderer.scene)
    heard.changes = renderer.scene.beacons.map { _ in [] }
    try renderer.render(
      onMove: { scene in
        for (index, beacon) in scene.beacons.enumerated()
        where heard.changes[index].last?.presence != beacon.presence {
          heard.changes[index].append((scene.time.seconds(since: renderer.start), beacon.presence))
        }
      }, onSound: { heard.samples += $0 })
    heard.last = renderer.scene
    return heard
  }

  private func expect(
    _ changes: [(time: Double, presence: BeaconState.Presence)],
    _ expected: [(Double, BeaconState.Presence)]
  ) {
    #expect(changes.map(\.presence) == expected.map(\.1))
    for (change, time) in zip(changes.map(\.time), expected.map(\.0)) {
      // The scene moves every 0.02 s.
      #expect(change > time - 0.001 && change < time + 0.03)
    }
  }

  /// A beacon at 60 m is arrived at 15 m before it, at 30 s, and left 30 m behind it, at 60 s: its melody,
  /// then silence, then it sounds again.
  @Test func aBeaconIsArrivedAtAndLeft() throws {
    var scene = Scene(
      track: north(metres: 120), beacons: [.init(Beacon(coordinate: Self.place(north: 60)))])
    scene.style = "wood"
    let heard = try hear(scene)
    expect(heard.changes[0], [(0, .sounding), (30, .arrived), (60, .sounding)])
    #expect(heard.level(28...30) > -40)
    // A melody of four beats of 0.4 s, begun on the next beat.
    #expect(heard.level(30.6...31.8) > -40)
    #expect(heard.level(32.7...60) < -120)
    #expect(heard.level(60.6...62) > -40 && heard.level(70...79) > -40)
    // Other distances.
    scene.vicinity = Vicinity(entry: 6, exit: 9)
    expect(try hear(scene).changes[0], [(0, .sounding), (36, .arrived), (46, .sounding)])
  }

  /// Without a style and a vicinity of its own a beacon sounds on.
  @Test func plainBeaconsSoundOn() throws {
    var scene = Scene(
      track: north(metres: 85), beacons: [.init(Beacon(coordinate: Self.place(north: 60)))])
    expect(try hear(scene).changes[0], [(0, .sounding)])
    scene.vicinity = Vicinity()
    let heard = try hear(scene)
    expect(heard.changes[0], [(0, .sounding), (30, .arrived)])
    #expect(heard.level(30.4...56) < -120)
  }

  /// Three places 8 m beside the way, each reached 12 m from it, which is √(12² − 8²) m before it comes
  /// abreast; then silence.
  @Test func aRoute() throws {
    var scene = Scene(track: north(metres: 140))
    scene.style = "wood"
    scene.route = route([40, 80, 120].map { Self.place(north: $0, east: 8) })
    let heard = try hear(scene)
    let times = [40, 80, 120].map { ($0 - (144.0 - 64).squareRoot()) / Self.speed }
    expect(heard.changes[0], [(0, .sounding), (times[0], .arrived)])
    expect(heard.changes[1], [(0, .waiting), (times[0], .sounding), (times[1], .arrived)])
    expect(heard.changes[2], [(0, .waiting), (times[1], .sounding), (times[2], .arrived)])
    #expect(heard.last.route?.next == nil && heard.last.name(2) == "Place 2")
    #expect(heard.level(times[2]...times[2] + 2) > -40)
    #expect(heard.level(times[2] + 2.7...93) < -120)
    // Another distance, for which the places are too far from the way: the first one stays.
    scene.advance = 7
    let passed = try hear(scene)
    expect(passed.changes[0], [(0, .sounding)])
    #expect(passed.level(91...93) > -40)
  }

  /// A place that is passed at 13 m has not been reached: it sounds on, also within 15 m.
  @Test func aPlacePassedByStays() throws {
    var scene = Scene(track: north(metres: 80))
    scene.style = "sticks"
    scene.route = route([Self.place(north: 40, east: 13)])
    expect(try hear(scene).changes[0], [(0, .sounding)])
  }

  /// A beacon beside a route goes by its own vicinity.
  @Test func beaconsBesideARoute() throws {
    var scene = Scene(
      track: north(metres: 120),
      beacons: [.init(Beacon(coordinate: Self.place(north: 60)), style: "drops")])
    scene.style = "wood"
    scene.route = route([Self.place(north: 100)])
    let heard = try hear(scene)
    expect(heard.changes[0], [(0, .sounding), (88 / Self.speed, .arrived)])
    expect(heard.changes[1], [(0, .sounding), (30, .arrived), (60, .sounding)])
  }

  /// Who walks a recorded route comes to its places in their order.
  @Test(
    .enabled(if: testDataFolder != nil), arguments: ["soundscape-route", "handcrafted", "route"])
  func recordedRoutes(_ name: String) throws {
    let places = try Route(path: "\(testDataFolder ?? "")/gpx/\(name).gpx").beacons
    var progress = try #require(Route(beacons: places).flatMap { RouteProgress($0) })
    var reached: [Int] = []
    for (from, to) in zip(places, places.dropFirst()) {
      let way = from.coordinate.geodesic(to: to.coordinate)
      let steps = min(100, Int(way.distance / 2) + 1)
      for step in -1...steps {
        // The beginning, and the last metres of a long way.
        let distance = step < 0 ? 0 : max(0, way.distance - 2 * Double(steps - step))
        let place = from.coordinate.destination(bearing: way.bearing, distance: distance)
        while let event = progress.update(place) {
          if case .reached(let index) = event { reached.append(index) }
        }
      }
    }
    #expect(progress.index == places.count)
    #expect(reached == Array(0..<places.count - 1))
  }

  /// One of them rendered, at a run.
  @Test(.enabled(if: testDataFolder != nil)) func aRecordedRoute() throws {
    let path = "\(testDataFolder ?? "")/gpx/soundscape-route.gpx"
    let places = try Route(path: path).beacons.map(\.coordinate)
    var scene = Scene(track: track(places, speed: 6))
    scene.style = "shaker"
    scene.route = path
    let heard = try hear(scene)
    #expect(heard.changes.allSatisfy { $0.last?.presence == .arrived })
    let ends = heard.changes.map { $0.last?.time ?? 0 }
    #expect(ends == ends.sorted() && ends[0] == 0 && ends[7] > ends[6])
  }

  /// The same scene gives the same samples, words and all; 64 beacons can be heard at once.
  @Test func manyBeacons() throws {
    var scene = Scene(
      track: north(metres: 9),
      beacons: (0..<64).map {
        let place = Self.place(north: 0).destination(
          bearing: Double($0) * 5.625, distance: 40 + Double($0))
        return .init(
          Beacon(coordinate: place), style: BeaconStyle.shipped[$0 % 4], gain: -18)
      })
    scene.callouts = Callouts(interval: 5)
    let heard = try hear(scene)
    #expect(heard.changes.allSatisfy { $0.map(\.presence) == [.sounding] })
    #expect(heard.level(1...3) > -40)
    scene.beacons.removeLast(60)
    #expect(try hear(scene).samples == hear(scene).samples)
  }
}
