import Files
import Glibc
import HeadTracking
import Navigation
import Testing

/// The events of a live location source, each waited for.
final class LiveLocation {
  private var source: LocationSource

  init(_ source: consuming LocationSource) { self.source = source }

  var counts: LocationCounts { source.counts }
  var trouble: String? { source.trouble }
  var port: UInt16? { source.port }

  /// The next event; nil if none comes for so many seconds.
  func event(within seconds: Double = 5) -> LocationEvent? {
    let end = ContinuousClock.now + .seconds(seconds)
    repeat {
      if let event = source.next() { return event }
      usleep(500)
    } while ContinuousClock.now < end
    return nil
  }

  /// The next fix, past other events.
  func fix(within seconds: Double = 5) -> (fix: LocationFix, time: Timestamp)? {
    while let event = event(within: seconds), event != .ended {
      if case .fix(let fix, let time) = event { return (fix, time) }
    }
    return nil
  }

  /// Waits until something holds.
  func wait(until condition: (LiveLocation) -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(8)
    while !condition(self) {
      guard ContinuousClock.now < end else { return false }
      usleep(500)
    }
    return true
  }
}

/// A TCP server of this machine that sends bytes to the one who connects.
final class TestServer {
  let port: UInt16
  private let listener: Int32
  private var client: Int32 = -1

  /// Listens on a port, 0 for any that is free.
  init(port wanted: UInt16 = 0) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var on: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, 4)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = wanted.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isBound = withUnsafeMutableBytes(of: &address) { bytes in
      let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      return bind(listener, pointer, size) == 0 && getsockname(listener, pointer, &size) == 0
    }
    port = UInt16(bigEndian: address.sin_port)
    try #require(isBound && listen(listener, 1) == 0)
  }

  deinit {
    hangUp()
    close(listener)
  }

  /// Takes the next connection, waited for at most `seconds`.
  func accept(within seconds: Double = 8) throws {
    var wait = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    try #require(poll(&wait, 1, Int32(seconds * 1000)) == 1)
    client = Glibc.accept(listener, nil, nil)
    try #require(client >= 0)
  }

  func send(_ text: String) { write(client, text) }

  /// What the client has sent.
  func received() -> String {
    var bytes = [UInt8](repeating: 0, count: 1000)
    let count = read(client, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  func hangUp() {
    if client >= 0 { close(client) }
    client = -1
  }
}

/// Writes all of a text to a descriptor.
func write(_ descriptor: Int32, _ text: String) {
  let bytes = Array(text.utf8)
  #expect(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
}

/// A port that is free now.
func freePort() throws -> UInt16 { try TestServer().port }

/// A process of another program in a group of its own, which is ended with it.
final class TestProcess {
  private let process: pid_t

  init(_ words: [String]) throws {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in 0...2 {
      posix_spawn_file_actions_addopen(&actions, Int32(descriptor), "/dev/null", O_RDWR, 0)
    }
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    let failure = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
    try #require(failure == 0)
    self.process = process
  }

  deinit {
    kill(-process, SIGTERM)
    var status: Int32 = 0
    for _ in 0..<100 where waitpid(process, &status, WNOHANG) == 0 { usleep(10_000) }
    // Whatever it has started and left behind.
    kill(-process, SIGKILL)
    waitpid(process, &status, 0)
  }
}
