/// A place on the WGS84 ellipsoid.
public struct GeodeticCoordinate: Hashable, Sendable {
  /// Geodetic latitude, degrees, [−90, 90], north positive.
  public var latitude: Double
  /// Longitude, degrees, [−180, 180], east positive.
  public var longitude: Double

  /// The place of this latitude and longitude.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Whether both are finite and within their ranges (longitudes up to 360 are taken too).
  public var isValid: Bool {
    abs(latitude) <= 90 && longitude >= -180 && longitude <= 360
  }
}

extension GeodeticCoordinate {
  /// Whether PROJ, which the calls below need, is installed; without it they end the process.
  public static var isUsable: Bool { GeodesicLibrary.loaded != nil }

  /// The shortest way over the ellipsoid from here to `other`: its length in metres and the bearing
  /// on which it leaves, degrees clockwise from true north, [0, 360).
  ///
  /// C. F. F. Karney, "Algorithms for geodesics", J. Geodesy 87 (2013); PROJ's implementation,
  /// accurate to 15 nanometres.
  public func geodesic(to other: GeodeticCoordinate) -> (distance: Double, bearing: Double) {
    var distance = 0.0
    var bearing = 0.0
    let library = GeodesicLibrary.shared
    withUnsafePointer(to: library.wgs84) {
      library.inverse(
        $0, latitude, longitude, other.latitude, other.longitude, &distance, &bearing, nil)
    }
    return (distance, positiveDegrees(bearing))
  }

  /// The place reached from here on `bearing` (degrees) after `distance` metres.
  public func destination(bearing: Double, distance: Double) -> GeodeticCoordinate {
    var result = GeodeticCoordinate(latitude: 0, longitude: 0)
    let library = GeodesicLibrary.shared
    withUnsafePointer(to: library.wgs84) {
      library.direct(
        $0, latitude, longitude, bearing, distance, &result.latitude, &result.longitude, nil)
    }
    return result
  }
}
