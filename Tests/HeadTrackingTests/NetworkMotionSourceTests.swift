import Files
import Geometry
import Glibc
import TestSupport
import Testing

@testable import HeadTracking

/// What live sources do with packets that are late, doubled, wrong, or too many.
@Suite struct NetworkMotionSourceTests {
  static let ahead = OSCBytes.message("/adm/lis/ypr", [0, 0, 0])

  static let faults: [(fault: MotionFault, bytes: [UInt8], address: String?)] = [
    (.notFinite, OSCBytes.message("/ypr", [.nan, 0, 0]), nil),
    (.notFinite, OSCBytes.message("/ypr", [0, .infinity, 0]), nil),
    (.notFinite, OSCBytes.message("/quaternion", [1, .nan, 0, 0]), nil),
    (.notARotation, OSCBytes.message("/SceneRotator/quaternions", [0, 0, 0, 0]), nil),
    (.notARotation, OSCBytes.message("/head/quaternion", [0, 0, 0, 3]), nil),
    (.outOfRange, OSCBytes.message("/ypr", [361, 0, 0]), nil),
    (.outOfRange, OSCBytes.message("/SceneRotator/yaw", [-1e30]), nil),
    (.wrongArguments, OSCBytes.message("/ypr", [1, 2]), "/ypr"),
    (.wrongArguments, OSCBytes.message("/ypr", [1, 2, 3, 4]), "/ypr"),
    (.wrongArguments, OSCBytes.message("/ypr", [.s("a"), .f(0), .f(0)]), "/ypr"),
    (.wrongArguments, OSCBytes.message("/yaw", [] as [Double]), "/yaw"),
    (.wrongArguments, OSCBytes.string("/yaw") + OSCBytes.string("f") + [0, 0, 0, 0], "/yaw"),
    (.unknownAddress, OSCBytes.message("/head", [1, 2, 3]), "/head"),
    (.unknownAddress, OSCBytes.message("/ypr/", [1, 2, 3]), "/ypr/"),
    (.unknownAddress, OSCBytes.message("/" + String(repeating: "x", count: 60_000), [0]), nil),
    (.malformed, [], nil), (.malformed, [47], nil),
    (.malformed, Array(OSCBytes.message("/ypr", [1, 2, 3]).dropLast(4)), "/ypr"),
    (.malformed, Array(OSCBytes.message("/ypr", [1, 2, 3]).dropLast(3)), nil),
    (.malformed, Array("/ypr".utf8), nil), (.malformed, Array("ypr\0".utf8), nil),
    (.malformed, Array(OSCBytes.bundle([ahead]).prefix(12)), nil),
    (.malformed, Array(OSCBytes.bundle([ahead]).prefix(24)), nil),
    (
      .malformed,
      OSCBytes.string("#bundle") + OSCBytes.bigEndian(1 as UInt64) + [255, 255, 255, 255],
      nil
    ),
    (.malformed, [UInt8](repeating: 0, count: 60_000), nil),
    (.malformed, opentrackBytes([0, 0, 0, 1, 2, 3]), nil),
  ]

