import Files
import Geometry
import HeadTracking
import Testing

@Suite struct HeadphoneSampleTests {
  static let start = Timestamp(nanoseconds: 1_790_000_000_000_000_000)

  static func sample(
    _ uptime: Double, _ location: HeadphoneSample.Location = .left,
    w: Double = 0.8, z: Double = 0.6
  ) -> HeadphoneSample {
    HeadphoneSample(attitude: (x: 0, y: 0, z: z, w: w), uptime: uptime, location: location)
  }

  static func time(_ uptime: Double) -> Timestamp {
    Timestamp(nanoseconds: start.nanoseconds + Int64(uptime * 1e9))
  }

  @Test func theFirstSampleConnects() throws {
    var mapping = HeadphoneSampleMapping(deviceStart: Self.start)
    #expect(!mapping.isConnected)
    let events = try mapping.take(Self.sample(100.5)).get()
    let attitude = Quaternion(x: 0, y: 0, z: 0.6, w: 0.8)
    func left(_ uptime: Double) -> MotionFrame {
      var frame = MotionFrame(time: Self.time(uptime), attitude: attitude)
      frame.readings = HeadphoneReadings(placement: .left)
      return frame
    }
    #expect(events == [.connected(Self.time(100.5)), .frame(left(100.5))])
    // Turned left by 2 asin 0.6, counterclockwise.
    guard case .frame(let frame) = events[1] else { return }
    #expect(abs(degrees(radians: frame.yaw) - 73.73979529168804) < 1e-9)
    let next = try mapping.take(Self.sample(100.75)).get()
    #expect(next == [.frame(left(100.75))])
  }

  @Test func theOtherEarbudIsAnotherConnection() throws {
    var mapping = HeadphoneSampleMapping(deviceStart: Self.start)
    _ = try mapping.take(Self.sample(1)).get()
    let events = try mapping.take(Self.sample(2, .right)).get()
    #expect(events.prefix(2) == [.disconnected(Self.time(2)), .connected(Self.time(2))])
    #expect(events.count == 3)
  }

  @Test func theEndIsToldOnce() throws {
    var mapping = HeadphoneSampleMapping(deviceStart: Self.start)
    #expect(mapping.disconnect(uptime: 1) == nil)
    _ = try mapping.take(Self.sample(2)).get()
    // Not before the last frame, whenever the delegate was asked.
    #expect(mapping.disconnect(uptime: 1.5) == .disconnected(Self.time(2)))
    #expect(mapping.disconnect(uptime: 3) == nil)
    let events = try mapping.take(Self.sample(4)).get()
    #expect(events.first == .connected(Self.time(4)))
  }

  static let faulty: [(HeadphoneSample, MotionFault)] = [
    (sample(11, w: .nan), .notFinite), (sample(.infinity), .notFinite),
    (sample(1e300), .notFinite), (sample(11, w: 0, z: 0), .notARotation),
    (sample(9), .late), (sample(10), .duplicate),
  ]

  @Test(arguments: faulty) func faults(_ sample: HeadphoneSample, _ fault: MotionFault) throws {
    var mapping = HeadphoneSampleMapping(deviceStart: Self.start)
    _ = try mapping.take(Self.sample(10)).get()
    let error = #expect(throws: HeadphoneFault.self) { try mapping.take(sample).get() }
    #expect(error?.cause == fault)
    #expect(try mapping.take(Self.sample(12)).get().count == 1)
  }
}
