@testable import Aurient
import Glibc
import Synchronization
import Testing

@Suite struct SharedQueueTests {
  /// All elements arrive once, each thread's in its order, and are released.
  @Test func handsOverInOrder() async {
    let queue = SharedQueue<(thread: Int, number: Int)>(capacity: 16)
    let (threads, count) = (4, 5000)
    var next = [Int](repeating: 0, count: threads)
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<threads {
        group.addTask {
          for number in 0..<count {
            while !queue.push((thread, number)) { await Task.yield() }
          }
        }
      }
      var taken = 0
      while taken < threads * count {
        guard let element = queue.pop() else {
          await Task.yield()
          continue
        }
        #expect(element.number == next[element.thread])
        next[element.thread] += 1
        taken += 1
      }
    }
    #expect(queue.pop() == nil)
  }

  @Test func isBounded() {
    let queue = SharedQueue<Int>(capacity: 3)
    for round in 0..<10 {
      for number in 0..<3 { #expect(queue.push(round + number)) }
      #expect(!queue.push(9))
      for number in 0..<3 { #expect(queue.pop() == round + number) }
    }
  }

  private final class Counted: Sendable {
    let count: Count
    init(_ count: Count) {
      self.count = count
      count.value.add(1, ordering: .relaxed)
    }
    deinit { count.value.subtract(1, ordering: .relaxed) }
  }
  private final class Count: Sendable { let value = Atomic(0) }

  /// What is popped is held by nobody else, and what is left is released with the queue.
  @Test func holdsNothingBack() {
    let count = Count()
    do {
      let queue = SharedQueue<Counted>(capacity: 4)
      for _ in 0..<4 { _ = queue.push(Counted(count)) }
      _ = queue.pop()
      _ = queue.pop()
      #expect(count.value.load(ordering: .relaxed) == 2)
    }
    #expect(count.value.load(ordering: .relaxed) == 0)
  }
}

@Suite struct DueListTests {
  @Test func sortsByFrameThenByArrival() {
    let list = DueList<Int>(capacity: 5)
    var taken: [Int] = []
    for round in 0..<20 {
      for (element, frame) in [(0, 7), (1, 3), (2, 7), (3, 0), (4, 3)] {
        list.insert(10 * round + element, at: frame)
      }
      #expect(list.isFull && list.nextFrame == 0)
      while list.nextFrame != nil { taken.append(list.removeFirst() - 10 * round) }
      #expect(taken == [3, 1, 4, 0, 2])
      taken = []
    }
  }
}
