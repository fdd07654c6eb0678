public import Files
public import HeadTracking

/// What a live source of location tells. Times of events are those of arrival, by `MonotonicClock`, and
/// never go back.
public enum LocationEvent: Equatable, Sendable {
  /// Readings come, from the one that follows. That a connection is open is no such event.
  case connected(Timestamp)
  /// A place, and when it came. The fix's own time is the receiver's, UTC; it may be nil.
  case fix(LocationFix, Timestamp)
  /// The receiver says that it does not know its place.
  case noFix(Timestamp)
  /// A compass or gyrocompass of the receiver's, as if it were the phone's.
  case heading(PhoneHeading)
  /// The connection is lost, or nothing has come for the source's time of silence.
  case disconnected(Timestamp)
  /// Nothing will come any more: the end of a file.
  case ended

  /// When it came; nil for the end.
  public var time: Timestamp? {
    switch self {
    case .connected(let time), .disconnected(let time), .noFix(let time), .fix(_, let time): time
    case .heading(let heading): heading.time
    case .ended: nil
    }
  }
}

/// Why a live source of location can't be used, as the one line that a user sees.
public struct LocationSourceError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Where and why, as in `tcp:gps.example:10110: no such host`.
  public let description: String

  /// A fault of a source, named by its place.
  public init(_ place: String, _ cause: String) { description = "\(place): \(cause)".onOneLine }

  init(_ error: FileError) { description = error.description }
}

/// Places, courses and headings that come from a receiver while they are measured: NMEA 0183 from a
/// network, a serial device or a file, or gpsd.
///
/// A thread of the source's own receives from the moment it is made until it is gone. Connections over
/// TCP and serial devices that are lost are opened again, after 0.25 s at first, then after twice as
/// long each time, up to 8 s.
public struct LocationSource: ~Copyable {
  /// Seconds without a reading after which a receiver counts as disconnected, unless told otherwise.
  public static let usualSilence = 5.0

  /// The UDP port that it listens to; nil for other endpoints.
  public let port: UInt16?
  private let channel: LocationChannel
  private let thread: StoppableThread

  /// Receives NMEA 0183.
  ///
  /// - Throws: `LocationSourceError` for a host that is not known, a port in use, and a file or device
  ///   that can't be opened. A host that does not answer is no error, see `trouble`.
  public init(
    nmea endpoint: NMEAEndpoint, silence: Double = usualSilence
  ) throws(LocationSourceError) {
    try self.init(endpoint, NMEADecoder(), silence: silence)
  }

  /// Watches gpsd.
  ///
  /// - Throws: `LocationSourceError` if libgps is not installed or the host is not known.
  public init(gpsd address: GPSDAddress, silence: Double = usualSilence) throws(LocationSourceError)
  {
    try self.init(
      .tcp(host: address.host, port: address.port), try GPSDDecoder(), silence: silence)
  }

  private init(
    _ endpoint: NMEAEndpoint, _ decoder: any LocationDecoder, silence: Double
  ) throws(LocationSourceError) {
    precondition(silence > 0, "a silence of no length")
    let channel = LocationChannel()
    let reader = try EndpointReader(
      endpoint, decoder, LocationOutlet(channel: channel, silence: silence))
    do throws(StoppableThread.Failure) {
      thread = try StoppableThread { reader.run(until: $0) }
    } catch {
      throw LocationSourceError("\(endpoint)", systemCause(error.number))
    }
    self.channel = channel
    port = reader.port
  }

  deinit { thread.stop() }

  /// The next event, or nil where none has come yet. Up to 256 wait to be taken.
  public mutating func next() -> LocationEvent? { channel.next() }

  /// What has come so far and what of it was no use.
  public var counts: LocationCounts { channel.counts }

  /// Why there is no connection now, such as `connection refused`; nil while there is one.
  public var trouble: String? { channel.trouble }
}
