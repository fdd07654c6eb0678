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
  /// Who sent the datagram that was received last.
  package private(set) var sender = DatagramAddress()
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
    Self.prepare(descriptor)
    var bound: DatagramAddress?
    if bind(descriptor, info.ai_addr, info.ai_addrlen) == 0 {
      bound = DatagramAddress(of: descriptor)
    }
    if failure == 0, bound == nil { failure = errno }
    self.port = bound?.port ?? 0
    if failure != 0 { throw Self.error(name, failure) }
  }

  /// Takes over a socket that whoever started this process has bound.
  ///
  /// - Throws: `MotionSourceError` if it is not one of UDP.
  package init(inherited descriptor: Int32) throws(MotionSourceError) {
    var kind: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &length) == 0,
      let bound = DatagramAddress(of: descriptor)
    else {
      control.deallocate()
      throw Self.error("descriptor \(descriptor)", errno)
    }
    guard kind == Int32(SOCK_DGRAM.rawValue), let port = bound.port else {
      control.deallocate()
      throw MotionSourceError("descriptor \(descriptor)", "is no UDP socket")
    }
    self.descriptor = descriptor
    self.port = port
    name = "inherited port \(port)"
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    Self.prepare(descriptor)
  }

  private static func prepare(_ descriptor: Int32) {
    var (buffer, on) = (systemBuffer, Int32(1))
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &buffer, size)
    setsockopt(descriptor, SOL_SOCKET, countOverflows, &on, size)
  }

  private static func error(_ name: String, _ number: Int32) -> MotionSourceError {
    let cause = String(cString: strerror(number))
    return MotionSourceError(name, cause.prefix(1).lowercased() + cause.dropFirst())
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    control.deallocate()
  }

  /// Receives a datagram if one waits; its size, or nil.
  package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    var vector = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
    var sender = DatagramAddress()
    defer { self.sender = sender }
    return withUnsafeMutablePointer(to: &vector) { vector in
      var message = msghdr()
      message.msg_iov = vector
      message.msg_iovlen = 1
      message.msg_control = control.baseAddress
      message.msg_controllen = control.count
      let count = sender.withBytes { name, length in
        message.msg_name = name.baseAddress
        message.msg_namelen = length
        let count = recvmsg(descriptor, &message, Int32(MSG_DONTWAIT))
        length = message.msg_namelen
        return count
      }
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
