import Glibc
import Testing

/// Packets put together and taken apart byte by byte as OSC 1.0 says (opensoundcontrol.stanford.edu/spec-1_0.html),
/// without any OSC library.
enum OSC {
  enum Argument: Equatable {
    case i(Int32), f(Float), d(Double), s(String), bool(Bool), none
  }

  struct Message: Equatable {
    var address: String
    var arguments: [Argument]

    init(_ address: String, _ arguments: Argument...) {
      self.address = address
      self.arguments = arguments
    }

    var bytes: [UInt8] {
      var tags = ","
      var values: [UInt8] = []
      for argument in arguments {
        switch argument {
        case .i(let value): (tags, values) = (tags + "i", values + bigEndian(value))
        case .f(let value): (tags, values) = (tags + "f", values + bigEndian(value.bitPattern))
        case .d(let value): (tags, values) = (tags + "d", values + bigEndian(value.bitPattern))
        case .s(let value): (tags, values) = (tags + "s", values + string(value))
        case .bool(let value): tags += value ? "T" : "F"
        case .none: tags += "N"
        }
      }
      return string(address) + string(tags) + values
    }
  }

  /// An OSC-string: its bytes, a zero, and zeros up to a multiple of 4.
  static func string(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
  }

  static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// A bundle; the time tag 1 means at once.
  static func bundle(_ messages: [Message], tag: UInt64 = 1) -> [UInt8] {
    string("#bundle") + bigEndian(tag)
      + messages.flatMap { bigEndian(Int32($0.bytes.count)) + $0.bytes }
  }

  /// The time tag so many seconds from now: since 1900, in 1/2³² s.
  static func tag(in seconds: Double) -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let time = Double(now.tv_sec + 2_208_988_800) + Double(now.tv_nsec) * 1e-9 + seconds
    return UInt64(time * 0x1p32)
  }

  /// The messages of a packet.
  static func messages(_ packet: ArraySlice<UInt8>) -> [Message] {
    var rest = packet
    func number<Number: FixedWidthInteger>(_: Number.Type) -> Number {
      let size = MemoryLayout<Number>.size
      defer { rest = rest.dropFirst(size) }
      return rest.prefix(size).reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }
    func text() -> String {
      let bytes = rest.prefix { $0 != 0 }
      rest = rest.dropFirst(bytes.count / 4 * 4 + 4)
      return String(decoding: bytes, as: UTF8.self)
    }
    let address = text()
    if address == "#bundle" {
      _ = number(UInt64.self)
      var messages: [Message] = []
      while !rest.isEmpty {
        let size = Int(number(UInt32.self))
        messages += self.messages(rest.prefix(size))
        rest = rest.dropFirst(size)
      }
      return messages
    }
    var message = Message(address)
    for tag in text().dropFirst() {
      switch tag {
      case "i": message.arguments.append(.i(number(Int32.self)))
      case "f": message.arguments.append(.f(Float(bitPattern: number(UInt32.self))))
      case "d": message.arguments.append(.d(Double(bitPattern: number(UInt64.self))))
      case "s": message.arguments.append(.s(text()))
      case "T", "F": message.arguments.append(.bool(tag == "T"))
      default: message.arguments.append(.none)
      }
    }
    return [message]
  }
}

/// A program that sends OSC to a port of this machine and gets answers.
final class OSCClient {
  private let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)

  init(port: UInt16) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    withUnsafeBytes(of: &address) { bytes in
      let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      #expect(connect(descriptor, pointer, socklen_t(bytes.count)) == 0)
    }
  }

  deinit { close(descriptor) }

  /// A port that nobody listens to.
  static func freePort() throws -> UInt16 {
    let probe = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(probe) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failed = withUnsafeMutableBytes(of: &address) { bytes in
      let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      return bind(probe, pointer, size) != 0 || getsockname(probe, pointer, &size) != 0
    }
    try #require(!failed)
    return UInt16(bigEndian: address.sin_port)
  }

  func send(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, 0) }

  func send(_ address: String, _ arguments: OSC.Argument...) {
    var message = OSC.Message(address)
    message.arguments = arguments
    send(message.bytes)
  }

  /// The messages of the next datagram; none if it does not come within so many seconds.
  func receive(within seconds: Double = 2) -> [OSC.Message] {
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&wait, 1, Int32(seconds * 1000)) == 1 else { return [] }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    return count > 0 ? OSC.messages(buffer[..<count]) : []
  }

  private var number: Int32 = 0

  /// Waits until all has been done that was sent before; what came besides the answer, or nil without one.
  func sync(within seconds: Double = 5) -> [OSC.Message]? {
    number += 1
    send("/aurient/sync", .i(number))
    var others: [OSC.Message] = []
    while true {
      let messages = receive(within: seconds)
      if messages.isEmpty { return nil }
      if messages == [OSC.Message("/aurient/reply/sync", .i(number))] { return others }
      others += messages
    }
  }

  /// The messages of the state that begin with these parts.
  func state(_ name: String) -> [[OSC.Argument]] {
    // Newer than what has been done before.
    usleep(60_000)
    send("/aurient/state")
    let messages = sync() ?? []
    return messages.filter { $0.address == "/aurient/state/" + name }.map(\.arguments)
  }
}
