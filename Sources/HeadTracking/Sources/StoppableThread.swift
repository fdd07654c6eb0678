import Glibc

/// A thread that waits for input until it is told to stop.
package final class StoppableThread: Sendable {
  /// Can be read from once the thread is to stop: to be waited for beside the input.
  package let stopDescriptor: Int32
  private let stopEnd: Int32
  private let thread: pthread_t

  /// What the new thread takes over.
  private final class Start {
    let stopDescriptor: Int32
    let body: (Int32) -> Void
    init(_ stopDescriptor: Int32, _ body: @escaping (Int32) -> Void) {
      self.stopDescriptor = stopDescriptor
      self.body = body
    }
  }

  /// Starts a thread that runs `body`, which gets the descriptor to stop by.
  ///
  /// - Throws: `Failure` if the system has no room for another.
  package init(_ body: @escaping @Sendable (Int32) -> Void) throws(Failure) {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
    guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else { throw Failure(number: errno) }
    (stopDescriptor, stopEnd) = (ends[0], ends[1])
    var thread = pthread_t()
    // Signals are for the threads of whoever embeds this; a new thread inherits what is blocked.
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    let start = Unmanaged.passRetained(Start(ends[0], body))
    let failure = pthread_create(
      &thread, nil,
      { start in
        guard let start else { return nil }
        let taken = Unmanaged<Start>.fromOpaque(start).takeRetainedValue()
        taken.body(taken.stopDescriptor)
        return nil
      }, start.toOpaque())
    pthread_sigmask(SIG_SETMASK, &before, nil)
    self.thread = thread
    guard failure == 0 else {
      start.release()
      for end in ends { close(end) }
      throw Failure(number: failure)
    }
  }

  /// Tells the thread to stop, and waits until it has.
  package func stop() {
    _ = write(stopEnd, "x", 1)
    pthread_join(thread, nil)
    close(stopEnd)
    close(stopDescriptor)
  }

  /// Why there is no thread.
  package struct Failure: Error {
    /// The C library's number of the error.
    package let number: Int32
  }
}
