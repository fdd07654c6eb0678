import Files
import Glibc
import HeadTracking

/// What the thread does that receives the bytes of an endpoint and hands them to a decoder. Only the
/// thread touches what it receives with.
final class EndpointReader: @unchecked Sendable {
  /// Seconds to wait before the first new attempt to connect, and at most.
  private static let backoff = 0.25...8.0
  /// Seconds that a connection may take to be made.
  private static let patience = 10.0
  /// More than a datagram can hold.
  private static let bufferSize = 1 << 16

  /// The UDP port that it listens to, or nil.
  var port: UInt16? { opener.socket?.port }

  private let opener: EndpointOpener
  /// What is played, for a file that is no pipe.
  private let log: NMEALog?
  private var decoder: any LocationDecoder
  private var outlet: LocationOutlet
  private let buffer: UnsafeMutableRawBufferPointer
  /// Can be read from once the thread is to stop.
  private var stopDescriptor: Int32 = -1

  /// - Throws: `LocationSourceError` as `EndpointOpener` does, and for a log that can't be read.
  init(
    _ endpoint: NMEAEndpoint, _ decoder: any LocationDecoder, _ outlet: LocationOutlet
  ) throws(LocationSourceError) {
    opener = try EndpointOpener(endpoint)
    do throws(FileError) {
      log = try opener.regularFile.map { path throws(FileError) in try NMEALog(path: path) }
    } catch {
      throw LocationSourceError(error)
    }
    buffer = .allocate(byteCount: Self.bufferSize, alignment: 16)
    self.decoder = decoder
    self.outlet = outlet
  }

  deinit { buffer.deallocate() }

  /// Why a wait or a connection is over.
  private enum End { case ready, timeout, stopped, lost(String), endOfFile }

  func run(until stopDescriptor: Int32) {
    self.stopDescriptor = stopDescriptor
    if let log { return replay(log) }
    var delay = Self.backoff.lowerBound
    while true {
      let before = outlet.channel.counts.understood
      let end = connection()
      outlet.disconnect(at: MonotonicClock.now)
      decoder.forget()
      switch end {
      case .stopped: return
      case .endOfFile where !opener.isReopened: return outlet.channel.send(.ended)
      case .lost(let cause): outlet.channel.setTrouble(cause)
      default: outlet.channel.setTrouble("the connection was closed")
      }
      // Whoever has sent something of use may be back at once.
      if outlet.channel.counts.understood > before { delay = Self.backoff.lowerBound }
      if case .stopped = wait(for: -1, events: 0, seconds: delay) { return }
      delay = min(2 * delay, Self.backoff.upperBound)
    }
  }

  /// Opens the endpoint and reads until it ends.
  private func connection() -> End {
    var cause = "no address"
    for attempt in 0..<opener.attempts {
      let opened = opener.open(attempt)
      guard let descriptor = opened.descriptor else {
        cause = systemCause(opened.failure)
        continue
      }
      // A UDP socket stays open.
      defer { if opener.socket == nil { close(descriptor) } }
      if opened.failure == EINPROGRESS {
        let end = wait(for: descriptor, events: POLLOUT, seconds: Self.patience)
        if case .stopped = end { return .stopped }
        let failure = EndpointOpener.connectionFailure(descriptor)
        if case .timeout = end {
          cause = systemCause(ETIMEDOUT)
        } else {
          cause = systemCause(failure)
        }
        guard case .ready = end, failure == 0 else { continue }
      }
      let greeting = decoder.greeting
      if greeting.utf8CodeUnitCount > 0,
        send(
          descriptor, greeting.utf8Start, greeting.utf8CodeUnitCount, Int32(MSG_NOSIGNAL))
          != greeting.utf8CodeUnitCount
      {
        cause = systemCause(errno)
        continue
      }
      outlet.channel.setTrouble(nil)
      return read(descriptor)
    }
    return .lost(cause)
  }

  private func read(_ descriptor: Int32) -> End {
    var quiet = decoder.pauseLength
    while true {
      let silence = outlet.secondsToSilence(from: MonotonicClock.now)
      let seconds = [quiet, silence].compactMap { $0 }.min()
      let end = wait(for: descriptor, events: POLLIN, seconds: seconds)
      let now = MonotonicClock.now
      switch end {
      case .ready:
        if let end = take(descriptor, at: now) { return end }
      case .timeout:
        if quiet != nil { decoder.pause(at: now, to: &outlet) }
      default: return end
      }
      outlet.checkSilence(at: MonotonicClock.now)
      quiet = decoder.pauseLength
    }
  }

  /// Reads what has come; why that was the last, or nil.
  private func take(_ descriptor: Int32, at now: Timestamp) -> End? {
    if let socket = opener.socket {
      while let size = socket.receive(into: buffer) {
        decoder.take(UnsafeRawBufferPointer(rebasing: buffer[..<size]), at: now, to: &outlet)
        // Some senders leave the last line's end out.
        decoder.endDatagram(at: now, to: &outlet)
      }
      if let lost = opener.newlyLost() { outlet.channel.drop(.lost, count: lost) }
      return nil
    }
    let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    if count > 0 {
      decoder.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: now, to: &outlet)
      return nil
    }
    if count < 0, errno == EAGAIN || errno == EINTR { return nil }
    let failure = errno
    decoder.endDatagram(at: now, to: &outlet)
    decoder.pause(at: now, to: &outlet)
    return count == 0 ? .endOfFile : .lost(systemCause(failure))
  }

  /// Waits for a descriptor, −1 for none, or for the stop.
  private func wait(for descriptor: Int32, events: Int32, seconds: Double?) -> End {
    withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 2) { waits in
      waits.initializeElement(
        at: 0, to: pollfd(fd: stopDescriptor, events: Int16(POLLIN), revents: 0))
      waits.initializeElement(at: 1, to: pollfd(fd: descriptor, events: Int16(events), revents: 0))
      let milliseconds = seconds.map { Int32(min($0 * 1000, 1e6).rounded(.up)) } ?? -1
      let count = poll(waits.baseAddress, 2, milliseconds)
      guard count >= 0 || errno == EINTR else { return .lost(systemCause(errno)) }
      if waits[0].revents != 0 { return .stopped }
      return count > 0 ? .ready : .timeout
    }
  }

  // MARK: Files

  /// Plays a log: each fix when it is due by its own time, the first at once.
  private func replay(_ log: NMEALog) {
    outlet.channel.take(log.counts)
    var headings = log.headings[...]
    guard let first = log.fixes.first?.time else { return }
    let start = MonotonicClock.now
    func play(until time: Timestamp) -> Bool {
      let left = time.seconds(since: first) - MonotonicClock.now.seconds(since: start)
      if left > 0, case .stopped = wait(for: -1, events: 0, seconds: left) { return false }
      return true
    }
    for fix in log.fixes {
      guard let time = fix.time else { continue }
      while var heading = headings.first, heading.time <= time {
        guard play(until: heading.time) else { return }
        headings.removeFirst()
        heading.time = MonotonicClock.now
        outlet.deliver(.heading(heading), at: heading.time)
      }
      guard play(until: time) else { return }
      let now = MonotonicClock.now
      outlet.checkSilence(at: now)
      outlet.deliver(.fix(fix, now), at: now)
    }
    outlet.disconnect(at: MonotonicClock.now)
    outlet.channel.send(.ended)
  }
}
