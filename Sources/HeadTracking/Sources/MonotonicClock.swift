public import Files
import Glibc

/// The clock of live sources: it neither jumps nor goes backwards, and its zero is the Unix epoch as
/// the system's clock had it when this one was first asked.
public enum MonotonicClock {
  private static let offset = nanoseconds(CLOCK_REALTIME) - nanoseconds(CLOCK_MONOTONIC)

  /// This moment.
  public static var now: Timestamp {
    Timestamp(nanoseconds: nanoseconds(CLOCK_MONOTONIC) + offset)
  }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
