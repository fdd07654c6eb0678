import Synchronization

/// Hands events from one thread to one other, in order, without locks.
///
/// One thread may call `push` and `room`, one other `pop`. A bounded ring, after L. Lamport,
/// "Specifying concurrent program modules", TOPLAS 1983.
package final class EventRing<Event: Sendable>: @unchecked Sendable {
  private let capacity: Int
  private let slots: UnsafeMutablePointer<Event?>
  private let written = Atomic(0)
  private let read = Atomic(0)

  /// A ring for so many events.
  package init(capacity: Int) {
    self.capacity = capacity
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: nil, count: capacity)
  }

  deinit {
    slots.deinitialize(count: capacity)
    slots.deallocate()
  }

  /// How many more events find room at least.
  package var room: Int {
    capacity - (written.load(ordering: .relaxed) - read.load(ordering: .acquiring))
  }

  /// Puts an event at the end; false if there is no room for it.
  package func push(_ event: Event) -> Bool {
    let position = written.load(ordering: .relaxed)
    guard position - read.load(ordering: .acquiring) < capacity else { return false }
    slots[position % capacity] = event
    written.store(position + 1, ordering: .releasing)
    return true
  }

  /// Takes the first event, or nil.
  package func pop() -> Event? {
    let position = read.load(ordering: .relaxed)
    guard position < written.load(ordering: .acquiring) else { return nil }
    let event = slots[position % capacity]
    read.store(position + 1, ordering: .releasing)
    return event
  }
}
