import Geometry
import Glibc

/// The offset that is applied: it follows the estimate so that nobody hears it jump.
///
/// It nears the estimate with a time constant of 1.5 s. An error of up to 9° so moves the image by at
/// most 6° a second, less than 1° in the 100 to 150 ms over which motion is heard (D. W. Grantham,
/// "Detection and discrimination of simulated motion of auditory targets in the horizontal plane",
/// J. Acoust. Soc. Am. 79, 1939–1949, 1986). Larger errors are of a wrong image, which is put right at
/// up to 20° a second: the listener may hear that move, but no frame moves it by more than 1°, the
/// least change of place that is heard (0.97°: D. R. Perrott and K. Saberi, "Minimum audible angle
/// thresholds for sources varying in both elevation and azimuth", J. Acoust. Soc. Am. 87, 1728–1731,
/// 1990).
struct SteadyOffset: Sendable {
  /// Degrees, (−180, 180].
  private(set) var degrees: Double

  static let timeConstant = 1.5
  /// Degrees a second.
  static let fastest = 20.0
  /// Degrees a frame.
  static let largestStep = 1.0

  /// Starts at the first estimate: before it there was nothing to hear.
  init(_ degrees: Double) { self.degrees = signedDegrees(degrees) }

  /// Moves towards the estimate for a frame that comes `seconds` after the one before.
  mutating func follow(_ estimate: Double, seconds: Double) {
    let step = signedDegrees(estimate - degrees) * -expm1(-seconds / Self.timeConstant)
    let limit = min(Self.largestStep, Self.fastest * seconds)
    degrees = signedDegrees(degrees + max(-limit, min(limit, step)))
  }
}
