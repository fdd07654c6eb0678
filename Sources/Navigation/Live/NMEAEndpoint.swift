import Files
import Glibc

/// Where NMEA 0183 comes from.
public enum NMEAEndpoint: Equatable, Sendable, CustomStringConvertible {
  /// A host that sends to whoever connects.
  case tcp(host: String, port: UInt16)
  /// A port of this machine that datagrams are sent to, and the numeric address to listen on;
  /// `0.0.0.0` or `::` for all networks.
  case udp(address: String = "127.0.0.1", port: UInt16)
  /// A file, played at the pace of its own times, or a pipe, read as it comes.
  case file(String)
  /// A serial device and its bits a second.
  case serial(String, baud: Int = usualBaud)

  /// Bits a second of NMEA 0183.
  public static let usualBaud = 4800
  /// The rates that a serial device can have.
  public static let bauds = [
    4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600,
  ]

  /// Reads `tcp:HOST:PORT`, `udp:PORT`, `udp:ADDRESS:PORT`, `file:PATH` or `serial:PATH[:BAUD]`; an
  /// IPv6 address stands in brackets.
  ///
  /// - Throws: `LocationSourceError` naming the text and what is wrong with it.
  public init(_ text: String) throws(LocationSourceError) {
    let name = quoted(text)
    guard let colon = text.firstIndex(of: ":") else {
      throw LocationSourceError(name, Self.usage)
    }
    let rest = String(text[text.index(after: colon)...])
    switch text[..<colon] {
    case "tcp":
      let (host, port) = try hostAndPort(rest, of: name)
      guard let host, port > 0 else {
        throw LocationSourceError(name, "is not tcp:HOST:PORT")
      }
      self = .tcp(host: host, port: port)
    case "udp":
      let (address, port) = try hostAndPort(rest, of: name)
      self = .udp(address: address ?? "127.0.0.1", port: port)
    case "file":
      guard !rest.isEmpty else { throw LocationSourceError(name, "names no file") }
      self = .file(rest)
    case "serial":
      let (path, baud) = try Self.serial(rest, of: name)
      self = .serial(path, baud: baud)
    default: throw LocationSourceError(name, Self.usage)
    }
  }

  private static let usage =
    "is not tcp:HOST:PORT, udp:PORT, udp:ADDRESS:PORT, file:PATH or serial:PATH[:BAUD]"

  /// Names of devices may have colons: only digits after the last one are a rate.
  private static func serial(
    _ text: String, of name: String
  ) throws(LocationSourceError) -> (path: String, baud: Int) {
    var (path, baud) = (text, usualBaud)
    if let colon = text.lastIndex(of: ":"), let number = Int(text[text.index(after: colon)...]) {
      guard bauds.contains(number) else {
        let known = bauds.map(String.init).joined(separator: ", ")
        throw LocationSourceError(name, "\(number) bits a second is none of \(known)")
      }
      (path, baud) = (String(text[..<colon]), number)
    }
    guard !path.isEmpty else { throw LocationSourceError(name, "names no device") }
    return (path, baud)
  }

  /// The form that `init(_:)` reads.
  public var description: String {
    switch self {
    case .tcp(let host, let port): "tcp:\(bracketed(host)):\(port)"
    case .udp(let address, let port): "udp:\(bracketed(address)):\(port)"
    case .file(let path): "file:\(path)"
    case .serial(let path, let baud): "serial:\(path):\(baud)"
    }
  }
}

/// Where gpsd is.
public struct GPSDAddress: Equatable, Sendable, CustomStringConvertible {
  /// gpsd's port, by IANA.
  public static let usualPort: UInt16 = 2947

  /// The host's name or address.
  public var host: String
  /// The TCP port.
  public var port: UInt16

  /// gpsd on this host and port.
  public init(host: String = "localhost", port: UInt16 = usualPort) {
    self.host = host
    self.port = port
  }

  /// Reads `HOST:PORT`, `HOST` or `:PORT`; an IPv6 address stands in brackets.
  ///
  /// - Throws: `LocationSourceError` naming the text and what is wrong with it.
  public init(_ text: String) throws(LocationSourceError) {
    guard text.contains(":") else {
      guard !text.isEmpty else { throw LocationSourceError(quoted(text), "names no host") }
      self.init(host: text)
      return
    }
    let (host, port) = try hostAndPort(
      text.hasPrefix(":") ? "localhost" + text : text, of: quoted(text))
    guard port > 0 else { throw LocationSourceError(quoted(text), "has no port") }
    self.init(host: host ?? "localhost", port: port)
  }

  /// The form that `init(_:)` reads.
  public var description: String { "\(bracketed(host)):\(port)" }
}

private func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

/// The parts of `HOST:PORT` or `PORT`.
private func hostAndPort(
  _ text: String, of name: String
) throws(LocationSourceError) -> (host: String?, port: UInt16) {
  let colon = text.lastIndex(of: ":")
  let digits = colon.map { text[text.index(after: $0)...] } ?? text[...]
  guard let port = UInt16(digits), digits.allSatisfy(\.isNumber) else {
    throw LocationSourceError(name, "\(quoted(String(digits))) is no port from 0 to 65535")
  }
  guard let colon else { return (nil, port) }
  var host = text[..<colon]
  if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
  guard !host.isEmpty else { throw LocationSourceError(name, "names no host") }
  return (String(host), port)
}
