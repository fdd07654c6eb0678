/// How far ahead of the ear a device mixes: the shorter, the sooner a turn of the head is heard, and the
/// sooner a busy machine makes gaps.
///
/// OpenAL Soft reads it from its configuration, once a process: see `OpenALConfiguration.prepare`.
public enum LatencyPreset: String, CaseIterable, Sendable {
  /// For a machine that does little else.
  case low
  /// For head tracking on an ordinary machine.
  case normal
  /// For a machine under load; a turn of the head is heard to lag.
  case safe

  /// Frames that are mixed at once; changes take effect before.
  public var period: Int {
    switch self {
    case .low: 128
    case .normal: 512
    case .safe: 1024
    }
  }

  /// Periods that are kept mixed ahead. With two, OpenAL Soft 1.19 makes gaps even on an idle machine.
  public var periodCount: Int { 3 }
}
