import CAllocationCount
import Files
import Geometry
import Testing

@testable import Navigation

@Suite(.enabled(if: counts_calls())) struct LocationChannelTests {
  /// Whoever plays takes events without a call of the heap and without a lock.
  @Test func takingNeitherAllocatesNorLocks() {
    let channel = LocationChannel()
    let fix = LocationFix(coordinate: GeodeticCoordinate(latitude: 51.5, longitude: -0.125))
    for step in 0..<200 { channel.send(.fix(fix, Timestamp(nanoseconds: Int64(step)))) }
    var taken = 0
    if channel.next() != nil { taken += 1 }
    let (heap, locks) = (heap_call_count(), lock_count())
    while let event = channel.next(), event.time?.nanoseconds == Int64(taken) { taken += 1 }
    #expect(heap_call_count() == heap && lock_count() == locks)
    #expect(taken == 200)
  }
}
