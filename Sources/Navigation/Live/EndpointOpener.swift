import Files
import Glibc
import HeadTracking

/// Opens an endpoint, as often as need be. What can be known to be wrong at once is found when it is
/// made.
final class EndpointOpener {
  let endpoint: NMEAEndpoint
  /// The socket of a UDP endpoint.
  let socket: DatagramSocket?
  /// The addresses of a TCP endpoint's host.
  private var addresses: [(address: sockaddr_storage, length: socklen_t, family: Int32)] = []
  private var lost: UInt32 = 0

  /// - Throws: `LocationSourceError` for an unknown host, a port in use, a file that can't be read and
  ///   a device that is no serial one.
  init(_ endpoint: NMEAEndpoint) throws(LocationSourceError) {
    self.endpoint = endpoint
    switch endpoint {
    case .tcp(let host, let port):
      socket = nil
      try resolve(host, port)
    case .udp(let address, let port):
      do throws(MotionSourceError) {
        socket = try DatagramSocket(listen: address, port: port)
      } catch {
        throw LocationSourceError("udp", error.description)
      }
    case .file(let path):
      socket = nil
      // Opening a pipe's only end would hang, and reading it here would take from it.
      guard access(path, R_OK) == 0 else { throw LocationSourceError(path, systemCause(errno)) }
    case .serial(let path, _):
      socket = nil
      let opened = open(0)
      guard let descriptor = opened.descriptor else {
        let cause = opened.failure == ENOTTY ? "is no serial device" : systemCause(opened.failure)
        throw LocationSourceError(path, cause)
      }
      close(descriptor)
    }
  }

  private func resolve(_ host: String, _ port: UInt16) throws(LocationSourceError) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let failure = getaddrinfo(host, "\(port)", &hints, &found)
    guard failure == 0 else {
      throw LocationSourceError(
        "\(endpoint)", "no such host: \(String(cString: gai_strerror(failure)))")
    }
    defer { freeaddrinfo(found) }
    var next = found
    while let info = next?.pointee {
      var address = sockaddr_storage()
      memcpy(&address, info.ai_addr, Int(info.ai_addrlen))
      addresses.append((address, info.ai_addrlen, info.ai_family))
      next = info.ai_next
    }
  }

  /// Whether it is opened again after it has ended.
  var isReopened: Bool { if case .file = endpoint { false } else { true } }

  /// How many ways there are to open it.
  var attempts: Int { if case .tcp = endpoint { addresses.count } else { 1 } }

  /// Opens it in one of the ways: a descriptor that doesn't block, and EINPROGRESS for a connection that
  /// is still being made; or the cause why there is none.
  func open(_ attempt: Int) -> (descriptor: Int32?, failure: Int32) {
    switch endpoint {
    case .udp: (socket?.descriptor, 0)
    case .tcp: connect(attempt)
    case .file(let path): Self.open(path)
    case .serial(let path, let baud): Self.openSerial(path, baud: baud)
    }
  }

  private static func open(_ path: String) -> (descriptor: Int32?, failure: Int32) {
    let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    return descriptor >= 0 ? (descriptor, 0) : (nil, errno)
  }

  private func connect(_ attempt: Int) -> (descriptor: Int32?, failure: Int32) {
    var (address, length, family) = addresses[attempt]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let descriptor = Glibc.socket(family, Int32(kind), 0)
    guard descriptor >= 0 else { return (nil, errno) }
    // A peer that has gone without a word is noticed within half a minute.
    for (level, option, value) in [
      (SOL_SOCKET, SO_KEEPALIVE, 1), (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 5),
      (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 5), (Int32(IPPROTO_TCP), TCP_KEEPCNT, 4),
    ] as [(Int32, Int32, Int32)] {
      var value = value
      setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
    let status = withUnsafeBytes(of: &address) { bytes in
      Glibc.connect(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, length)
    }
    if status == 0 { return (descriptor, 0) }
    let failure = errno
    if failure == EINPROGRESS { return (descriptor, failure) }
    close(descriptor)
    return (nil, failure)
  }

  /// Opens a serial device as NMEA 0183 has it: 8 data bits, no parity, one stop bit.
  private static func openSerial(_ path: String, baud: Int) -> (descriptor: Int32?, failure: Int32)
  {
    let opened = open(path)
    guard let descriptor = opened.descriptor else { return opened }
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else {
      let failure = errno
      close(descriptor)
      return (nil, failure)
    }
    cfmakeraw(&settings)
    settings.c_cflag &= ~tcflag_t(CSTOPB)
    settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
    cfsetspeed(&settings, speed(baud))
    guard tcsetattr(descriptor, TCSANOW, &settings) == 0 else {
      let failure = errno
      close(descriptor)
      return (nil, failure)
    }
    return (descriptor, 0)
  }

  private static func speed(_ baud: Int) -> speed_t {
    switch baud {
    case 9600: speed_t(B9600)
    case 19_200: speed_t(B19200)
    case 38_400: speed_t(B38400)
    case 57_600: speed_t(B57600)
    case 115_200: speed_t(B115200)
    case 230_400: speed_t(B230400)
    case 460_800: speed_t(B460800)
    case 921_600: speed_t(B921600)
    default: speed_t(B4800)
    }
  }

  /// Datagrams that the system has had no room for since the last call, or nil.
  func newlyLost() -> Int? {
    guard let socket, socket.lostCount != lost else { return nil }
    defer { lost = socket.lostCount }
    return Int(socket.lostCount &- lost)
  }

  /// Why a connection that was being made has failed; 0 if it has not.
  static func connectionFailure(_ descriptor: Int32) -> Int32 {
    var failure: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size) == 0 ? failure : errno
  }

  /// The path of a file that is no pipe or device; else nil.
  var regularFile: String? {
    var status = stat()
    guard case .file(let path) = endpoint, stat(path, &status) == 0 else { return nil }
    return status.st_mode & S_IFMT == S_IFREG ? path : nil
  }
}

/// What the C library says of an error, as messages have it.
func systemCause(_ number: Int32) -> String {
  let text = String(cString: strerror(number))
  return text.prefix(1).lowercased() + text.dropFirst()
}
