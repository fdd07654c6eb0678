import Geometry

/// Where a beacon lies to the way that the listener faces, as its sound tells it.
public enum BeaconRegion: String, CaseIterable, Sendable {
  /// Straight ahead.
  case on
  /// Ahead, to either side.
  case near
  /// To either side.
  case beside
  /// Behind, and whatever no other region has.
  case behind
}

/// How the directions around a listener are divided into regions, alike on both sides.
public struct AngularRegions: Equatable, Sendable {
  /// The regions from ahead to behind.
  public let regions: [BeaconRegion]
  /// How far each but the last reaches from straight ahead, degrees, rising, between 0 and 180.
  public let edges: [Double]
  /// Degrees beyond an edge that a beacon must be for the region to change.
  public let hysteresis: Double

  /// Degrees of hysteresis where none is said: more than a calibrated head's heading wavers while
  /// the head is still, less than half of any usual region.
  public static let usualHysteresis = 3.0

  /// The edges for so many regions where none are said, those of Microsoft Soundscape's beacons; nil
  /// for other numbers than 2, 3 and 4.
  public static func usualEdges(regionCount: Int) -> [Double]? {
    switch regionCount {
    case 2: [22.5]
    case 3: [15, 125]
    case 4: [15, 55, 125]
    default: nil
    }
  }

  /// Two, three or four regions with these edges.
  ///
  /// One edge divides `on` from `behind`, two put `near` between them, three `near` and `beside`. Nil
  /// for another number of edges, for edges that don't rise or aren't between 0 and 180, and for a
  /// hysteresis that is negative or leaves no room between two edges.
  public init?(edges: [Double], hysteresis: Double = usualHysteresis) {
    let bounds = [0] + edges + [180]
    guard 1...3 ~= edges.count, hysteresis >= 0,
      zip(bounds, bounds.dropFirst()).allSatisfy({ $1 - $0 > 2 * hysteresis })
    else { return nil }
    self.edges = edges
    self.hysteresis = hysteresis
    regions = [.on] + [.near, .beside].prefix(edges.count - 1) + [.behind]
  }

  /// The region of a relative bearing (degrees, any turn), at an edge the inner one.
  ///
  /// - Parameter last: the region that the beacon was in: it stays there until it is beyond the edge
  ///   by more than the hysteresis.
  public func region(relative: Double, last: BeaconRegion? = nil) -> BeaconRegion {
    let angle = abs(signedDegrees(relative))
    let lastIndex = last.flatMap { regions.firstIndex(of: $0) }
    var index = 0
    while index < edges.count {
      // Seen from outside an edge is further in, from inside further out.
      let margin = lastIndex.map { $0 <= index ? hysteresis : -hysteresis } ?? 0
      if angle <= edges[index] + margin { break }
      index += 1
    }
    return regions[index]
  }
}

/// The region that a beacon is in while the listener turns.
public struct RegionTracker: Equatable, Sendable {
  /// How the directions are divided.
  public let division: AngularRegions
  /// The present region; nil while no heading has been known.
  public private(set) var region: BeaconRegion?

  /// A tracker before the first direction.
  public init(_ division: AngularRegions) { self.division = division }

  /// Takes how the beacon lies; without a heading (`relative` nil) the last region stays.
  ///
  /// The relative bearing is that under the presentation heading, the one by which the beacon is also
  /// placed: timbre and direction never tell different things.
  /// - Returns: whether the region has changed.
  public mutating func update(_ geometry: BeaconGeometry) -> Bool {
    guard let relative = geometry.relative else { return false }
    let last = region
    region = division.region(relative: relative, last: last)
    return region != last
  }
}
