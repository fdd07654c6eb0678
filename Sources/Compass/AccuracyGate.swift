/// Passes measurements that are accurate enough, with hysteresis, so that one about the limit does not
/// flap.
public struct AccuracyGate: Equatable, Sendable {
  /// The worst accuracy that opens the gate.
  public let limit: Double
  /// The worst accuracy that keeps it open, as a factor of the limit.
  public static let hysteresis = 4.0 / 3
  private var isOpen = false

  /// A closed gate.
  public init(limit: Double) { self.limit = limit }

  /// Whether a measurement of this accuracy passes; negative is invalid, nil unknown and passes.
  public mutating func passes(_ accuracy: Double?) -> Bool {
    if let accuracy {
      isOpen = accuracy >= 0 && accuracy <= limit * (isOpen ? Self.hysteresis : 1)
    } else {
      isOpen = true
    }
    return isOpen
  }
}
