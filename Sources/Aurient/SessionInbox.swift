import Synchronization

/// What other threads want of a session, until the session's own takes it.
public final class SessionInbox: Sendable {
  /// Called on the session's thread, with the cause if something could not be done.
  public typealias Done = @Sendable (String?) -> Void

  enum Wish: Sendable {
    case input(SessionInput)
    /// A data set, by what it was asked for, that is converted already.
    case dataSet(String?, HRTFCatalogue.Selection)
  }

  struct Entry: Sendable {
    var wish: Wish
    var done: Done
  }

  private let entries = Mutex<[Entry]>([])
  private let count = Atomic(0)

  /// Nothing is wanted yet.
  public init() {}

  /// Has an input taken before the next sound is mixed.
  public func send(_ input: SessionInput, done: @escaping Done = { _ in }) {
    send([Entry(wish: .input(input), done: done)])
  }

  /// Has several things done before the next sound is mixed, all before the same.
  func send(_ more: [Entry]) {
    entries.withLock { entries in
      entries += more
      count.store(entries.count, ordering: .releasing)
    }
  }

  /// How many wait.
  var waitingCount: Int { count.load(ordering: .acquiring) }

  /// Takes all that wait, oldest first.
  func take() -> [Entry] {
    guard waitingCount > 0 else { return [] }
    return entries.withLock { entries in
      count.store(0, ordering: .releasing)
      defer { entries.removeAll() }
      return entries
    }
  }
}
