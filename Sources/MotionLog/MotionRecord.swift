public import Files

/// A row of the table `airpods_motion`: one sample of the headphones' motion.
///
/// The fields are those of the AirPods sensor of the AWARE framework
/// (github.com/awareframework/com.awareframework.ios.sensor.airpods). Any measured quantity may be
/// missing.
public struct MotionRecord: Sendable {
  /// Milliseconds since the Unix epoch.
  public var timestamp: Int64 = 0
  /// Nanoseconds beyond the millisecond, 0 to 999,999: clocks other than AWARE's have them.
  public var nanoseconds: Int64 = 0
  /// Which earbud measures: 0 default, 1 left, 2 right; nil if the source doesn't say.
  public var headphonePlacement: Int64?
  /// What the user calls this part of the recording.
  public var label = ""
  /// The device that recorded.
  public var deviceId = ""
  /// Hours that the device's clock was ahead of UTC.
  public var timezone: Int64?
  /// The device's operating system.
  public var os = ""
  /// The version of the record's form.
  public var jsonVersion: Int64? = 1

  private var values = InlineArray<25, Double>(repeating: 0)
  private(set) var present = MotionFields()

  /// A record without any measured quantity.
  public init() {}

  /// A measured quantity, nil if it is missing.
  public subscript(field: MotionField) -> Double? {
    get { present.contains(field) ? values[field.rawValue] : nil }
    set {
      values[field.rawValue] = newValue ?? 0
      if newValue == nil { present.remove(field) } else { present.insert(field) }
    }
  }

  /// A measured quantity by its field's number.
  @inline(__always) func value(_ index: Int) -> Double? {
    present.bits & 1 << UInt32(truncatingIfNeeded: index) != 0 ? values[index] : nil
  }

  /// When it was measured; nil outside the years 1678 to 2261.
  public var time: Timestamp? {
    get {
      guard let whole = Timestamp(milliseconds: timestamp) else { return nil }
      let (sum, overflow) = whole.nanoseconds.addingReportingOverflow(nanoseconds)
      return overflow ? nil : Timestamp(nanoseconds: sum)
    }
    set {
      guard let newValue else { return }
      let (whole, rest) = newValue.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
      timestamp = rest < 0 ? whole - 1 : whole
      nanoseconds = rest < 0 ? rest + 1_000_000 : rest
    }
  }
}

extension MotionRecord: Equatable {
  /// Whether all is the same to the last bit.
  public static func == (left: Self, right: Self) -> Bool {
    guard
      left.timestamp == right.timestamp, left.nanoseconds == right.nanoseconds,
      left.headphonePlacement == right.headphonePlacement, left.label == right.label,
      left.deviceId == right.deviceId, left.timezone == right.timezone, left.os == right.os,
      left.jsonVersion == right.jsonVersion, left.present == right.present
    else { return false }
    return MotionField.allCases.allSatisfy { left[$0]?.bitPattern == right[$0]?.bitPattern }
  }
}
