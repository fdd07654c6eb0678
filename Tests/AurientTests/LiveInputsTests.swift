import Aurient
import COSC
import Glibc
import Testing

/// The live inputs and the model of beacons together, as a player uses them: a receiver's NMEA 0183 and
/// a phone's OSC over real sockets, and what the listener is told of a beacon.
@Suite struct LiveInputsTests {
  @Test func fromSocketsToCallouts() throws {
    var location = try LocationSource(nmea: .udp(port: 0))
    var osc = try NetworkMotionSource(.osc, port: 0)
    let port = location.port
    let receiver = try UDPSender(port: #require(port))
    let phone = lo_address_new("127.0.0.1", "\(osc.port)")
    defer { lo_address_free(phone) }

    // 100 m south of the beacon, walking north at 2 knots, the phone held out to the east. Checksums
    // as `python3 -c` with `functools.reduce(operator.xor, body)`.
    let place = GeodeticCoordinate(latitude: 51.5, longitude: -0.125)
    let beacon = Beacon(
      name: "Fountain", coordinate: place.destination(bearing: 0, distance: 100))
    receiver.send("$GPRMC,120001.00,A,5130.0,N,00007.5,W,2.0,350.0,210926,,,A*41\r\n")
    lo_send_message(phone, "/phone/heading", Self.message(80))

    var readings = UserReadings()
    var seen = (fix: false, phone: false)
    let end = ContinuousClock.now + .seconds(5)
    while seen != (true, true), ContinuousClock.now < end {
      while let event = location.next() {
        if case .fix(let fix, let time) = event {
          readings.take(fix, at: time)
          seen.fix = true
        }
      }
      while let heading = osc.nextPhoneHeading() {
        readings.take(heading)
        seen.phone = true
      }
      usleep(500)
    }
    try #require(seen == (true, true))

    var tracker = RegionTracker(try BeaconStyle(named: "wood").division)
    func geometry(after seconds: Double) -> (UserGeometry, BeaconGeometry) {
      let user = readings.geometry(at: MonotonicClock.now + seconds)
      return (
        user,
        beacon.geometry(from: user.location ?? place, heading: user.presentationHeading?.degrees)
      )
    }
    // The course counts while it is fresh: ahead, 10 degrees to the right.
    var (user, way) = geometry(after: 0)
    #expect(user.presentationHeading == PresentationHeading(degrees: 350, source: .course))
    #expect(tracker.update(way) && tracker.region == .on)
    #expect(Callout(name: beacon.name, way).description == "Fountain, 100 metres, ahead")
    // A new reading of the phone alone comes before the course is too old.
    var fresh = PhoneHeading(time: MonotonicClock.now + 3.5, trueHeading: 80)
    readings.take(fresh)
    (user, way) = geometry(after: 3.6)
    #expect(user.presentationHeading == PresentationHeading(degrees: 80, source: .phone))
    #expect(tracker.update(way) && tracker.region == .beside)
    #expect(
      Callout(name: beacon.name, way, wording: .clock).description
        == "Fountain, 100 metres, at 9 o'clock")
    // All gone: the last region stays, and there is no heading to turn by.
    (user, way) = geometry(after: 60)
    #expect(user.presentationHeading == nil && way.relative == nil)
    #expect(!tracker.update(way) && tracker.region == .beside)
    #expect(readings.isLocationStale(at: MonotonicClock.now + 60))
    fresh.headingAccuracy = -1
    readings.take(fresh)
    #expect(readings.ages(at: MonotonicClock.now).phone == nil)
  }

  private static func message(_ heading: Float) -> lo_message? {
    let message = lo_message_new()
    lo_message_add_float(message, heading)
    return message
  }
}

/// Sends text as datagrams to a port of this machine.
private final class UDPSender {
  private let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)

  init(port: UInt16) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafeBytes(of: &address) { bytes in
      let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      return connect(descriptor, pointer, socklen_t(bytes.count)) == 0
    }
    try #require(isConnected)
  }

  deinit { close(descriptor) }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(Glibc.send(descriptor, bytes, bytes.count, 0) == bytes.count)
  }
}
