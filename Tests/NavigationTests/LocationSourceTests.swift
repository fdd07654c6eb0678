import Files
import Geometry
import Glibc
import HeadTracking
import Navigation
import TestSupport
import Testing

/// Live sources, over real sockets, devices and pipes.
@Suite struct LocationSourceTests {
  static func rmc(_ second: Int, course: String = "10.5") -> String {
    let time = "1200" + (second < 10 ? "0" : "") + "\(second).00"
    return nmea("GPRMC,\(time),A,5130.0,N,00007.5,W,2.0,\(course),210926,,,A") + "\r\n"
  }

  static func gga(_ second: Int) -> String {
    let time = "1200" + (second < 10 ? "0" : "") + "\(second).00"
    return nmea("GPGGA,\(time),5130.0,N,00007.5,W,1,08,0.9,20.5,M,46.9,M,,") + "\r\n"
  }

  /// An epoch is told soon after its last sentence, not only with the next one.
  @Test func tcpFixIsWholeAndSoon() throws {
    let server = try TestServer()
    let live = LiveLocation(try LocationSource(nmea: .tcp(host: "localhost", port: server.port)))
    try server.accept()
    let before = MonotonicClock.now
    server.send(Self.rmc(1) + Self.gga(1) + nmea("HEHDT,271.5,T") + "\r\n")
    guard case .connected(let connected)? = live.event(),
      case .heading(let heading)? = live.event(), case .fix(let fix, let time)? = live.event()
    else {
      Issue.record("not connected, heading, fix")
      return
    }
    #expect(before < connected && connected == heading.time && heading.trueHeading == 271.5)
    #expect(
      fix
        == LocationFix(
          time: Timestamp(text: "2026-09-21T12:00:01Z"),
          coordinate: GeodeticCoordinate(latitude: 51.5, longitude: -0.125), altitude: 20.5,
          speed: 2.0 * (1852.0 / 3600), course: 10.5))
    // 50 ms of quiet tell the end of an epoch; a loaded machine may be late.
    #expect(time.seconds(since: connected) < 1)
    #expect(live.counts.understood == 3 && live.trouble == nil)
    server.send(nmea("GPRMC,120002.00,V,,,,,,,210926,,,N") + "\r\n")
    guard case .noFix? = live.event() else {
      Issue.record("no word of a lost fix")
      return
    }
  }

  /// A connection that is lost, or refused, is made again, each time after a longer wait.
  @Test func tcpComesBack() throws {
    let server = try TestServer()
    let port = server.port
    let live = LiveLocation(try LocationSource(nmea: .tcp(host: "127.0.0.1", port: port)))
    for second in 1...2 {
      try server.accept()
      server.send(Self.rmc(second))
      #expect(live.fix()?.fix.time == Timestamp(text: "2026-09-21T12:00:0\(second)Z"))
      server.hangUp()
      guard case .disconnected? = live.event() else {
        Issue.record("no word of the lost connection")
        return
      }
      #expect(live.wait { $0.trouble == "the connection was closed" || $0.trouble == nil })
    }
  }

  @Test func tcpWaitsForAServer() throws {
    let port = try freePort()
    let live = LiveLocation(try LocationSource(nmea: .tcp(host: "127.0.0.1", port: port)))
    #expect(live.wait { $0.trouble == "connection refused" })
    let server = try TestServer(port: port)
    try server.accept()
    server.send(Self.rmc(5))
    #expect(live.fix() != nil)
    #expect(live.trouble == nil)
  }

  @Test func udp() throws {
    let live = LiveLocation(try LocationSource(nmea: .udp(port: 0)))
    let sender = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(sender) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = try #require(live.port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafeBytes(of: &address) { bytes in
      let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      return connect(sender, pointer, socklen_t(bytes.count)) == 0
    }
    try #require(isConnected)
    // A datagram each, the second without its line's end.
    write(sender, Self.rmc(1))
    write(sender, String(Self.gga(1).dropLast()))
    let first = try #require(live.fix()).fix
    #expect(first.course == 10.5)
    // Had the pause come between the two, the fix is told again with its altitude.
    #expect(try first.altitude == 20.5 || #require(live.fix()).fix.altitude == 20.5)
    write(sender, "noise")
    #expect(live.wait { $0.counts.dropped == [.noise: 1] })
  }

  @Test func serialDevice() throws {
    var terminal: PseudoTerminal? = PseudoTerminal()
    let (path, controller) = try (#require(terminal?.path), #require(terminal?.controller))
    let live = LiveLocation(try LocationSource(nmea: .serial(path, baud: 38_400)))
    // Byte by byte, and not as a terminal would have it: no echo, no line editing.
    for byte in Self.rmc(7) { write(controller, String(byte)) }
    #expect(live.fix()?.fix.time == Timestamp(text: "2026-09-21T12:00:07Z"))
    var settings = termios()
    tcgetattr(controller, &settings)
    #expect(cfgetispeed(&settings) == speed_t(B38400))
    #expect(settings.c_lflag & tcflag_t(ECHO | ICANON) == 0)
    terminal = nil
    guard case .disconnected? = live.event() else {
      Issue.record("no word of the lost device")
      return
    }
    #expect(live.wait { $0.trouble != nil })
  }

  @Test func pipe() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    let live = LiveLocation(try LocationSource(nmea: .file(path)))
    #expect(live.event(within: 0.2) == nil)
    let writer = open(path, O_WRONLY)
    write(writer, Self.rmc(1) + Self.rmc(2))
    #expect(live.fix() != nil && live.fix() != nil)
    write(writer, String(Self.rmc(3).dropLast()))
    close(writer)
    #expect(live.fix()?.fix.time == Timestamp(text: "2026-09-21T12:00:03Z"))
    guard case .disconnected? = live.event(), live.event() == .ended else {
      Issue.record("not disconnected and ended")
      return
    }
  }

  /// A file is played at the pace of its own times.
  @Test func file() throws {
    let folder = TemporaryFolder()
    let half = nmea("GPRMC,120001.50,A,5130.0,N,00007.5,W,2.0,10,210926,,,A") + "\n"
    let live = LiveLocation(
      try LocationSource(nmea: .file(folder.file("a.nmea", Self.rmc(1) + half))))
    let first = try #require(live.fix())
    let second = try #require(live.fix())
    #expect(abs(second.time.seconds(since: first.time) - 0.5) < 0.3)
    #expect(second.time.seconds(since: first.time) > 0.49)
    #expect(live.counts.understood == 2)
    guard case .disconnected? = live.event(), live.event() == .ended else {
      Issue.record("not disconnected and ended")
      return
    }
  }

  @Test func silenceDisconnects() throws {
    let server = try TestServer()
    let live = LiveLocation(
      try LocationSource(nmea: .tcp(host: "127.0.0.1", port: server.port), silence: 0.3))
    try server.accept()
    for second in 1...2 {
      server.send(Self.rmc(second))
      guard case .connected? = live.event(), case .fix(_, let time)? = live.event(),
        case .disconnected(let end)? = live.event()
      else {
        Issue.record("not connected, fix, disconnected")
        return
      }
      #expect(abs(end.seconds(since: time) - 0.3) < 1e-6)
    }
  }

  @Test func whatCannotBeUsedIsToldAtOnce() throws {
    let folder = TemporaryFolder()
    func message(_ endpoint: NMEAEndpoint) -> String? {
      #expect(throws: LocationSourceError.self) { _ = try LocationSource(nmea: endpoint) }?
        .description
    }
    #expect(
      message(.tcp(host: "no.such.host.invalid", port: 1))?
        .hasPrefix("tcp:no.such.host.invalid:1: no such host: ") == true)
    #expect(message(.file("/no/such")) == "/no/such: no such file or directory")
    #expect(message(.serial("/no/such")) == "/no/such: no such file or directory")
    let empty = folder.file("empty", "")
    #expect(message(.serial(empty)) == "\(empty): is no serial device")
    #expect(
      message(.file(empty))
        == "\(empty): no place in it: 0 NMEA sentences understood, 0 others, 0 dropped")
    #expect(
      message(.udp(address: "localhost", port: 0)) == "udp: \"localhost\": is no numeric IP address"
    )
    // A taken port.
    let live = LiveLocation(try LocationSource(nmea: .udp(port: 0)))
    let port = try #require(live.port)
    #expect(
      message(.udp(port: port)) == "udp: 127.0.0.1 port \(port): address already in use")
  }

  /// A consumer that sleeps loses readings, which is counted, but no word of a connection.
  @Test func aSlowConsumer() throws {
    let server = try TestServer()
    let live = LiveLocation(try LocationSource(nmea: .tcp(host: "127.0.0.1", port: server.port)))
    try server.accept()
    for second in 0..<600 { server.send(Self.rmc(second % 60)) }
    server.hangUp()
    #expect(live.wait { $0.counts.understood == 600 && $0.trouble != nil })
    var (events, fixes) = ([LocationEvent](), 0)
    while let event = live.event(within: 0) {
      events.append(event)
      if case .fix = event { fixes += 1 }
    }
    guard case .connected? = events.first, case .disconnected? = events.last else {
      Issue.record("not connected first and disconnected last")
      return
    }
    #expect(fixes + live.counts.dropped[.overrun, default: 0] == 600)
  }
}

