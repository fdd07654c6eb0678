import Glibc
import Testing

/// OSC packets put together byte by byte as the OSC 1.0 specification says
/// (opensoundcontrol.stanford.edu/spec-1_0.html), without any OSC library.
enum OSCBytes {
  /// An OSC-string: its bytes, a zero, and zeros up to a multiple of 4.
  static func string(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
  }

  static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  enum Argument {
    case i(Int32), f(Float), h(Int64), d(Double), s(String)

    var tag: String {
      switch self {
      case .i: "i"
      case .f: "f"
      case .h: "h"
      case .d: "d"
      case .s: "s"
      }
    }

    var bytes: [UInt8] {
      switch self {
      case .i(let value): bigEndian(value)
      case .f(let value): bigEndian(value.bitPattern)
      case .h(let value): bigEndian(value)
      case .d(let value): bigEndian(value.bitPattern)
      case .s(let value): string(value)
      }
    }
  }

  static func message(_ address: String, _ arguments: [Argument]) -> [UInt8] {
    string(address) + string("," + arguments.map(\.tag).joined()) + arguments.flatMap(\.bytes)
  }

  static func message(_ address: String, _ numbers: [Double]) -> [UInt8] {
    message(address, numbers.map { .f(Float($0)) })
  }

  /// Time tag 1 is "immediately".
  static func bundle(_ elements: [[UInt8]], tag: UInt64 = 1) -> [UInt8] {
    string("#bundle") + bigEndian(tag)
      + elements.flatMap { bigEndian(Int32($0.count)) + $0 }
  }
}

/// The 48 bytes that opentrack sends: x, y, z in cm, yaw, pitch, roll in degrees.
func opentrackBytes(_ numbers: [Double]) -> [UInt8] {
  numbers.flatMap { number in withUnsafeBytes(of: number) { Array($0) } }
}

/// Sends datagrams to a port of this machine.
final class DatagramSender {
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

  @discardableResult func send(_ bytes: [UInt8]) -> Bool {
    Glibc.send(descriptor, bytes, bytes.count, 0) == bytes.count
  }
}
