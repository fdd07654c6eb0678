import Geometry

/// Passes a heading on only when it has turned far enough since the last that was passed on, as
/// `CLLocationManager.headingFilter` does.
public struct HeadingFilter: Equatable, Sendable {
  /// Degrees.
  public let threshold: Double
  private var delivered: Double?

  /// A filter that passes the first heading.
  public init(threshold: Double = 1) { self.threshold = threshold }

  /// The heading if it is to be passed on, else nil; one that is not finite is not.
  public mutating func deliver(_ heading: Double) -> Double? {
    guard heading.isFinite else { return nil }
    if let delivered, abs(signedDegrees(heading - delivered)) < threshold { return nil }
    delivered = heading
    return heading
  }
}
