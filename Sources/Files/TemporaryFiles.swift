import Glibc
import Synchronization

/// The temporary files that there are now, so that a signal that ends the process can remove them.
///
/// A handler may interrupt any code, so it must neither allocate nor lock (signal-safety(7)): the names
/// lie as C strings in slots that are changed atomically. Files beyond the last slot stay behind.
public enum TemporaryFiles {
  package typealias Slot = Int

  // Unsafe only in that a pointer is not Sendable: who takes one out of its slot owns it.
  nonisolated(unsafe) private static let slots =
    InlineArray<32, Atomic<UnsafeMutablePointer<CChar>?>> { _ in Atomic(nil) }

  /// Makes SIGHUP, SIGINT and SIGTERM remove them before they end the process. Signals that the
  /// process was told to ignore, as by `nohup`, stay ignored.
  public static func removeOnSignals() {
    // Made now: a handler must not be the first to ask for it.
    _ = slots.count
    for number in [SIGHUP, SIGINT, SIGTERM] {
      let before = signal(number, removeAndRaise)
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
  }

  private static let removeAndRaise: @convention(c) (Int32) -> Void = { number in
    for index in slots.indices {
      if let name = slots[index].exchange(nil, ordering: .acquiringAndReleasing) { unlink(name) }
    }
    signal(number, SIG_DFL)
    raise(number)
  }

  /// Takes in a file that is about to be made; nil where no slot is free.
  package static func add(_ path: String) -> Slot? {
    guard let name = strdup(path) else { return nil }
    for index in slots.indices {
      let (isTaken, _) = slots[index].compareExchange(
        expected: nil, desired: name, ordering: .acquiringAndReleasing)
      if isTaken { return index }
    }
    free(name)
    return nil
  }

  /// Forgets a file.
  package static func remove(_ slot: Slot?) {
    if let slot { free(slots[slot].exchange(nil, ordering: .acquiringAndReleasing)) }
  }
}
