public import Geometry
import Glibc

/// The World Magnetic Model of NOAA and the British Geological Survey: the main field of the Earth as
/// spherical harmonics to degree 12, with a linear change over five years.
///
/// A. Chulliat et al., *The US/UK World Magnetic Model for 2020–2025: Technical Report*, NOAA 2020, whose
/// section 1.2 has the formulas; the model of 2025 has the same.
public struct WorldMagneticModel: Equatable, Sendable {
  /// What the model is called.
  public let name: String
  /// The year from which it holds.
  public let epoch: Double
  /// By `index`: g, h in nT, and their changes a year.
  let coefficients: [Coefficient]

  struct Coefficient: Equatable, Sendable {
    var g, h, gRate, hRate: Double
  }

  static let degree = 12

  /// The place of degree n and order m.
  static func index(_ n: Int, _ m: Int) -> Int { n * (n + 1) / 2 + m }

  init(name: String, epoch: Double, coefficients: [Coefficient]) {
    self.name = name
    self.epoch = epoch
    self.coefficients = coefficients
  }

  /// The years in which the model holds.
  public var years: ClosedRange<Double> { epoch...(epoch + 5) }

  /// The field at a place.
  ///
  /// - Parameters:
  ///   - altitude: Metres above the WGS84 ellipsoid.
  ///   - year: A decimal year; outside `years` the field is extrapolated.
  public func field(
    at place: GeodeticCoordinate, altitude: Double = 0, year: Double
  ) -> GeomagneticField {
    let spherical = Spherical(place, altitude: altitude)
    let legendre = Legendre(latitude: spherical.latitude)
    let longitude = radians(degrees: place.longitude)
    var field = (x: 0.0, y: 0.0, z: 0.0)
    var rate = field
    for m in 0...Self.degree {
      let (sine, cosine) = (sin(Double(m) * longitude), cos(Double(m) * longitude))
      for n in max(1, m)...Self.degree {
        let index = Self.index(n, m)
        let c = coefficients[index]
        let scale = pow(Self.radius / spherical.radius, Double(n + 2))
        func add(_ g: Double, _ h: Double, to sum: inout (x: Double, y: Double, z: Double)) {
          let even = scale * (g * cosine + h * sine)
          let odd = scale * (g * sine - h * cosine)
          sum.x -= even * legendre.derivatives[index]
          sum.y += Double(m) * odd * legendre.overCosine[index]
          sum.z -= Double(n + 1) * even * legendre.values[index]
        }
        let elapsed = year - epoch
        add(c.g + elapsed * c.gRate, c.h + elapsed * c.hRate, to: &field)
        add(c.gRate, c.hRate, to: &rate)
      }
    }
    let tilt = spherical.latitude - radians(degrees: place.latitude)
    func geodetic(_ v: (x: Double, y: Double, z: Double)) -> GeomagneticField.Components {
      .init(
        north: v.x * cos(tilt) - v.z * sin(tilt), east: v.y,
        down: v.x * sin(tilt) + v.z * cos(tilt))
    }
    return GeomagneticField(
      geodetic(field), rates: geodetic(rate), latitude: place.latitude, longitude: place.longitude)
  }

  /// The geomagnetic reference radius, metres.
  private static let radius = 6_371_200.0
}

/// A place by geocentric latitude, radians, and distance from the Earth's centre, metres (equations 7 and
/// 8 of the report).
private struct Spherical {
  let latitude, radius: Double

  init(_ place: GeodeticCoordinate, altitude: Double) {
    let (equatorial, flattening) = (6_378_137.0, 1 / 298.257223563)
    let squaredEccentricity = flattening * (2 - flattening)
    let geodetic = radians(degrees: place.latitude)
    let sine = sin(geodetic)
    let curvature = equatorial / (1 - squaredEccentricity * sine * sine).squareRoot()
    let axial = (curvature * (1 - squaredEccentricity) + altitude) * sine
    let equatorialPart = (curvature + altitude) * cos(geodetic)
    radius = hypot(axial, equatorialPart)
    latitude = atan2(axial, equatorialPart)
  }
}

/// Schmidt semi-normalised associated Legendre functions of the sine of a latitude, to the model's degree.
///
/// The recurrences in n and their derivatives by latitude; S. A. Holmes and W. E. Featherstone, J. Geodesy
/// 76 (2002), section 2. Divided by the cosine they stay finite at the poles, where the report's
/// formulas don't.
private struct Legendre {
  private(set) var values = Terms(repeating: 0)
  /// Derivatives by latitude.
  private(set) var derivatives = Terms(repeating: 0)
  /// Values over the cosine of the latitude, for orders from 1 on.
  private(set) var overCosine = Terms(repeating: 0)

  /// A number for each degree and order up to 12, without memory of its own.
  typealias Terms = InlineArray<91, Double>

  init(latitude: Double) {
    let (s, c) = (sin(latitude), cos(latitude))
    let degree = WorldMagneticModel.degree
    let index = WorldMagneticModel.index
    values[0] = 1
    for m in 0...degree {
      if m > 0 {
        let (here, before) = (index(m, m), index(m - 1, m - 1))
        let factor = m == 1 ? 1 : (Double(2 * m - 1) / Double(2 * m)).squareRoot()
        values[here] = factor * c * values[before]
        overCosine[here] = factor * values[before]
        derivatives[here] = factor * (c * derivatives[before] - s * values[before])
      }
      guard m < degree else { break }
      for n in (m + 1)...degree {
        let (here, one) = (index(n, m), index(n - 1, m))
        let a = Double(2 * n - 1)
        let b = Double((n - 1) * (n - 1) - m * m).squareRoot()
        let norm = Double(n * n - m * m).squareRoot()
        let two = n >= m + 2 ? index(n - 2, m) : one  // Where there is none, b is 0.
        values[here] = (a * s * values[one] - b * values[two]) / norm
        overCosine[here] = (a * s * overCosine[one] - b * overCosine[two]) / norm
        derivatives[here] =
          (a * (s * derivatives[one] + c * values[one]) - b * derivatives[two]) / norm
      }
    }
  }
}
