import Geometry
public import Navigation

/// How a beacon of a scene stands at a moment: where it lies, by which of its style's loops it is heard, and
/// whether the listener has arrived.
public struct BeaconState: Equatable, Sendable {
  /// Whether it sounds, and if not, why.
  public enum Presence: String, CaseIterable, Sendable {
    /// It is to be heard.
    case sounding
    /// It has been turned off, or another one is heard alone.
    case off
    /// Another place of the route comes before it.
    case waiting
    /// The listener has come to it.
    case arrived
  }

  /// How a place stands on its route.
  enum Turn { case waiting, next, reached }

  /// Name and place.
  public var beacon: Beacon
  /// How it lies to the listener; without a distance before the first place.
  public private(set) var geometry = BeaconGeometry(bearing: 0, distance: 0)
  /// Whether it has been turned off.
  public var isOff = false
  /// Whether another beacon is heard alone.
  var isOutshone = false
  /// How it stands on a route; nil for what is no place of one.
  var turn: Turn?
  private var isInVicinity = false
  /// Whether the listener's place has been known.
  private var isLocated = false
  private var regions: RegionTracker?
  private var vicinity: Vicinity?

  /// A beacon before the first moment.
  ///
  /// - Parameters:
  ///   - division: How its style divides the directions; nil for a sound that is the same all around.
  ///   - vicinity: Where it is arrived at; nil where it sounds on. A place of a route is arrived at where
  ///     the route says so, and its vicinity is only how near it is.
  public init(_ beacon: Beacon, division: AngularRegions? = nil, vicinity: Vicinity? = nil) {
    self.beacon = beacon
    regions = division.map(RegionTracker.init)
    self.vicinity = vicinity
  }

  /// The region of directions that it lies in; nil without a division, and before the first heading.
  public var region: BeaconRegion? { regions?.region }

  /// How the directions are divided; nil for a sound that is the same all around.
  var division: AngularRegions? { regions?.division }

  /// The region's number from ahead to behind.
  var regionIndex: Int? {
    guard let regions, let region = regions.region else { return nil }
    return regions.division.regions.firstIndex(of: region)
  }

  /// Whether it is to be heard.
  public var presence: Presence {
    if isOff || isOutshone { return .off }
    if turn == .waiting { return .waiting }
    return hasArrived ? .arrived : .sounding
  }

  /// Whether it is to be heard.
  public var isSounding: Bool { presence == .sounding }

  /// Whether the listener has come near and not left since, or has reached it on the route; false where
  /// that ends nothing.
  public var hasArrived: Bool { turn == nil ? isInVicinity : turn == .reached }

  /// How near it is, 0 to 1; 0 where nothing is heard of nearness.
  public var closeness: Double {
    isLocated ? vicinity?.closeness(distance: geometry.distance) ?? 0 : 0
  }

  /// Takes what comes with another style or sound. The region is found anew; an arrival stays one, where the
  /// new one has such a thing.
  mutating func setStyle(division: AngularRegions?, vicinity: Vicinity?) {
    regions = division.map(RegionTracker.init)
    _ = regions?.update(geometry)
    if vicinity == nil { isInVicinity = false }
    if vicinity == nil || self.vicinity == nil { self.vicinity = vicinity }
  }

  /// Moves on to where the listener is and faces, under the presentation heading in degrees.
  mutating func update(from place: GeodeticCoordinate, heading: Double?) {
    isLocated = true
    geometry = beacon.geometry(from: place, heading: heading)
    _ = regions?.update(geometry)
    switch vicinity?.update(distance: geometry.distance) {
    case .entered: isInVicinity = true
    case .left: isInVicinity = false
    case nil: break
    }
  }
}
