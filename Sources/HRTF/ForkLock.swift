import Glibc

/// A lock that may be held over a fork. The child leaves it alone: Swift's own, unlocked there while others waited for
/// it, would end the child, since the system knows it as the parent's.
final class ForkLock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() { pthread_mutex_init(mutex, nil) }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func lock() { pthread_mutex_lock(mutex) }
  func unlock() { pthread_mutex_unlock(mutex) }
}
