import CAllocationCount
import Files
import Geometry
import Glibc
import HeadTracking
import Testing

@Suite(.enabled(if: counts_calls())) struct AllocationTests {
  @Test func theCounterCounts() {
    let (before, locksBefore) = (heap_call_count(), lock_count())
    let array = [Int](repeating: Int(before), count: 1000)
    #expect(heap_call_count() > before)
    let (block, _) = (aligned_alloc(64, 640), array.count)
    let between = heap_call_count()
    free(block)
    #expect(heap_call_count() > between)
    var mutex = pthread_mutex_t()
    pthread_mutex_init(&mutex, nil)
    pthread_mutex_lock(&mutex)
    pthread_mutex_unlock(&mutex)
    #expect(lock_count() > locksBefore)
  }

  /// Frames that fill the windows, pass the gate and fail it, glances and new fixes, and the pose's every
  /// value.
  @Test(arguments: CalibratorName.allCases)
  func aFrameNeitherAllocatesNorLocks(_ calibrator: CalibratorName) {
    var tracker = HeadTracker(calibrator: calibrator)
    tracker.becomeAvailable()
    tracker.start()
    tracker.connect()
    let frames = (0..<5000).map { index in
      let yaw = index % 700 < 350 ? 0.3 : Double(index % 6) - 3
      return MotionFrame(
        time: Timestamp(nanoseconds: Int64(index) * 10_000_000),
        attitude: CoreMotionAngles(yaw: yaw, pitch: 0.1, roll: 0.2).quaternion)
    }
    var sum = 0.0
    func play(_ indices: Range<Int>) {
      for index in indices {
        let time = frames[index].time
        let pose = tracker.update(
          frames[index], phoneHeading: .init(time: time, direction: 100),
          course: .init(time: time, direction: index % 300 < 5 ? nil : 90))
        sum += (pose.heading ?? 0) + (pose.attitude?.w ?? 0) + (pose.uncertainty ?? 0)
      }
    }
    play(0..<1000)
    let (heap, locks) = (heap_call_count(), lock_count())
    play(1000..<5000)
    let (heapAfter, locksAfter) = (heap_call_count(), lock_count())
    #expect(heapAfter == heap)
    #expect(locksAfter == locks)
    #expect(tracker.status == .calibrated)
    #expect(sum > 0)
  }
}