  @Test(arguments: faults.indices) func faultsAreCountedAndConnectNothing(_ index: Int) throws {
    let (fault, bytes, address) = Self.faults[index]
    let source = try NetworkMotionSource(.osc, port: 0)
    let sender = DatagramSender(port: source.port)
    let events = LiveEvents(source)
    try #require(sender.send(bytes))
    #expect(events.waitForDropped(fault))
    #expect(events.event(within: 0) == nil)
    #expect(Array(events.counts.dropped.keys) == [fault])
    if let address { #expect(events.example(fault) == address) }
    // What follows is heard as ever.
    sender.send(Self.ahead)
    #expect(events.frame() != nil)
    #expect(events.counts.frames == 1)
  }

  @Test(arguments: [
    (MotionFault.malformed, opentrackBytes([0, 0, 0, 1, 2])),
    (.malformed, opentrackBytes([0, 0, 0, 1, 2, 3]) + [0]),
    (.malformed, [UInt8](repeating: 1, count: 60_000)), (.malformed, []),
    (.notFinite, opentrackBytes([0, 0, 0, .nan, 2, 3])),
    (.notFinite, opentrackBytes([0, -.infinity, 0, 1, 2, 3])),
    (.outOfRange, opentrackBytes([0, 0, 0, 360.1, 2, 3])),
  ])
  func opentrackFaults(_ fault: MotionFault, _ bytes: [UInt8]) throws {
    let source = try NetworkMotionSource(.opentrack, port: 0)
    let sender = DatagramSender(port: source.port)
    let events = LiveEvents(source)
    try #require(sender.send(bytes))
    #expect(events.waitForDropped(fault))
    #expect(events.event(within: 0) == nil)
    #expect(events.counts.droppedTotal == 1)
  }

  /// The first valid frame connects, silence disconnects, and the next frame connects again.
  @Test func connectionFollowsTheFrames() throws {
    let source = try NetworkMotionSource(.osc, port: 0, silence: 0.2)
    let sender = DatagramSender(port: source.port)
    let events = LiveEvents(source)
    #expect(events.event(within: 0.3) == nil)
    let before = MonotonicClock.now
    for _ in 0..<2 {
      sender.send(Self.ahead)
      guard case .connected(let connected) = events.event(),
        case .frame(let frame) = events.event(), case .disconnected(let end) = events.event()
      else {
        Issue.record("not connected, frame, disconnected")
        return
      }
      #expect(before < connected && connected == frame.time)
      #expect(abs(end.seconds(since: frame.time) - 0.2) < 1e-6)
      #expect(MonotonicClock.now.seconds(since: frame.time) < 2)
    }
  }

  static func tag(_ seconds: UInt64) -> UInt64 { (3_900_000_000 + seconds) << 32 }

  @Test func bundlesTellTheirOrder() throws {
    let source = try NetworkMotionSource(.osc, port: 0, silence: 0.3)
    let sender = DatagramSender(port: source.port)
    let events = LiveEvents(source)
    func send(_ yaw: Double, _ seconds: UInt64) {
      sender.send(
        OSCBytes.bundle([OSCBytes.message("/adm/lis/ypr", [yaw, 0, 0])], tag: Self.tag(seconds)))
    }
    // In order, doubled, swapped, two of one time.
    for (yaw, seconds) in [(1, 1), (2, 2), (2, 2), (4, 4), (3, 3), (5, 4), (6, 6)] {
      send(Double(yaw), UInt64(seconds))
    }
    var yaws: [Double] = []
    for _ in 0..<5 {
      yaws.append(degrees(radians: try #require(events.frame()).yaw).rounded())
    }
    #expect(yaws == [1, 2, 4, 5, 6])
    #expect(events.counts.dropped == [.late: 1, .duplicate: 1])
    // After a silence the sender may have been started again with another clock.
    while let event = events.event(), event.time != nil {
      if case .disconnected = event { break }
    }
    send(7, 1)
    #expect(degrees(radians: try #require(events.frame()).yaw).rounded() == 7)
  }

  /// A single angle of a late bundle doesn't slip into the frame after it.
  @Test func whatIsLateLeavesNoTrace() throws {
    let source = try NetworkMotionSource(.osc, port: 0)
    let sender = DatagramSender(port: source.port)
    let events = LiveEvents(source)
    func send(_ address: String, _ angle: Double, _ seconds: UInt64) {
      sender.send(OSCBytes.bundle([OSCBytes.message(address, [angle])], tag: Self.tag(seconds)))
    }
    send("/adm/lis/yaw", 10, 1)
    send("/adm/lis/yaw", 20, 3)
    send("/adm/lis/yaw", 90, 2)
    send("/adm/lis/pitch", 0, 4)
    var yaws: [Double] = []
    for _ in 0..<3 {
      yaws.append(degrees(radians: try #require(events.frame()).yaw).rounded())
    }
    #expect(yaws == [10, 20, 20])
    #expect(events.counts.dropped == [.late: 1])
  }

  /// A pose repeated at once is a duplicate; one repeated for long is a head at rest.
  @Test func opentrackRepeatsItself() {
    let channel = MotionChannel()
    var receiver = MotionReceiver(
      OpentrackDecoder(), to: MotionOutlet(channel: channel, isInverse: false, silence: 2))
    for step in 0..<1000 {
      var bytes = opentrackBytes([0, 0, 0, 10, 0, 0])
      bytes.withUnsafeMutableBytes {
        receiver.receive($0, at: Timestamp(nanoseconds: Int64(step) * 4_000_000))
      }
    }
    #expect(channel.counts.frames == 40)
    #expect(channel.counts.dropped == [.duplicate: 960])
    #expect(receiver.outlet.isConnected)
  }

  @Test func aPortInUseIsOneLine() throws {
    let source = try NetworkMotionSource(.osc, port: 0)
    let port = source.port
    let error = #expect(throws: MotionSourceError.self) {
      _ = try NetworkMotionSource(.opentrack, port: port)
    }
    #expect(error?.description == "127.0.0.1 port \(port): address already in use")
    let noAddress = #expect(throws: MotionSourceError.self) {
      _ = try NetworkMotionSource(.osc, port: 0, listen: "localhost\n")
    }
    #expect(noAddress?.description == "\"localhost \": is no numeric IP address")
    _ = consume source
    // Gone, the port is free at once.
    _ = try NetworkMotionSource(.opentrack, port: port)
  }

  @Test func listensWhereItIsTold() throws {
    for address in ["0.0.0.0", "127.0.0.2"] {
      let source = try NetworkMotionSource(.osc, port: 0, listen: address)
      let sender = DatagramSender(port: source.port)
      let events = LiveEvents(source)
      sender.send(Self.ahead)
      // Sent to 127.0.0.1: all addresses hear that, another one doesn't.
      #expect(
        (events.event(within: address == "0.0.0.0" ? 5 : 0.3) != nil) == (address == "0.0.0.0"))
    }
  }

  /// Two seconds at 10,000 packets a second: each arrives, in order, or is counted as dropped.
  @Test func tenThousandPacketsASecond() throws {
    let source = try NetworkMotionSource(.opentrack, port: 0)
    let sender = DatagramSender(port: source.port)
    let events = LiveEvents(source)
    let start = ContinuousClock.now
    var (last, frames, sent) = (-Double.infinity, 0, 0)
    while sent < 20_000 {
      let due = min(20_000, Int((ContinuousClock.now - start) / .seconds(1) * 10_000))
      while sent < due {
        sender.send(opentrackBytes([Double(sent), 0, 0, Double(-sent) / 1000, 0, 0]))
        sent += 1
      }
      usleep(1000)
      while let event = events.event(within: 0) {
        guard case .frame(let frame) = event else { continue }
        #expect(frame.yaw > last)
        last = frame.yaw
        frames += 1
      }
    }
    while let event = events.event(within: 0.2) {
      if case .frame = event { frames += 1 }
    }
    // Packets that the system lost are told with the next one that comes.
    sender.send(opentrackBytes([0, 0, 0, 0, 0, 1]))
    if events.frame() != nil { frames += 1 }
    let counts = events.counts
    #expect(frames == counts.frames)
    #expect(counts.frames + counts.droppedTotal == 20_001)
    #expect(counts.frames > 15_000)
  }

  /// A consumer that sleeps: what doesn't fit is counted, the newest frame stays to be had, and
  /// connections are told.
  @Test func aSlowConsumerLosesFramesAlone() {
    let channel = MotionChannel()
    var outlet = MotionOutlet(channel: channel, isInverse: false, silence: 2)
    func time(_ step: Int) -> Timestamp { Timestamp(nanoseconds: Int64(step) * 1_000_000) }
    for step in 0..<5000 { outlet.deliver(.identity, at: time(step)) }
    let isSilent = outlet.fallsSilent(at: time(9000))
    #expect(isSilent)
    #expect(channel.newestFrame()?.time == time(4999))
    var events: [MotionEvent] = []
    while let event = channel.next() { events.append(event) }
    #expect(events.first == .connected(time(0)))
    #expect(events.last == .disconnected(time(6999)))
    #expect(events.count - 2 == channel.counts.frames)
    #expect(channel.counts.frames == MotionChannel.capacity - MotionChannel.reserve - 1)
    #expect(channel.counts.frames + channel.counts.dropped[.overrun, default: 0] == 5000)
  }

  /// Two threads over the channel: every event once and in order, and newest frames whole.
  @Test func theChannelKeepsOrderBetweenThreads() {
    let channel = MotionChannel()
    let count = 300_000
    var thread = pthread_t()
    let reference = Unmanaged.passRetained(channel)
    pthread_create(
      &thread, nil,
      { reference in
        guard let reference else { return nil }
        let channel = Unmanaged<MotionChannel>.fromOpaque(reference).takeRetainedValue()
        for step in 1...300_000 {
          let part = Double(step)
          channel.send(
            .frame(
              MotionFrame(
                time: Timestamp(nanoseconds: Int64(step)),
                attitude: Quaternion(x: part, y: part, z: part, w: part), yaw: part)))
        }
        return nil
      }, reference.toOpaque())
    var (last, received, torn, newest) = (Int64(0), 0, 0, Int64(0))
    func check(_ frame: MotionFrame) {
      let part = Double(frame.time.nanoseconds)
      if frame.attitude != Quaternion(x: part, y: part, z: part, w: part) || frame.yaw != part {
        torn += 1
      }
    }
    while channel.counts.frames + channel.counts.droppedTotal < count
      || received < channel.counts.frames
    {
      if let frame = channel.newestFrame() {
        check(frame)
        #expect(frame.time.nanoseconds >= newest)
        newest = frame.time.nanoseconds
      }
      guard case .frame(let frame) = channel.next() else { continue }
      check(frame)
      if frame.time.nanoseconds <= last { torn += 1 }
      last = frame.time.nanoseconds
      received += 1
    }
    pthread_join(thread, nil)
    #expect(torn == 0)
    #expect(channel.newestFrame()?.time.nanoseconds == Int64(count))
  }

  /// Random bytes, and good packets with bytes changed, cut off or doubled.
  @Test(arguments: [UInt64(1), 2]) func twentyThousandDatagramsOfAnyKind(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let seeds =
      Self.faults.map(\.bytes).filter { $0.count < 1000 } + [
        Self.ahead, OSCBytes.message("/head/quaternion", [0.5, 0.5, 0.5, 0.5]),
        OSCBytes.message("/ypr", [.d(1), .h(2), .i(3)]),
        OSCBytes.bundle([
          OSCBytes.bundle([Self.ahead], tag: 77), OSCBytes.message("/yaw", [1]), Self.ahead,
        ]), opentrackBytes([1, 2, 3, 4, 5, 6]),
      ]
    let channel = MotionChannel()
    let decoders: [any MotionDatagramDecoder] = [OSCDecoder(), OpentrackDecoder()]
    for decoder in decoders {
      var receiver = MotionReceiver(
        decoder, to: MotionOutlet(channel: channel, isInverse: false, silence: 2))
      for step in 0..<20_000 {
        var bytes: [UInt8]
        if step % 4 == 0 {
          bytes = (0..<Int.random(in: 0..<300, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
          }
          if step % 8 == 0 {
            bytes = Array((step % 16 == 0 ? "/ypr\0\0\0\0," : "#bundle\0").utf8) + bytes
          }
        } else {
          bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
          for _ in 0..<Int.random(in: 0..<4, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeLast(bytes.count - place)
            case 2: bytes += bytes[place...]
            default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
          }
        }
        bytes.withUnsafeMutableBytes {
          receiver.receive($0, at: Timestamp(nanoseconds: Int64(step) * 1_000_000))
        }
        while let event = channel.next() {
          guard case .frame(let frame) = event else { continue }
          let q = frame.attitude
          #expect(abs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1) < 1e-9)
        }
      }
    }
    #expect(channel.counts.frames > 100)
    #expect(channel.counts.droppedTotal > 20_000)
  }
}
