internal import CLoudness
import Glibc

/// Loudness and sample peak of stereo sound while it is written: EBU R 128 (ITU-R BS.1770-4) by
/// libebur128.
///
/// Its filters take an eighth of the time that rendering takes, so they run on a thread of their own.
public final class LoudnessMeter {
  private let worker: LoudnessWorker
  private var thread = pthread_t()

  /// Measures two channels at a rate.
  public init(sampleRate: Int) {
    worker = LoudnessWorker(sampleRate: sampleRate)
    let context = Unmanaged.passRetained(worker).toOpaque()
    let status = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<LoudnessWorker>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, context)
    precondition(status == 0, "no thread for a loudness meter")
  }

  deinit {
    worker.end()
    pthread_join(thread, nil)
  }

  /// Takes the next frames, left and right.
  public func add(_ samples: UnsafeBufferPointer<Float>) {
    var rest = samples[...]
    while !rest.isEmpty { rest = rest.dropFirst(worker.take(UnsafeBufferPointer(rebasing: rest))) }
  }

  /// Integrated loudness so far, LUFS; −∞ for silence.
  public var integratedLoudness: Double { worker.whenIdle { $0.integratedLoudness } }

  /// The greatest magnitude of any sample so far; 1 is full scale.
  public var peak: Float { worker.whenIdle { $0.peak } }
}

/// What the meter's thread works on: a ring of slots that the caller fills and the thread empties, each
/// waiting for the other by a semaphore.
private final class LoudnessWorker: @unchecked Sendable {
  private static let slotLength = 8192
  private static let slotCount = 8

  private let slots: UnsafeMutableBufferPointer<Float>
  private let semaphores: UnsafeMutableBufferPointer<sem_t>
  /// Samples in each slot; 0 ends the thread.
  private let counts: UnsafeMutableBufferPointer<Int>
  /// The slot that is being filled, and the samples in it so far.
  private var next = 0
  private var nextCount = 0
  private var state: UnsafeMutablePointer<ebur128_state>?
  private(set) var peak: Float = 0

  private var free: UnsafeMutablePointer<sem_t> { semaphores.baseAddress.unsafelyUnwrapped }
  private var filled: UnsafeMutablePointer<sem_t> { free + 1 }

  init(sampleRate: Int) {
    state = ebur128_init(2, UInt(sampleRate), Int32(EBUR128_MODE_I.rawValue))
    precondition(state != nil, "no memory for a loudness meter")
    slots = .allocate(capacity: Self.slotLength * Self.slotCount)
    counts = .allocate(capacity: Self.slotCount)
    counts.initialize(repeating: 0)
    semaphores = .allocate(capacity: 2)
    sem_init(free, 0, UInt32(Self.slotCount))
    sem_init(filled, 0, 0)
  }

  deinit {
    ebur128_destroy(&state)
    sem_destroy(free)
    sem_destroy(filled)
    semaphores.deallocate()
    counts.deallocate()
    slots.deallocate()
  }

  /// Takes samples, as many as the slot has room for, and returns how many. Only a full slot is handed to the
  /// thread: to wake it for each few milliseconds of sound costs more than its work.
  func take(_ samples: UnsafeBufferPointer<Float>) -> Int {
    if nextCount == 0 { wait(free) }
    let room = slots[(next * Self.slotLength + nextCount)..<((next + 1) * Self.slotLength)]
    let count = min(samples.count, room.count)
    _ = UnsafeMutableBufferPointer(rebasing: room).update(fromContentsOf: samples.prefix(count))
    nextCount += count
    if nextCount == Self.slotLength { hand() }
    return count
  }

  /// Gives the thread the slot that was being filled.
  private func hand() {
    counts[next] = nextCount
    next = (next + 1) % Self.slotCount
    nextCount = 0
    sem_post(filled)
  }

  /// Makes the thread end once it has done its work.
  func end() {
    if nextCount > 0 { hand() }
    wait(free)
    hand()
  }

  /// Reads what the thread has come to when it has done all it was given.
  func whenIdle<Value>(_ read: (LoudnessWorker) -> Value) -> Value {
    if nextCount > 0 { hand() }
    for _ in 0..<Self.slotCount { wait(free) }
    defer { for _ in 0..<Self.slotCount { sem_post(free) } }
    return read(self)
  }

  /// The thread.
  func run() {
    var slot = 0
    while true {
      wait(filled)
      let count = counts[slot]
      guard count > 0 else { return }
      let samples = slots[(slot * Self.slotLength)..<(slot * Self.slotLength + count)]
      ebur128_add_frames_float(state, slots.baseAddress.map { $0 + samples.startIndex }, count / 2)
      peak = samples.reduce(peak) { max($0, abs($1)) }
      slot = (slot + 1) % Self.slotCount
      sem_post(free)
    }
  }

  var integratedLoudness: Double {
    var loudness = 0.0
    ebur128_loudness_global(state, &loudness)
    return loudness
  }

  private func wait(_ semaphore: UnsafeMutablePointer<sem_t>) {
    while sem_wait(semaphore) != 0 {}
  }
}
