import Synchronization

/// Hands motion events from the thread that receives them to the one that uses them, in order, without
/// locks or allocation on either side.
///
/// One thread may call `send` and `drop`, one other the rest. A ring keeps the order; three slots
/// beside it, of which each side holds one and swaps it for the third, give the newest frame to who
/// wants that alone.
final class MotionChannel: @unchecked Sendable {
  static let capacity = 2048
  /// Slots that no frame may take, so that connections are told even to a slow consumer.
  static let reserve = 32
  /// Bytes kept of the first thing dropped for each cause.
  private static let exampleSize = 64

  private let ring = EventRing<MotionEvent>(capacity: capacity)
  private let phoneRing = EventRing<PhoneHeading>(capacity: 256)

  private let slots = UnsafeMutablePointer<MotionFrame?>.allocate(capacity: 3)
  /// The slot that neither side holds, plus 4 while it is newer than the consumer's.
  private let spare = Atomic(2)
  private var producerSlot = 0
  private var consumerSlot = 1

  private let frames = Atomic(0)
  private let phoneHeadings = Atomic(0)
  private let dropped = UnsafeMutablePointer<Atomic<Int>>.allocate(
    capacity: MotionFault.allCases.count)
  private let examples = UnsafeMutableBufferPointer<UInt8>.allocate(
    capacity: MotionFault.allCases.count * exampleSize)

  init() {
    slots.initialize(repeating: nil, count: 3)
    examples.initialize(repeating: 0)
    for fault in MotionFault.allCases { (dropped + fault.rawValue).initialize(to: Atomic(0)) }
  }

  deinit {
    slots.deallocate()
    dropped.deinitialize(count: MotionFault.allCases.count)
    dropped.deallocate()
    examples.deallocate()
  }

  /// Puts an event at the end of the ring. A frame that finds no room is counted as overrun.
  func send(_ event: MotionEvent) {
    if case .frame(let frame) = event {
      publish(frame)
      guard ring.room > Self.reserve else { return drop(.overrun) }
      frames.add(1, ordering: .relaxed)
    }
    if !ring.push(event) { drop(.overrun) }
  }

  /// The next event of the ring, or nil.
  func next() -> MotionEvent? { ring.pop() }

  /// Hands on a reading of a phone's compass. Whoever does not fetch them loses the newest, which is
  /// no fault of who wants the head alone.
  func send(_ heading: PhoneHeading) {
    phoneHeadings.add(1, ordering: .relaxed)
    _ = phoneRing.push(heading)
  }

  /// The next reading of a phone's compass, or nil.
  func nextPhoneHeading() -> PhoneHeading? { phoneRing.pop() }

  private func publish(_ frame: MotionFrame) {
    slots[producerSlot] = frame
    producerSlot = spare.exchange(producerSlot | 4, ordering: .acquiringAndReleasing) & 3
  }

  /// The newest frame that was sent, whatever has been taken from the ring; nil before the first.
  func newestFrame() -> MotionFrame? {
    if spare.load(ordering: .relaxed) & 4 != 0 {
      consumerSlot = spare.exchange(consumerSlot, ordering: .acquiringAndReleasing) & 3
    }
    return slots[consumerSlot]
  }

  /// Counts things dropped, and keeps the first bytes of the first one of its cause.
  func drop(_ fault: MotionFault, count: Int = 1, example: UnsafeRawBufferPointer? = nil) {
    let counter = dropped + fault.rawValue
    if let example, counter.pointee.load(ordering: .relaxed) == 0 {
      let kept = examples.extracting(
        fault.rawValue * Self.exampleSize..<(fault.rawValue + 1) * Self.exampleSize)
      for index in 0..<min(example.count, Self.exampleSize) { kept[index] = example[index] }
    }
    counter.pointee.add(count, ordering: .releasing)
  }

  /// What has been sent and dropped so far.
  var counts: MotionSourceCounts {
    var counts = MotionSourceCounts()
    counts.frames = frames.load(ordering: .relaxed)
    counts.phoneHeadings = phoneHeadings.load(ordering: .relaxed)
    for fault in MotionFault.allCases {
      let count = dropped[fault.rawValue].load(ordering: .acquiring)
      if count > 0 { counts.dropped[fault] = count }
    }
    return counts
  }

  /// The text of the first thing that was dropped for a cause, or nil where it had none.
  func example(_ fault: MotionFault) -> String? {
    guard dropped[fault.rawValue].load(ordering: .acquiring) > 0 else { return nil }
    let start = fault.rawValue * Self.exampleSize
    let bytes = examples[start..<start + Self.exampleSize].prefix { $0 != 0 }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
