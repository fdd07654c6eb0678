import Geometry
import Navigation
import Testing

struct BeaconTests {
  @Test(
    arguments: [
      ("51.5,-0.12", nil, 51.5, -0.12),
      (" 51.5 , -0.12 , Big Ben ", "Big Ben", 51.5, -0.12),
      ("-90,180,a, b", "a, b", -90, 180),
      ("+1e1,.5,", nil, 10, 0.5),
    ] as [(String, String?, Double, Double)])
  func reads(_ text: String, name: String?, latitude: Double, longitude: Double) throws {
    let coordinate = GeodeticCoordinate(latitude: latitude, longitude: longitude)
    #expect(try Beacon(text) == Beacon(name: name, coordinate: coordinate))
  }

  @Test(arguments: [
    ("", #"beacon "": is not LAT,LON or LAT,LON,NAME"#),
    ("51.5", #"beacon "51.5": is not LAT,LON or LAT,LON,NAME"#),
    ("51.5;0", #"beacon "51.5;0": is not LAT,LON or LAT,LON,NAME"#),
    ("51.5,", #"beacon "51.5,": longitude "" is not a finite number"#),
    ("here,1", #"beacon "here,1": latitude "here" is not a finite number"#),
    ("nan,1", #"beacon "nan,1": latitude "nan" is not a finite number"#),
    ("1,inf", #"beacon "1,inf": longitude "inf" is not a finite number"#),
    ("91,1", #"beacon "91,1": latitude "91" is outside −90 to 90"#),
    ("1,\n180.5,x", #"beacon "1, 180.5,x": longitude "180.5" is outside −180 to 180"#),
  ])
  func refuses(_ text: String, _ message: String) {
    let error = #expect(throws: BeaconError.self) { try Beacon(text) }
    #expect(error?.description == message)
  }

  /// Python's geographiclib 2.1: `g = Geodesic.WGS84.Inverse(…); g["azi1"] % 360, g["s12"]`.
  @Test(arguments: [
    (51.5, -0.12, 51.5007, -0.1246, 283.7040564903728, 328.78110859171335),
    (48.8606, 2.3376, 48.8584, 2.2945, 265.5926495591505, 3172.0144237180366),
    (51.4779, -0.0015, 51.4788, -0.0106, 279.0035385106714, 640.0885706194975),
    (-33.8568, 151.2153, -33.8523, 151.2108, 320.1600195612378, 650.0468564516927),
    (0, 179.999, 0, -179.999, 90.0, 222.6389815876102),
    (-16.5, 179.9995, -16.501, -179.9995, 136.02775253283662, 153.76939379443544),
    (89.9995, 30, 89.9995, -150, 0.0, 111.69397955963215),
    (40.7128, -74.006, 51.5074, -0.1278, 51.24122911951235, 5585233.5789313),
    (1e-06, 0, 0, 1e-06, 134.8075767840467, 0.15690347193089194),
    (64.15, -21.94, 64.15, -21.95, 270.0044996930914, 486.69261522228584),
  ])
  func agreesWithGeographicLib(
    _ latitude: Double, _ longitude: Double, _ beaconLatitude: Double, _ beaconLongitude: Double,
    bearing: Double, distance: Double
  ) {
    let place = GeodeticCoordinate(latitude: latitude, longitude: longitude)
    let beacon = Beacon(
      coordinate: GeodeticCoordinate(latitude: beaconLatitude, longitude: beaconLongitude))
    let geometry = beacon.geometry(from: place, heading: nil)
    #expect(abs(signedDegrees(geometry.bearing - bearing)) < 1e-9)
    #expect(abs(geometry.distance - distance) < 1e-6)
    #expect(geometry.relative == nil)
  }

  /// A beacon due east on the equator.
  @Test(arguments: [
    (0.0, 90.0), (90, 0), (180, -90), (270, 180), (269.5, -179.5), (270.5, 179.5), (359, 91),
  ])
  func relativeBearingIsPositiveToTheRight(heading: Double, relative: Double) throws {
    let beacon = Beacon(coordinate: GeodeticCoordinate(latitude: 0, longitude: 1))
    let geometry = beacon.geometry(
      from: GeodeticCoordinate(latitude: 0, longitude: 0), heading: heading)
    #expect(abs(try #require(geometry.relative) - relative) < 1e-9)
  }

  @Test(
    arguments: [
      (51.5, -0.12, nil, 0, nil), (51.5, -0.12, 200, 200, 0), (-51.5, 180, 200, 200, 0),
      (90, 33, 10, 10, 0),
    ] as [(Double, Double, Double?, Double, Double?)])
  func onTheSpotTheBeaconIsStraightAhead(
    _ latitude: Double, _ longitude: Double, heading: Double?, bearing: Double, relative: Double?
  ) {
    let place = GeodeticCoordinate(latitude: latitude, longitude: longitude)
    // The same place: on a pole any longitude is, elsewhere this one.
    let same = GeodeticCoordinate(latitude: latitude, longitude: latitude == 90 ? -100 : longitude)
    let geometry = Beacon(coordinate: same).geometry(from: place, heading: heading)
    #expect(geometry.distance < 1e-6)
    #expect(geometry.bearing == bearing)
    #expect(geometry.relative == relative)
  }
}
