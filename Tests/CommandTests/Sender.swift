import Glibc
import Testing

/// A UDP socket that sends to a port which was free a moment ago.
final class Sender {
  private let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
  private var address = sockaddr_in()
  let port: UInt16

  init() throws {
    let probe = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(probe) }
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failed = withUnsafeMutableBytes(of: &address) { bytes in
      let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      return bind(probe, pointer, size) != 0 || getsockname(probe, pointer, &size) != 0
    }
    try #require(!failed)
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }

  /// Binds the port itself.
  func occupy() -> Bool {
    withUnsafeMutableBytes(of: &address) { bytes in
      let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      return bind(descriptor, pointer, socklen_t(bytes.count)) == 0
    }
  }

  func send(_ bytes: [UInt8]) {
    withUnsafeBytes(of: &address) { address in
      let pointer = address.assumingMemoryBound(to: sockaddr.self).baseAddress
      _ = sendto(descriptor, bytes, bytes.count, 0, pointer, socklen_t(address.count))
    }
  }

  /// A message of floats as OSC 1.0 has it: address and type tags padded to 4 bytes, big-endian.
  func send(_ address: String, _ numbers: [Float]) {
    func string(_ text: String) -> [UInt8] {
      let bytes = Array(text.utf8)
      return bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
    }
    let tags = "," + String(repeating: "f", count: numbers.count)
    let values = numbers.flatMap { number in
      withUnsafeBytes(of: number.bitPattern.bigEndian) { Array($0) }
    }
    send(string(address) + string(tags) + values)
  }

  /// opentrack's 48 bytes.
  func sendOpentrack(_ yaw: Double, _ pitch: Double, _ roll: Double) {
    send(
      [0, 0, 0, yaw, pitch, roll].flatMap { (number: Double) in
        withUnsafeBytes(of: number) { Array($0) }
      })
  }
}
