import Files
import Geometry
import Navigation
import TestSupport
import Testing

struct RouteTests: ~Copyable {
  private let folder = TemporaryFolder()

  @Test func routeOfTheFile() throws {
    let path = folder.file(
      "a.gpx",
      """
      <gpx><metadata><name>Tour</name></metadata><wpt lat='9' lon='9'/><rte/>
      <rte><rtept lat='51.5' lon='-0.1'><name>Gate</name></rtept><rtept lat='51.6' lon='-0.2'/></rte>
      <rte><name>Second</name><rtept lat='1' lon='2'/></rte></gpx>
      """)
    let routes = try Route.routes(of: GPX(path: path))
    #expect(routes.map(\.name) == ["Tour", "Second"])
    #expect(try Route(path: path) == routes[0])
    #expect(
      routes[0].beacons == [
        Beacon(name: "Gate", coordinate: GeodeticCoordinate(latitude: 51.5, longitude: -0.1)),
        Beacon(coordinate: GeodeticCoordinate(latitude: 51.6, longitude: -0.2)),
      ])
  }

  @Test func waypointsAreARouteWhereThereIsNoOther() throws {
    let path = folder.file(
      "a.gpx",
      "<gpx><name>Sights</name><wpt lat='1' lon='1'><name>A</name></wpt><wpt lat='2' lon='2'/></gpx>"
    )
    let route = try Route(path: path)
    #expect(route.name == "Sights" && route.beacons.map(\.name) == ["A", nil])
  }

  @Test(arguments: [
    ("<gpx/>", "no route and no waypoints: an empty file"),
    ("<gpx><rte/></gpx>", "no route and no waypoints: an empty file"),
    (
      "<gpx><trk><trkseg><trkpt lat='1' lon='1'/></trkseg></trk></gpx>",
      "no route and no waypoints: a track, which is where somebody went"
    ),
  ])
  func faults(_ content: String, _ message: String) {
    let path = folder.file("a.gpx", content)
    let error = #expect(throws: FileError.self) { try Route(path: path) }
    #expect(error?.description == "\(path): \(message)")
  }

  /// Routes of the app Soundscape, with its extensions. Numbers of points by
  /// `grep -c '<rtept' FILE`, the name is that of the metadata.
  @Test(
    .enabled(if: testDataFolder != nil),
    arguments: [("soundscape-route", "walk", 8), ("handcrafted", "walk", 5)])
  func soundscapeRoutes(_ file: String, _ name: String, _ count: Int) throws {
    let route = try Route(path: (testDataFolder ?? "") + "/gpx/\(file).gpx")
    #expect(route.name == name && route.beacons.count == count)
    #expect(route.beacons[0].coordinate == GeodeticCoordinate(latitude: 48.8606, longitude: 2.3376))
  }

  /// Places 100.3 m apart going north: each is reached at 12 m, the walk goes past it, and on.
  @Test func progress() throws {
    let start = GeodeticCoordinate(latitude: 51.5, longitude: -0.1)
    let places = (1...3).map { start.destination(bearing: 0, distance: 100.3 * Double($0)) }
    let route = try #require(Route(beacons: places.map { Beacon(coordinate: $0) }))
    var progress = try #require(RouteProgress(route))
    var events: [(Int, RouteProgress.Event)] = []
    for metre in 0...400 {
      let place = start.destination(bearing: 0, distance: Double(metre))
      if let event = progress.update(place) { events.append((metre, event)) }
    }
    #expect(events.map(\.0) == [89, 189, 289])
    #expect(events.map(\.1) == [.reached(0), .reached(1), .finished])
    #expect(progress.next == nil && progress.index == 3)
    progress.move(to: 1)
    #expect(progress.next == route.beacons[1])
    progress.move(to: -5)
    #expect(progress.index == 0)
  }

  @Test func placesCloseTogetherAreReachedOneByOne() throws {
    let place = GeodeticCoordinate(latitude: 51.5, longitude: -0.1)
    let route = try #require(
      Route(beacons: [Beacon(coordinate: place), Beacon(coordinate: place)]))
    var progress = try #require(RouteProgress(route, advanceDistance: 1))
    let events = (0..<3).map { _ in progress.update(place) }
    #expect(events == [.reached(0), .finished, nil])
    #expect(Route(beacons: []) == nil && RouteProgress(route, advanceDistance: 0) == nil)
  }
}