/// gpsd as it is, fed by gpsfake with the example's walk.
@Suite(
  .serialized,
  .enabled(if: access("/usr/bin/gpsfake", X_OK) == 0 && access("/usr/sbin/gpsd", X_OK) == 0))
struct GPSDTests {
  private static func gpsd(port: UInt16) throws -> TestProcess {
    try TestProcess([
      "gpsfake", "-q", "-c", "0.005", "-P", "\(port)", projectFolder + "/Examples/walk/walk.nmea",
    ])
  }

  @Test func theWalkComesThroughGpsd() throws {
    let walk = try Track(path: projectFolder + "/Examples/walk/walk.gpx")
    let port = try freePort()
    let live = LiveLocation(try LocationSource(gpsd: GPSDAddress(port: port)))
    #expect(live.wait { $0.trouble == "connection refused" })
    let process = try Self.gpsd(port: port)
    var compared = 0
    for _ in 0..<30 {
      guard let fix = live.fix(within: 15)?.fix else { break }
      guard let time = fix.time, let index = walk.times.firstIndex(of: time) else { continue }
      let expected = walk.fixes[index]
      #expect(fix.coordinate.geodesic(to: expected.coordinate).distance < 0.02)
      if let course = fix.course, let other = expected.course {
        #expect(abs(signedDegrees(course - other)) < 0.0051)
        #expect(abs((fix.speed ?? -1) - (expected.speed ?? -2)) < 0.001)
        compared += 1
      }
      #expect(fix.horizontalAccuracy.map { $0 > 0 } != false)
    }
    #expect(compared > 15)
    #expect(live.counts.droppedTotal == 0 && live.counts.others > 0)
    _ = consume process
    // Gone, and back again.
    #expect(live.wait { $0.trouble != nil })
    let again = try Self.gpsd(port: port)
    while let event = live.event(within: 15) {
      if case .disconnected = event { break }
    }
    #expect(live.fix(within: 20) != nil)
    _ = consume again
  }

