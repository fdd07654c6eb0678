public import Files
import Glibc

/// The wall clock of the system.
public enum SystemClock {
  /// This moment.
  public static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}

/// Whole hours that the system's zone is ahead of UTC now, as AWARE's `timezone`.
func hoursAheadOfUTC() -> Int64 {
  var (seconds, fields) = (time(nil), tm())
  tzset()
  localtime_r(&seconds, &fields)
  return Int64(fields.tm_gmtoff / 3600)
}

/// A random identifier of a device (RFC 9562, version 4).
public func randomDeviceID() -> String {
  var bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }
  bytes[6] = bytes[6] & 0x0F | 0x40
  bytes[8] = bytes[8] & 0x3F | 0x80
  var text = ""
  for (index, byte) in bytes.enumerated() {
    if [4, 6, 8, 10].contains(index) { text += "-" }
    text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
  return text
}
