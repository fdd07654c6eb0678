import Aurient
import CAllocationCount
import Files
import Geometry
import HeadTracking
import Navigation
import Testing

@Suite(.enabled(if: counts_calls())) struct AllocationTests {
  /// Frames along a track of many fixes, with phone and course, before and after calibration.
  @Test func aFrameNeitherAllocatesNorLocks() throws {
    let frameCount = 4000
    func time(_ milliseconds: Int) -> Timestamp {
      Timestamp(nanoseconds: Int64(milliseconds) * 1_000_000)
    }
    let fixes = (0...40).map { second in
      LocationFix(
        time: time(second * 1000),
        coordinate: GeodeticCoordinate(latitude: 51 + Double(second) * 1e-5, longitude: 0),
        course: second % 7 == 3 ? nil : 10)
    }
    let phone = ReferenceSeries(
      (0..<400).map { .init(time: time($0 * 100), direction: $0 % 50 == 30 ? nil : 12) })
    var scene = WalkingScene(
      track: try #require(Track(fixes: fixes)), phone: phone,
      beacons: [
        Beacon(
          name: "A name too long to lie inside a String",
          coordinate: GeodeticCoordinate(latitude: 51.01, longitude: 0)),
        Beacon(coordinate: GeodeticCoordinate(latitude: 51, longitude: 0)),
      ],
      calibrator: .classic, isYawOnly: false)
    let frames = (0..<frameCount).map { index in
      MotionFrame(
        time: time(index * 10),
        attitude: CoreMotionAngles(
          yaw: index % 900 < 500 ? 0.3 : Double(index % 6) - 3, pitch: 0.1, roll: 0.2
        ).quaternion)
    }
    var calibrated = 0
    func play(_ indices: Range<Int>) -> (heap: UInt64, locks: UInt64) {
      let (heap, locks) = (heap_call_count(), lock_count())
      for index in indices {
        scene.advance(to: frames[index])
        if scene.status == .calibrated { calibrated += 1 }
      }
      return (heap_call_count() - heap, lock_count() - locks)
    }
    // The first frame makes what is made once in a process.
    _ = play(0..<2)
    let before = play(2..<200)
    #expect(before.heap == 0 && before.locks == 0)
    #expect(calibrated == 0)
    let after = play(200..<frameCount)
    #expect(after.heap == 0 && after.locks == 0)
    #expect(calibrated > 3500)
    #expect(scene.beacons.allSatisfy { $0.geometry.relative != nil })
  }

  @Test func aMomentWithoutHeadNeitherAllocatesNorLocks() throws {
    let fixes = (0...20).map { second in
      LocationFix(
        time: Timestamp(nanoseconds: Int64(second) * 1_000_000_000),
        coordinate: GeodeticCoordinate(latitude: 51 + Double(second) * 1e-5, longitude: 0))
    }
    var scene = WalkingScene(
      track: try #require(Track(fixes: fixes)), phone: ReferenceSeries(),
      beacons: [Beacon(coordinate: GeodeticCoordinate(latitude: 51.01, longitude: 0))],
      isYawOnly: true)
    scene.advance(to: Timestamp(nanoseconds: 0))
    let (heap, locks) = (heap_call_count(), lock_count())
    for index in 0..<1000 { scene.advance(to: Timestamp(nanoseconds: Int64(index) * 20_000_000)) }
    let (heapAfter, locksAfter) = (heap_call_count(), lock_count())
    #expect(heapAfter == heap && locksAfter == locks)
  }
}
