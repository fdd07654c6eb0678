import Glibc

/// Waits that Ctrl-C or SIGTERM end. From when it is made these signals end nothing else, in no thread
/// that is started later.
struct Interrupt {
  private let signals: sigset_t

  init() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    sigprocmask(SIG_BLOCK, &signals, nil)
    self.signals = signals
  }

  /// Waits for so many milliseconds; whether the process has been told to end.
  func comes(within milliseconds: Int = 0) -> Bool {
    var signals = signals
    var time = timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000)
    return sigtimedwait(&signals, nil, &time) > 0
  }
}
