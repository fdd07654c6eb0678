import Glibc

/// The IP address and port of one end of a UDP connection.
package struct DatagramAddress: Hashable, Sendable {
  /// As the system has it, with zeros after it; the longest is `sockaddr_in6`, of 28 bytes.
  private var bytes = SIMD4<UInt64>()
  private var length: UInt32 = 0

  /// No address.
  package init() {}

  /// The address that a socket is bound to; nil, with `errno`, for what is no socket.
  init?(of descriptor: Int32) {
    let result = withBytes { bytes, length in
      getsockname(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &length)
    }
    guard result == 0 else { return nil }
  }

  /// The port; nil for what is no address of IP.
  package var port: UInt16? {
    guard length >= 4 else { return nil }
    return withUnsafeBytes(of: bytes) { bytes in
      let family = Int32(bytes.load(as: sa_family_t.self))
      guard family == AF_INET || family == AF_INET6 else { return nil }
      // Of both kinds the second field.
      return UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
    }
  }

  /// Has the system write an address, of a length that it tells, at most that of the bytes.
  mutating func withBytes<Result>(
    _ body: (UnsafeMutableRawBufferPointer, inout socklen_t) -> Result
  ) -> Result {
    var length = socklen_t(MemoryLayout.size(ofValue: bytes))
    defer { self.length = min(length, UInt32(MemoryLayout.size(ofValue: bytes))) }
    return withUnsafeMutableBytes(of: &bytes) { body($0, &length) }
  }

  /// Sends a datagram from a socket to this address; whether the system took it. Never waits.
  fileprivate func send(_ datagram: [UInt8], from descriptor: Int32) -> Bool {
    withUnsafeBytes(of: bytes) { bytes in
      let name = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
      return sendto(descriptor, datagram, datagram.count, flags, name, length) == datagram.count
    }
  }
}

/// Sends datagrams from the port of a socket that another thread receives from.
package final class DatagramOutlet: Sendable {
  private let descriptor: Int32

  /// Shares a socket's port; it goes on working when the socket has gone.
  package init(_ socket: DatagramSocket) {
    descriptor = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Sends a datagram; whether the system took it. Never waits.
  @discardableResult
  package func send(_ datagram: [UInt8], to address: DatagramAddress) -> Bool {
    address.send(datagram, from: descriptor)
  }
}
