import Glibc

/// A thread that does one thing and ends.
package final class WorkerThread: Sendable {
  private let thread: pthread_t

  private final class Work {
    let body: @Sendable () -> Void
    package init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts it. Signals are left to the other threads.
  package init(_ body: @escaping @Sendable () -> Void) throws(FileError) {
    var thread = pthread_t()
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let work = Unmanaged.passRetained(Work(body))
    let failure = pthread_create(
      &thread, nil,
      { work in
        if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    guard failure == 0 else {
      work.release()
      throw .system(.unreadable, file: "a thread", errno: failure)
    }
    self.thread = thread
  }

  /// Waits for its end; to be called once, or else `detach`.
  package func join() { pthread_join(thread, nil) }

  /// Lets it end by itself.
  package func detach() { pthread_detach(thread) }
}
