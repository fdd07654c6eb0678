import Geometry
import Glibc

/// The Earth's main field at a place and time by a model, with its rates of change a year.
///
/// Components in nT: `north` (X), `east` (Y) and `down` (Z) of the geodetic frame.
public struct GeomagneticField: Equatable, Sendable {
  /// A vector, nT or nT a year.
  public struct Components: Equatable, Sendable {
    /// X.
    public var north: Double
    /// Y.
    public var east: Double
    /// Z.
    public var down: Double
  }

  /// The field, nT.
  public let components: Components
  /// Its secular variation, nT a year.
  public let rates: Components
  /// Grid variation at |latitude| > 55°: of grid north of polar stereographic maps whose grid runs along
  /// the meridian of Greenwich, degrees, (−180, 180]; nil elsewhere.
  public let gridVariation: Double?

  init(_ components: Components, rates: Components, latitude: Double, longitude: Double) {
    self.components = components
    self.rates = rates
    let declination = degrees(radians: atan2(components.east, components.north))
    gridVariation =
      abs(latitude) > 55
      ? signedDegrees(declination - (latitude > 0 ? longitude : -longitude)) : nil
  }

  /// H, nT.
  public var horizontalStrength: Double { hypot(components.north, components.east) }
  /// F, nT.
  public var strength: Double { hypot(horizontalStrength, components.down) }
  /// D: of magnetic north clockwise from true north, degrees, (−180, 180].
  public var declination: Double {
    degrees(radians: atan2(components.east, components.north))
  }
  /// I: below the horizontal, degrees.
  public var dip: Double { degrees(radians: atan2(components.down, horizontalStrength)) }

  /// Change of H, nT a year.
  public var horizontalRate: Double {
    (components.north * rates.north + components.east * rates.east) / horizontalStrength
  }
  /// Change of F, nT a year.
  public var strengthRate: Double {
    (horizontalStrength * horizontalRate + components.down * rates.down) / strength
  }
  /// Change of D, degrees a year.
  public var declinationRate: Double {
    degrees(
      radians: (components.north * rates.east - components.east * rates.north)
        / (horizontalStrength * horizontalStrength))
  }
  /// Change of I, degrees a year.
  public var dipRate: Double {
    degrees(
      radians: (horizontalStrength * rates.down - components.down * horizontalRate)
        / (strength * strength))
  }

  /// What a magnetometer should measure.
  public var expectation: FieldExpectation {
    FieldExpectation(strength: strength / 1000, dip: dip, declination: declination)
  }
}
