import Files
import Geometry

/// The last step before the channel for attitudes that arrive live: it tells when headphones connect
/// and when they have fallen silent.
struct MotionOutlet: Sendable {
  let channel: MotionChannel
  /// Whether attitudes are the inverse of what their dialect says.
  let isInverse: Bool
  /// Seconds without a frame after which the headphones have gone.
  let silence: Double
  private var lastFrame: Timestamp?

  init(channel: MotionChannel, isInverse: Bool, silence: Double) {
    self.channel = channel
    self.isInverse = isInverse
    self.silence = silence
  }

  var isConnected: Bool { lastFrame != nil }

  /// Hands on the attitude of a frame that arrives now.
  mutating func deliver(_ attitude: Quaternion, at now: Timestamp) {
    if lastFrame == nil { channel.send(.connected(now)) }
    lastFrame = now
    channel.send(
      .frame(MotionFrame(time: now, attitude: isInverse ? attitude.conjugate : attitude)))
  }

  /// Hands on a reading of a phone's compass.
  func deliver(_ heading: PhoneHeading) { channel.send(heading) }

  /// Counts something as dropped, with the text of an example.
  func drop(_ fault: MotionFault, example: UnsafeRawBufferPointer? = nil) {
    channel.drop(fault, example: example)
  }

  /// Whether the headphones have fallen silent now, which is told once.
  mutating func fallsSilent(at now: Timestamp) -> Bool {
    guard let last = lastFrame, now.seconds(since: last) > silence else { return false }
    lastFrame = nil
    channel.send(
      .disconnected(Timestamp(nanoseconds: last.nanoseconds + Int64(silence * 1e9))))
    return true
  }

  /// Seconds from now until the silence has lasted long enough; nil while nothing is connected.
  func secondsToSilence(from now: Timestamp) -> Double? {
    lastFrame.map { max(0, silence - now.seconds(since: $0)) }
  }
}

/// Reads the datagrams of one protocol.
protocol MotionDatagramDecoder: Sendable {
  /// Delivers the attitudes that a datagram holds, and drops whatever is wrong with it.
  mutating func decode(
    _ datagram: UnsafeMutableRawBufferPointer, at now: Timestamp, to outlet: inout MotionOutlet)
  /// Forgets what came before: the next datagram starts another connection.
  mutating func forget()
}

/// What happens to the datagrams of a motion source, wherever they come from.
struct MotionReceiver: Sendable {
  private var decoder: any MotionDatagramDecoder
  private(set) var outlet: MotionOutlet
  private var lost: UInt32 = 0

  init(_ decoder: any MotionDatagramDecoder, to outlet: MotionOutlet) {
    self.decoder = decoder
    self.outlet = outlet
  }

  /// Takes a datagram; its bytes may be changed.
  mutating func receive(_ datagram: UnsafeMutableRawBufferPointer, at now: Timestamp) {
    checkSilence(at: now)
    decoder.decode(datagram, at: now, to: &outlet)
  }

  /// Takes the number of datagrams that the system has had no room for in all.
  mutating func countLost(_ total: UInt32) {
    guard total != lost else { return }
    outlet.channel.drop(.lost, count: Int(total &- lost))
    lost = total
  }

  /// Ends the connection if it has been silent for too long.
  mutating func checkSilence(at now: Timestamp) {
    if outlet.fallsSilent(at: now) { decoder.forget() }
  }
}
