import Files
import Glibc

/// A UDP socket that listens to a port of this machine.
package final class DatagramSocket {
  /// SO_RXQ_OVFL of Linux's <asm-generic/socket.h>, which Swift's Glibc lacks.
  private static let countOverflows: Int32 = 40
  /// Bytes that the system should hold for a thread that is late; it may give less.
  private static let systemBuffer: Int32 = 1 << 20

  package let descriptor: Int32
  /// The port that it got.
  package let port: UInt16
  /// Address and port, for messages.
  package let name: String
  /// How many datagrams the system has dropped since the last one before this count was told.
  package private(set) var lostCount: UInt32 = 0
  private let control = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 16)

  /// - Throws: `MotionSourceError` if the address is none of this machine's, or the port is in use or
  ///   forbidden.
  package init(listen address: String, port: UInt16) throws(MotionSourceError) {
    name = "\(address) port \(port)"
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address, "\(port)", &hints, &found) == 0, let info = found?.pointee else {
      control.deallocate()
      throw MotionSourceError("\"\(address)\"", "is no numeric IP address")
    }
    defer { freeaddrinfo(found) }
    descriptor = socket(
      info.ai_family, info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), info.ai_protocol)
    var failure = descriptor < 0 ? errno : 0
    var (buffer, on, bound) = (Self.systemBuffer, Int32(1), sockaddr_storage())
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &buffer, size)
    setsockopt(descriptor, SOL_SOCKET, Self.countOverflows, &on, size)
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let descriptor = descriptor
    let isBound = withUnsafeMutableBytes(of: &bound) { bytes in
      let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      return bind(descriptor, info.ai_addr, info.ai_addrlen) == 0
        && getsockname(descriptor, pointer, &length) == 0
    }
    if failure == 0, !isBound { failure = errno }
    // Of IPv4 and IPv6 addresses alike the port is the second field.
    self.port = withUnsafeBytes(of: &bound) {
      UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self))
    }
    if failure != 0 {
      let cause = String(cString: strerror(failure))
      throw MotionSourceError(name, cause.prefix(1).lowercased() + cause.dropFirst())
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    control.deallocate()
  }

  /// Receives a datagram if one waits; its size, or nil.
  package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    var vector = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
    return withUnsafeMutablePointer(to: &vector) { vector in
      var message = msghdr()
      message.msg_iov = vector
      message.msg_iovlen = 1
      message.msg_control = control.baseAddress
      message.msg_controllen = control.count
      let count = recvmsg(descriptor, &message, Int32(MSG_DONTWAIT))
      guard count >= 0 else { return nil }
      // The one kind of ancillary data asked for: a header of length, level and type, then the count.
      let header = MemoryLayout<cmsghdr>.size
      if message.msg_controllen >= header + 4,
        control.load(fromByteOffset: header - 4, as: Int32.self) == Self.countOverflows
      {
        lostCount = control.load(fromByteOffset: header, as: UInt32.self)
      }
      return count
    }
  }
}
