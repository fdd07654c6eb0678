import Files
import HeadTracking
import Synchronization

/// Hands location events from the thread that receives them to the one that uses them.
final class LocationChannel: Sendable {
  /// Events that may wait, some minutes of a usual receiver's.
  static let capacity = 256
  /// Room that readings may not take, so that connections are told even to a slow consumer.
  private static let reserve = 8

  private let ring = EventRing<LocationEvent>(capacity: capacity)
  private let state = Mutex((counts: LocationCounts(), trouble: String?.none))

  /// Puts an event at the end; a reading that finds no room is counted as overrun.
  func send(_ event: LocationEvent) {
    switch event {
    case .connected, .disconnected, .ended: _ = ring.push(event)
    case .fix, .noFix, .heading:
      if ring.room <= Self.reserve || !ring.push(event) { drop(.overrun) }
    }
  }

  /// Takes the first event, or nil, without locks or allocation.
  func next() -> LocationEvent? { ring.pop() }

  func drop(_ fault: LocationFault, count: Int = 1) {
    state.withLock { $0.counts.dropped[fault, default: 0] += count }
  }

  func count(understood: Bool) {
    state.withLock { state in
      if understood { state.counts.understood += 1 } else { state.counts.others += 1 }
    }
  }

  /// Takes over the counts of a log.
  func take(_ counts: LocationCounts) { state.withLock { $0.counts = counts } }

  func setTrouble(_ trouble: String?) { state.withLock { $0.trouble = trouble } }

  var counts: LocationCounts { state.withLock { $0.counts } }
  var trouble: String? { state.withLock { $0.trouble } }
}

/// The last step before the channel: it tells when a receiver connects and when it has fallen silent.
struct LocationOutlet: Sendable {
  let channel: LocationChannel
  /// Seconds without a reading after which the receiver has gone.
  let silence: Double
  private var last: Timestamp?

  init(channel: LocationChannel, silence: Double) {
    self.channel = channel
    self.silence = silence
  }

  /// Hands on an event that a reading makes.
  mutating func deliver(_ event: LocationEvent, at now: Timestamp) {
    if last == nil { channel.send(.connected(now)) }
    last = now
    channel.send(event)
  }

  /// Tells once that the receiver has gone.
  mutating func disconnect(at time: Timestamp) {
    guard last != nil else { return }
    last = nil
    channel.send(.disconnected(time))
  }

  /// Disconnects after too long a silence.
  mutating func checkSilence(at now: Timestamp) {
    if let last, now.seconds(since: last) > silence { disconnect(at: last + silence) }
  }

  /// Seconds from now until the silence has lasted long enough; nil while nothing is connected.
  func secondsToSilence(from now: Timestamp) -> Double? {
    last.map { max(0, silence - now.seconds(since: $0)) }
  }
}

/// Reads the bytes of one protocol.
protocol LocationDecoder: Sendable {
  /// What is sent when a connection opens.
  var greeting: StaticString { get }
  /// Takes bytes that have come.
  mutating func take(
    _ bytes: UnsafeRawBufferPointer, at now: Timestamp, to outlet: inout LocationOutlet)
  /// Seconds of quiet after which `pause` is to be called, or nil.
  var pauseLength: Double? { get }
  /// Takes that nothing more has come for that long.
  mutating func pause(at now: Timestamp, to outlet: inout LocationOutlet)
  /// Takes that a datagram or a stream has ended, and with it a line that lacks its end.
  mutating func endDatagram(at now: Timestamp, to outlet: inout LocationOutlet)
  /// Forgets what came before: the next bytes are of another connection.
  mutating func forget()
}
