import Glibc
import Synchronization

/// Hands elements from any threads to one other, in order, without locks or memory of its own making on either
/// side.
///
/// Any thread may call `push`, one `pop`. An element lives in one place only: who pops it releases it. A bounded
/// ring of numbered cells, after D. Vyukov, "Bounded MPMC queue", 1024cores.net, 2010.
final class SharedQueue<Element: Sendable>: @unchecked Sendable {
  private let capacity: Int
  /// Of each cell the position that may be written to it next, or one more once that has been written.
  private let turns: UnsafeMutablePointer<Atomic<Int>>
  private let elements: UnsafeMutablePointer<Element>
  private let written = Atomic(0)
  private let read = Atomic(0)

  /// A queue for so many elements.
  init(capacity: Int) {
    self.capacity = capacity
    turns = .allocate(capacity: capacity)
    elements = .allocate(capacity: capacity)
    // Has the system give the memory now.
    memset(elements, 0, capacity * MemoryLayout<Element>.stride)
    for index in 0..<capacity { (turns + index).initialize(to: Atomic(index)) }
  }

  deinit {
    while pop() != nil {}
    turns.deinitialize(count: capacity)
    turns.deallocate()
    elements.deallocate()
  }

  /// Puts an element at the end; false if there is no room for it.
  func push(_ element: consuming Element) -> Bool {
    var position = written.load(ordering: .relaxed)
    while true {
      let lead = turns[position % capacity].load(ordering: .acquiring) - position
      if lead < 0 { return false }
      if lead > 0 {
        position = written.load(ordering: .relaxed)
        continue
      }
      let (isMine, now) = written.weakCompareExchange(
        expected: position, desired: position + 1, ordering: .relaxed)
      if isMine { break }
      position = now
    }
    (elements + position % capacity).initialize(to: element)
    turns[position % capacity].store(position + 1, ordering: .releasing)
    return true
  }

  /// Takes the first element, or nil.
  func pop() -> Element? {
    let position = read.load(ordering: .relaxed)
    guard turns[position % capacity].load(ordering: .acquiring) == position + 1 else { return nil }
    let element = (elements + position % capacity).move()
    turns[position % capacity].store(position + capacity, ordering: .releasing)
    read.store(position + 1, ordering: .relaxed)
    return element
  }
}
