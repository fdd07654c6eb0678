import Files
import Glibc

/// Head motion that other programs send as UDP datagrams.
///
/// A thread of the source's own receives and decodes them from the moment it is made until it is gone.
public struct NetworkMotionSource: MotionSource, ~Copyable {
  /// What is sent.
  public enum Format: Sendable {
    /// OSC 1.0 in any of the dialects that `docs/motion-sources.md` lists.
    case osc
    /// opentrack's "UDP over network".
    case opentrack
  }

  /// Seconds without a frame after which headphones count as disconnected, unless told otherwise.
  public static let usualSilence = 2.0

  /// The UDP port that it listens to.
  public let port: UInt16
  private let channel: MotionChannel
  private let thread: StoppableThread

  /// Listens to a port.
  ///
  /// - Parameters:
  ///   - format: what is sent.
  ///   - address: the numeric IPv4 or IPv6 address to listen on; `0.0.0.0` or `::` for all networks.
  ///   - port: the UDP port; 0 for any that is free.
  ///   - inverse: whether senders mean the inverse of what their dialect says: the head's rotation
  ///     where it has the scene's, or the other way round.
  ///   - silence: seconds, more than 0, without a frame after which the headphones count as
  ///     disconnected.
  /// - Throws: `MotionSourceError` if the port is in use or can't be listened to.
  public init(
    _ format: Format, port: UInt16, listen address: String = "127.0.0.1", inverse: Bool = false,
    silence: Double = usualSilence
  ) throws(MotionSourceError) {
    let decoder: any MotionDatagramDecoder =
      switch format {
      case .osc: OSCDecoder()
      case .opentrack: OpentrackDecoder()
      }
    try self.init(
      decoder, on: try DatagramSocket(listen: address, port: port), inverse: inverse,
      silence: silence)
  }

  /// Listens to OSC on a socket that serves something else as well.
  ///
  /// - Parameters:
  ///   - silence: As of the other initialiser.
  ///   - service: Called with each datagram that has come, on the thread that receives; returns whether there
  ///     may be motion in it.
  package init(
    osc socket: DatagramSocket, silence: Double = usualSilence, beside service: @escaping Service
  ) throws(MotionSourceError) {
    try self.init(
      OSCDecoder(isAlone: false), on: socket, inverse: false, silence: silence, beside: service)
  }

  /// Takes a datagram's bytes and its sender.
  package typealias Service =
    @Sendable (UnsafeMutableRawBufferPointer, DatagramAddress) -> Bool

  /// Whether an OSC address is one of a head's or a phone's motion.
  package static func isMotion(_ address: UnsafeRawBufferPointer) -> Bool {
    OSCAddress.named(address) != nil || OSCPhoneAddress.named(address) != nil
  }

  private init(
    _ decoder: any MotionDatagramDecoder, on socket: DatagramSocket, inverse: Bool,
    silence: Double, beside service: Service? = nil
  ) throws(MotionSourceError) {
    precondition(silence > 0, "a silence of no length")
    let channel = MotionChannel()
    let outlet = MotionOutlet(channel: channel, isInverse: inverse, silence: silence)
    let listener = Listener(socket, MotionReceiver(decoder, to: outlet), beside: service)
    do throws(StoppableThread.Failure) {
      thread = try StoppableThread { listener.run(until: $0) }
    } catch {
      throw MotionSourceError(socket.name, String(cString: strerror(error.number)))
    }
    self.port = socket.port
    self.channel = channel
  }

  deinit { thread.stop() }

  /// The next event, or nil where none has come yet; a port never ends.
  public mutating func next() -> MotionEvent? { channel.next() }

  /// The newest frame of all, whatever has been taken by `next`; nil before the first.
  public mutating func newestFrame() -> MotionFrame? { channel.newestFrame() }

  /// The next reading of a phone's compass that came to the same port, or nil where none has come
  /// yet; its time is that of its arrival. Up to 256 wait to be taken.
  ///
  /// Only OSC has them, see `docs/live-inputs.md`. A phone has no part in whether headphones are
  /// connected.
  public mutating func nextPhoneHeading() -> PhoneHeading? { channel.nextPhoneHeading() }

  /// What has come so far and what of it was no use.
  public var counts: MotionSourceCounts { channel.counts }

  /// The OSC address of the first thing that was dropped for a cause, where it had one.
  public func example(of fault: MotionFault) -> String? { channel.example(fault) }
}

/// Why a live source of head motion can't be used, as the one line that a user sees.
public struct MotionSourceError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Where and why, as in `127.0.0.1 port 9000: address already in use`.
  public let description: String

  /// A fault of a source, named by its place.
  public init(_ place: String, _ cause: String) { description = "\(place): \(cause)".onOneLine }
}

/// What the thread does that receives. Only the thread touches what it receives with.
private final class Listener: @unchecked Sendable {
  /// More than a UDP datagram can hold.
  private static let largestDatagram = 1 << 16
  /// Datagrams received at once before silence and stop are looked at.
  private static let batch = 256

  private let socket: DatagramSocket
  private var receiver: MotionReceiver
  private let service: NetworkMotionSource.Service?
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: largestDatagram, alignment: 16)

  init(
    _ socket: DatagramSocket, _ receiver: MotionReceiver,
    beside service: NetworkMotionSource.Service?
  ) {
    self.socket = socket
    self.service = service
    self.receiver = receiver
  }

  deinit { buffer.deallocate() }

  func run(until stopDescriptor: Int32) {
    withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 2) { waits in
      waits.initializeElement(
        at: 0, to: pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0))
      waits.initializeElement(
        at: 1, to: pollfd(fd: stopDescriptor, events: Int16(POLLIN), revents: 0))
      while true {
        let left = receiver.outlet.secondsToSilence(from: MonotonicClock.now)
        let milliseconds = left.map { Int32(min($0 * 1000, 1e6)) + 1 } ?? -1
        guard poll(waits.baseAddress, 2, milliseconds) >= 0 || errno == EINTR else { return }
        if waits[1].revents != 0 { return }
        for _ in 0..<Self.batch {
          guard let size = socket.receive(into: buffer) else { break }
          let datagram = UnsafeMutableRawBufferPointer(rebasing: buffer[..<size])
          guard service?(datagram, socket.sender) ?? true else { continue }
          receiver.receive(datagram, at: MonotonicClock.now)
        }
        receiver.countLost(socket.lostCount)
        receiver.checkSilence(at: MonotonicClock.now)
      }
    }
  }
}
