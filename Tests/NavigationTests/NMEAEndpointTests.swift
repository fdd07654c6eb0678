import Navigation
import Testing

struct NMEAEndpointTests {
  @Test(arguments: [
    ("tcp:localhost:10110", NMEAEndpoint.tcp(host: "localhost", port: 10110)),
    ("tcp:[::1]:1", .tcp(host: "::1", port: 1)), ("udp:10110", .udp(port: 10110)),
    ("udp:0.0.0.0:10110", .udp(address: "0.0.0.0", port: 10110)),
    ("udp:[::]:0", .udp(address: "::", port: 0)), ("file:walk.nmea", .file("walk.nmea")),
    ("file:/dev/fd:3", .file("/dev/fd:3")), ("serial:/dev/ttyUSB0", .serial("/dev/ttyUSB0")),
    ("serial:/dev/ttyUSB0:115200", .serial("/dev/ttyUSB0", baud: 115200)),
    ("serial:/dev/serial/by-path/pci-0:1", .serial("/dev/serial/by-path/pci-0", baud: 1)),
  ])
  func reads(_ text: String, _ expected: NMEAEndpoint) throws {
    if case .serial(_, baud: 1) = expected {
      // Digits after a colon are a rate, and this is none.
      #expect(throws: LocationSourceError.self) { try NMEAEndpoint(text) }
      return
    }
    let endpoint = try NMEAEndpoint(text)
    #expect(endpoint == expected)
    #expect(try NMEAEndpoint(endpoint.description) == expected)
  }

  private static let usage =
    "is not tcp:HOST:PORT, udp:PORT, udp:ADDRESS:PORT, file:PATH or serial:PATH[:BAUD]"

  @Test(arguments: [
    ("", usage), ("walk.nmea", usage), ("http://a:1", usage), ("tcp:10110", "is not tcp:HOST:PORT"),
    ("tcp:host:0", "is not tcp:HOST:PORT"), ("tcp::1", "names no host"),
    ("tcp:host:", "\"\" is no port from 0 to 65535"),
    ("tcp:host:65536", "\"65536\" is no port from 0 to 65535"),
    ("udp:x", "\"x\" is no port from 0 to 65535"), ("udp:+1", "\"+1\" is no port from 0 to 65535"),
    ("file:", "names no file"), ("serial:", "names no device"),
    (
      "serial:/dev/ttyS0:1200",
      "1200 bits a second is none of 4800, 9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600"
    ),
  ])
  func refuses(_ text: String, _ cause: String) {
    let error = #expect(throws: LocationSourceError.self) { try NMEAEndpoint(text) }
    #expect(error?.description == "\"\(text)\": \(cause)")
  }

  @Test(arguments: [
    ("localhost", GPSDAddress()), (":2948", GPSDAddress(port: 2948)),
    ("gps.example:1", GPSDAddress(host: "gps.example", port: 1)),
    ("[::1]:2947", GPSDAddress(host: "::1")),
  ])
  func gpsd(_ text: String, _ expected: GPSDAddress) throws {
    #expect(try GPSDAddress(text) == expected)
  }

  @Test(arguments: ["", "a:b", "a:0", "a:70000"]) func refusedForGpsd(_ text: String) {
    #expect(throws: LocationSourceError.self) { try GPSDAddress(text) }
  }
}
