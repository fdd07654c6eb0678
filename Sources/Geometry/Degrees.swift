import Glibc

/// The angle of the same direction in [0, 360).
///
/// Headings, bearings and courses are degrees clockwise from true north in this range.
public func positiveDegrees(_ degrees: Double) -> Double {
  // Nearly always; the remainder takes a division.
  if degrees >= 0, degrees < 360 { return degrees + 0 }
  let remainder = fmod(degrees, 360)
  guard remainder < 0 else { return remainder + 0 }  // The sum makes 0 of −0.
  let positive = remainder + 360
  return positive < 360 ? positive : 0
}

/// The angle of the same direction in (−180, 180].
///
/// Differences between directions are in this range: `signedDegrees(bearing - heading)` is positive
/// when the bearing lies to the right.
public func signedDegrees(_ degrees: Double) -> Double {
  // Mostly, likewise.
  if degrees > -180, degrees <= 180 { return degrees + 0 }
  let signed = remainder(degrees, 360)  // The nearest multiple taken off, without rounding.
  return signed == -180 ? 180 : signed + 0
}

/// Degrees of an angle in radians.
public func degrees(radians: Double) -> Double { radians * 180 / .pi }

/// Radians of an angle in degrees.
public func radians(degrees: Double) -> Double { degrees * .pi / 180 }
