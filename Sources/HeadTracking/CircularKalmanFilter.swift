public import Files
import Geometry
import Glibc

/// A Kalman filter of a slowly changing direction, on its sine and cosine with one variance.
///
/// Between measurements the variance grows by σ² a second. Accuracies are in degrees while sine and
/// cosine have no unit; only the ratio of the variances matters, so σ is in degrees per √second.
public struct CircularKalmanFilter: Sendable {
  /// Process noise, degrees per √second.
  public let sigma: Double
  private var sine = 0.0
  private var cosine = 0.0
  private var variance = 0.0
  private var time: Timestamp?

  /// The smallest accuracy, degrees, that a measurement is credited with.
  public static let smallestAccuracy = 0.1

  /// A filter that has measured nothing.
  public init(sigma: Double) { self.sigma = sigma }

  /// The filtered direction, [0, 360) degrees, or nil before the first measurement.
  public var direction: Double? {
    time == nil ? nil : positiveDegrees(degrees(radians: atan2(sine, cosine)))
  }

  /// Takes a measured direction and its accuracy (standard deviation), both degrees. The first one is
  /// taken as it is; time that stands still or goes backwards adds no variance.
  public mutating func update(direction: Double, accuracy: Double, at now: Timestamp) {
    let angle = radians(degrees: direction)
    let accuracy = max(accuracy, Self.smallestAccuracy)
    let measurementVariance = accuracy * accuracy
    if let time {
      variance += max(0, now.seconds(since: time)) * sigma * sigma
      let gain = variance / (variance + measurementVariance)
      sine += gain * (sin(angle) - sine)
      cosine += gain * (cos(angle) - cosine)
      variance *= 1 - gain
    } else {
      sine = sin(angle)
      cosine = cos(angle)
      variance = measurementVariance
    }
    time = now
  }
}
