import Glibc
import Synchronization

/// Objects that callers know by handles: numbers of a slot and of how often it has been used, so that a handle that
/// is closed, or was never given, is told from one that is good.
///
/// To look a handle up neither locks nor allocates. Who has looked one up keeps its object until `release`; `remove`
/// waits for that.
final class HandleTable<Object: AnyObject & Sendable>: @unchecked Sendable {
  /// An object that is in use.
  struct Use {
    let object: Unmanaged<Object>
    fileprivate let slot: Int
  }

  private let capacity: Int
  /// Of each slot the generation, whether it holds an object, and by how many that is in use.
  private let states: UnsafeMutablePointer<Atomic<UInt>>
  private let objects: UnsafeMutablePointer<Unmanaged<Object>?>
  private let free: Mutex<[Int]>

  private static var userBits: UInt { 16 }
  private static var aliveBit: UInt { 1 << userBits }
  private static var slotBits: UInt { 16 }

  /// A table for so many objects, fewer than 65535.
  init(capacity: Int) {
    self.capacity = capacity
    states = .allocate(capacity: capacity)
    objects = .allocate(capacity: capacity)
    objects.initialize(repeating: nil, count: capacity)
    for slot in 0..<capacity {
      // Not all the same, so that a number made up is seldom good.
      (states + slot).initialize(to: Atomic(Self.state(generation: 0x2A51 + UInt(slot))))
    }
    free = Mutex(Array((0..<capacity).reversed()))
  }

  private static func state(generation: UInt) -> UInt { generation << (userBits + 1) }
  private static func generation(_ state: UInt) -> UInt { state >> (userBits + 1) }

  /// The slot and the generation that a handle means; nil for none.
  private func parts(_ handle: OpaquePointer?) -> (slot: Int, generation: UInt)? {
    let number = UInt(bitPattern: handle)
    let slot = Int(number & (1 << Self.slotBits - 1)) - 1
    guard slot >= 0, slot < capacity else { return nil }
    return (slot, number >> Self.slotBits)
  }

  /// Keeps an object; its handle, or nil if there is no room.
  func insert(_ object: Object) -> OpaquePointer? {
    guard let slot = free.withLock({ $0.popLast() }) else { return nil }
    objects[slot] = .passRetained(object)
    let state = states[slot].load(ordering: .relaxed)
    states[slot].store(state | Self.aliveBit, ordering: .releasing)
    return OpaquePointer(
      bitPattern: Self.generation(state) << Self.slotBits | UInt(slot + 1))
  }

  /// Looks a handle up; nil if it is not good.
  func use(_ handle: OpaquePointer?) -> Use? {
    guard let (slot, generation) = parts(handle) else { return nil }
    var state = states[slot].load(ordering: .relaxed)
    while Self.generation(state) == generation, state & Self.aliveBit != 0 {
      let (isMine, now) = states[slot].weakCompareExchange(
        expected: state, desired: state + 1, ordering: .acquiringAndReleasing)
      if isMine, let object = objects[slot] { return Use(object: object, slot: slot) }
      state = now
    }
    return nil
  }

  /// Ends a use.
  func release(_ use: Use) { states[use.slot].subtract(1, ordering: .releasing) }

  /// Takes an object out, once nobody uses it; nil if the handle is not good.
  func remove(_ handle: OpaquePointer?) -> Object? {
    guard let (slot, generation) = parts(handle) else { return nil }
    var state = states[slot].load(ordering: .relaxed)
    while true {
      guard Self.generation(state) == generation, state & Self.aliveBit != 0 else { return nil }
      let (isMine, now) = states[slot].weakCompareExchange(
        expected: state, desired: state & ~Self.aliveBit, ordering: .acquiringAndReleasing)
      if isMine { break }
      state = now
    }
    while states[slot].load(ordering: .acquiring) & (Self.aliveBit - 1) != 0 { usleep(200) }
    let object = objects[slot]
    objects[slot] = nil
    states[slot].store(Self.state(generation: generation + 1), ordering: .releasing)
    free.withLock { $0.append(slot) }
    return object?.takeRetainedValue()
  }
}
