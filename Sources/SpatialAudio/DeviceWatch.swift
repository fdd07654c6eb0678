/// Says when to open a device anew: as soon as it is lost, then at intervals until that succeeds.
public struct DeviceWatch: Sendable {
  /// Between two attempts, s; one takes some ten milliseconds.
  private static let interval = 0.2
  private var lastAttempt = -Double.infinity

  /// A watch over a device that plays.
  public init() {}

  /// Whether now is the time to try; to be asked at every tick.
  ///
  /// - Parameters:
  ///   - device: The device, or nil after an attempt that failed.
  ///   - time: s, of a clock that only advances.
  public mutating func needsReopening(_ device: (any LiveStage)?, at time: Double) -> Bool {
    if let device, device.isConnected { return false }
    guard time - lastAttempt >= Self.interval else { return false }
    lastAttempt = time
    return true
  }
}
