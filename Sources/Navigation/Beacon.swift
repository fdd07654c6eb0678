public import Geometry

/// A place that sounds.
public struct Beacon: Equatable, Sendable {
  /// What it is called, or nil.
  public var name: String?
  /// Where it is.
  public var coordinate: GeodeticCoordinate

  /// The beacon of this name at this place.
  public init(name: String? = nil, coordinate: GeodeticCoordinate) {
    self.name = name
    self.coordinate = coordinate
  }

  /// Reads `LAT,LON` or `LAT,LON,NAME`, degrees; the name may have commas.
  ///
  /// - Throws: `BeaconError` if it is something else or out of range.
  public init(_ text: String) throws(BeaconError) {
    let parts = text.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
      .map(trimmed)
    guard parts.count >= 2 else { throw BeaconError(text, "is not LAT,LON or LAT,LON,NAME") }
    do throws(CoordinateAxis.Unreadable) {
      coordinate = GeodeticCoordinate(
        latitude: try CoordinateAxis.latitude.degrees(parts[0]),
        longitude: try CoordinateAxis.longitude.degrees(parts[1]))
    } catch {
      throw BeaconError(text, error.cause)
    }
    name = parts.count > 2 && !parts[2].isEmpty ? parts[2] : nil
  }
}

/// Why a text is no beacon.
public struct BeaconError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The text and the cause, on one line.
  public let description: String

  init(_ text: String, _ cause: String) {
    description = "beacon \(quoted(text)): \(cause)"
  }
}

/// How a beacon lies to a listener.
public struct BeaconGeometry: Equatable, Sendable {
  /// The bearing on which the shortest way to the beacon leaves, degrees clockwise from true north,
  /// [0, 360).
  public var bearing: Double
  /// The length of that way, metres.
  public var distance: Double
  /// The bearing against the heading, degrees, (−180, 180], positive to the right; nil without a
  /// heading.
  public var relative: Double?
}

extension Beacon {
  /// How the beacon lies to a listener at `place` who faces `heading` degrees.
  ///
  /// On the spot itself, nearer than a micrometre, every bearing is as good as another: it is then
  /// the heading, so that the beacon is straight ahead, or north without a heading.
  public func geometry(from place: GeodeticCoordinate, heading: Double?) -> BeaconGeometry {
    let way = place.geodesic(to: coordinate)
    let bearing = way.distance < 1e-6 ? positiveDegrees(heading ?? 0) : way.bearing
    return BeaconGeometry(
      bearing: bearing, distance: way.distance,
      relative: heading.map { signedDegrees(bearing - $0) })
  }
}