  /// What gpsd says of a fix, in the words of its protocol (gpsd_json(5)), from a server of the test's.
  @Test func reports() throws {
    let server = try TestServer()
    let live = LiveLocation(
      try LocationSource(gpsd: GPSDAddress(host: "127.0.0.1", port: server.port)))
    try server.accept()
    #expect(server.received() == "?WATCH={\"enable\":true,\"json\":true};\n")
    server.send(
      """
      {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\r
      {"class":"TPV","device":"/dev/x","mode":1}\r
      {"class":"TPV","device":"/dev/x","mode":3,"time":"2026-09-21T14:13:53.250Z","lat":51.5,\
      "lon":-0.125,"altHAE":67.0,"altMSL":20.0,"track":283.46,"epd":4.5,"speed":1.495,"eph":17.1}\r
      {"class":"TPV","device":"/dev/x","mode":2,"time":"2026-09-21T14:13:54.000Z","lat":51.5,\
      "lon":-0.125}\r
      {"class":"TPV","mode":3,"lat":
      {"class":"TPV","mode":3,"lat":north}
      {"class":"TPV","device":"/dev/x","mode":0}
      no JSON
      \(String(repeating: "x", count: 40_000))
      {"class":"TPV","device":"/dev/x","mode":2,"lat":-33.5,"lon":151.0,"speed":0.0,"track":0.0}

      """)
    guard case .connected? = live.event(), case .noFix? = live.event() else {
      Issue.record("not connected without a fix")
      return
    }
    let place = GeodeticCoordinate(latitude: 51.5, longitude: -0.125)
    #expect(
      live.fix()?.fix
        == LocationFix(
          time: Timestamp(text: "2026-09-21T14:13:53.25Z"), coordinate: place, altitude: 20,
          speed: 1.495, course: 283.46, courseAccuracy: 4.5, horizontalAccuracy: 17.1))
    #expect(
      live.fix()?.fix
        == LocationFix(time: Timestamp(text: "2026-09-21T14:13:54Z"), coordinate: place))
    #expect(
      live.fix()?.fix
        == LocationFix(
          coordinate: GeodeticCoordinate(latitude: -33.5, longitude: 151), speed: 0, course: 0))
    #expect(live.counts.understood == 4 && live.counts.others == 2)
    #expect(live.counts.dropped == [.malformed: 3, .tooLong: 1])
  }
}
