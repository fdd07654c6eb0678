public import Files
public import Geometry

/// A way along beacons, one after the other.
public struct Route: Equatable, Sendable {
  /// What it is called, or nil.
  public var name: String?
  /// The places on the way, in order; at least one.
  public let beacons: [Beacon]

  /// A route; nil without beacons.
  public init?(name: String? = nil, beacons: [Beacon]) {
    guard !beacons.isEmpty else { return nil }
    self.name = name
    self.beacons = beacons
  }

  /// Reads the first route of a GPX file that has points; where it has none, its waypoints in the
  /// file's order, as Soundscape wrote routes at first.
  ///
  /// - Throws: `FileError` if the file can't be read or has neither.
  public init(path: String) throws(FileError) {
    self = try Route.routes(of: GPX(path: path))[0]
  }

  /// All routes of a GPX file that have points, else its waypoints as one; at least one.
  ///
  /// - Throws: `FileError` if the file has neither.
  public static func routes(of gpx: GPX) throws(FileError) -> [Route] {
    let routes = gpx.routes.compactMap { route in
      Route(name: route.name ?? gpx.name, beacons: route.points.map(Beacon.init))
    }
    if !routes.isEmpty { return routes }
    guard let route = Route(name: gpx.name, beacons: gpx.waypoints.map(Beacon.init)) else {
      let what = gpx.tracks.isEmpty ? "an empty file" : "a track, which is where somebody went"
      throw FileError(.unsupported, file: gpx.path, "no route and no waypoints: \(what)")
    }
    return [route]
  }
}

extension Beacon {
  /// The beacon at a point of a GPX file.
  public init(_ point: GPX.Point) {
    self.init(name: point.name, coordinate: point.fix.coordinate)
  }
}

/// How far a listener has come on a route.
public struct RouteProgress: Equatable, Sendable {
  /// What happens on the way.
  public enum Event: Equatable, Sendable {
    /// The place of this number, counted from 0, is reached, and there is another.
    case reached(Int)
    /// The last place is reached.
    case finished
  }

  /// The route.
  public let route: Route
  /// Metres from a place at which it counts as reached.
  public let advanceDistance: Double
  /// The number of the place that the listener is on the way to, counted from 0; as many as there are
  /// once the route is done.
  public private(set) var index = 0

  /// The start of a route; nil unless the distance is positive.
  public init?(_ route: Route, advanceDistance: Double = 12) {
    guard advanceDistance > 0, advanceDistance.isFinite else { return nil }
    self.route = route
    self.advanceDistance = advanceDistance
  }

  /// The place that the listener is on the way to; nil once the route is done.
  public var next: Beacon? { index < route.beacons.count ? route.beacons[index] : nil }

  /// Takes where the listener is. Of several places nearer than the distance each is reached in a call
  /// of its own.
  public mutating func update(_ place: GeodeticCoordinate) -> Event? {
    guard let next, place.geodesic(to: next.coordinate).distance < advanceDistance else {
      return nil
    }
    index += 1
    return index < route.beacons.count ? .reached(index - 1) : .finished
  }

  /// Goes on to a place of the route, or back to it; numbers out of range mean the first or the end.
  public mutating func move(to index: Int) { self.index = min(max(0, index), route.beacons.count) }
}
