public import Files

/// Which records of a log count.
public struct MotionSelection: Equatable, Sendable {
  /// From this moment on.
  public var from: Timestamp?
  /// Before this moment.
  public var to: Timestamp?
  /// Of this label alone.
  public var label: String?
  /// Of this device alone.
  public var deviceId: String?

  /// Records within these bounds; nil for no bound.
  public init(
    from: Timestamp? = nil, to: Timestamp? = nil, label: String? = nil, deviceId: String? = nil
  ) {
    self.from = from
    self.to = to
    self.label = label
    self.deviceId = deviceId
  }

  /// Whether a record counts.
  func contains(_ record: MotionRecord) -> Bool {
    if from != nil || to != nil {
      guard let time = record.time else { return false }
      if let from, time < from { return false }
      if let to, time >= to { return false }
    }
    if let label, record.label != label { return false }
    if let deviceId, record.deviceId != deviceId { return false }
    return true
  }
}
