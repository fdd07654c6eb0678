import Files
import Glibc
import Testing

@testable import HeadTracking

/// Readings of a phone's compass over OSC, on the port of the head's motion.
@Suite struct OSCPhoneTests {
  @Test(
    arguments: [
      ("/phone/heading", [.f(271.5)], nil, 271.5, nil, 271.5),
      ("/phone/heading", [.d(271.5), .i(4)], nil, 271.5, 4, 271.5),
      ("/PHONE/heading", [.i(360)], nil, 360, nil, 0),
      ("/phone/heading", [.f(-1)], nil, -1, nil, nil),
      ("/phone/heading", [.f(90), .f(-1)], nil, 90, -1, nil),
      ("/phone/magnetic", [.f(12), .f(5)], 12, nil, 5, 12),
      ("/gyrosc/comp", [.f(33)], 33, nil, nil, 33),
      ("/my phone/compass", [.f(33), .i(1)], 33, nil, nil, 33),
      ("/0A1B-2C3D/compass", [.f(33)], 33, nil, nil, 33),
    ] as [(String, [OSCBytes.Argument], Double?, Double?, Double?, Double?)])
  func dialects(
    _ address: String, _ arguments: [OSCBytes.Argument], magnetic: Double?, trueNorth: Double?,
    accuracy: Double?, heading: Double?
  ) throws {
    let phone = try PhoneReadings()
    phone.sender.send(OSCBytes.message(address, arguments))
    let reading = try #require(phone.next())
    #expect(reading.magneticHeading == magnetic && reading.trueHeading == trueNorth)
    #expect(reading.headingAccuracy == accuracy && reading.heading == heading)
    #expect(MonotonicClock.now.seconds(since: reading.time) < 5)
    #expect(phone.counts.phoneHeadings == 1 && phone.counts.droppedTotal == 0)
  }

  /// ZIG SIM's second argument is true or false, which in OSC have no bytes.
  @Test(arguments: ["T", "F"]) func facesUp(_ tag: String) throws {
    let phone = try PhoneReadings()
    phone.sender.send(
      OSCBytes.string("/phone 1/compass") + OSCBytes.string(",f" + tag)
        + OSCBytes.bigEndian(Float(33).bitPattern))
    #expect(phone.next()?.magneticHeading == 33)
  }

  @Test(
    arguments: [
      (.wrongArguments, "/phone/heading", []), (.wrongArguments, "/phone/heading", [.s("north")]),
      (.wrongArguments, "/phone/heading", [.f(1), .f(2), .f(3)]),
      (.wrongArguments, "/gyrosc/comp", [.f(1), .f(2)]), (.notFinite, "/phone/heading", [.f(.nan)]),
      (.notFinite, "/phone/magnetic", [.f(1), .f(.infinity)]),
      (.outOfRange, "/phone/heading", [.f(360.5)]),
      (.outOfRange, "/phone/heading", [.f(1), .f(181)]),
      (.unknownAddress, "/compass", [.f(1)]), (.unknownAddress, "//compass", [.f(1)]),
      (.unknownAddress, "/a/b/compass", [.f(1)]), (.unknownAddress, "/phone/", [.f(1)]),
    ] as [(MotionFault, String, [OSCBytes.Argument])])
  func faults(_ fault: MotionFault, _ address: String, _ arguments: [OSCBytes.Argument]) throws {
    let phone = try PhoneReadings()
    phone.sender.send(OSCBytes.message(address, arguments))
    #expect(phone.waitForDropped(fault))
    #expect(phone.counts.dropped == [fault: 1] && phone.counts.phoneHeadings == 0)
  }

  /// Head and phone on one port, in one bundle too; a phone connects no headphones.
  @Test func headAndPhoneOnOnePort() throws {
    var source = try NetworkMotionSource(.osc, port: 0)
    let sender = DatagramSender(port: source.port)
    sender.send(OSCBytes.message("/phone/heading", [90]))
    let end = ContinuousClock.now + .seconds(5)
    while source.counts.phoneHeadings == 0, ContinuousClock.now < end { usleep(200) }
    #expect(source.next() == nil)
    sender.send(
      OSCBytes.bundle([
        OSCBytes.message("/phone/heading", [91]), OSCBytes.message("/adm/lis/ypr", [10, 0, 0]),
      ]))
    while source.counts.frames == 0, ContinuousClock.now < end { usleep(200) }
    guard case .connected? = source.next(), case .frame? = source.next() else {
      Issue.record("not connected and frame")
      return
    }
    #expect(source.nextPhoneHeading()?.trueHeading == 90)
    #expect(source.nextPhoneHeading()?.trueHeading == 91)
    #expect(source.nextPhoneHeading() == nil)
  }

  /// Who wants the head alone and never takes a phone's reading loses nothing of the head.
  @Test func readingsThatNobodyTakes() {
    let channel = MotionChannel()
    for step in 0..<1000 {
      channel.send(PhoneHeading(time: Timestamp(nanoseconds: Int64(step)), trueHeading: 1))
    }
    #expect(channel.counts.phoneHeadings == 1000 && channel.counts.droppedTotal == 0)
    var taken = 0
    while channel.nextPhoneHeading() != nil { taken += 1 }
    #expect(taken == 256)
  }
}

/// A source whose phone headings are waited for.
private final class PhoneReadings {
  let sender: DatagramSender
  private var source: NetworkMotionSource

  init() throws {
    source = try NetworkMotionSource(.osc, port: 0)
    sender = DatagramSender(port: source.port)
  }

  var counts: MotionSourceCounts { source.counts }

  func next() -> PhoneHeading? {
    let end = ContinuousClock.now + .seconds(5)
    repeat {
      if let heading = source.nextPhoneHeading() { return heading }
      usleep(200)
    } while ContinuousClock.now < end
    return nil
  }

  func waitForDropped(_ fault: MotionFault) -> Bool {
    let end = ContinuousClock.now + .seconds(5)
    while counts.dropped[fault, default: 0] < 1 {
      guard ContinuousClock.now < end else { return false }
      usleep(200)
    }
    return true
  }
}
