import Files
import Glibc
import HeadTracking
import Synchronization

/// What the thread that receives and a session's thread leave for the one that serves.
final class ServiceMailbox: Sendable {
  /// Messages of one sender that are carried out together.
  struct Packet: Sendable {
    var messages: [OSCMessage]
    var sender: DatagramAddress
    /// When; nil for at once.
    var due: Timestamp?
  }

  /// A message to a client.
  struct Answer: Sendable {
    var message: OSCMessage
    var receiver: DatagramAddress
  }

  /// How a session stands.
  struct Moment: Sendable {
    var state: LiveSession.State
    var sampleRate: Int
    var dataSetTitle: String
  }

  private struct Content: Sendable {
    var packets: [Packet] = []
    var messageCount = 0
    var answers: [Answer] = []
    var moment: Moment?
    var counts = SceneService.Counts()
  }

  private let content = Mutex(Content())
  private let inbox: SessionInbox
  /// Can be read from when there is something new.
  let wakeDescriptor: Int32
  private let wakeEnd: Int32

  /// Messages that may wait; a client that sends more has lost them.
  private static let capacity = 4096
  /// Messages of a datagram.
  private static let mostMessages = 512
  /// Wishes that may wait at a session before places are dropped.
  private static let mostWaiting = 512

  /// - Throws: `MotionSourceError` if the system has no sockets left.
  init(inbox: SessionInbox) throws(MotionSourceError) {
    self.inbox = inbox
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else {
      throw MotionSourceError("a pair of sockets", String(cString: strerror(errno)))
    }
    (wakeDescriptor, wakeEnd) = (ends[0], ends[1])
  }

  deinit {
    close(wakeDescriptor)
    close(wakeEnd)
  }

  /// Takes a datagram; on the thread that receives.
  ///
  /// - Returns: Whether there may be motion in it.
  func receive(_ datagram: UnsafeMutableRawBufferPointer, from sender: DatagramAddress) -> Bool {
    guard let parts = OSCPacket.parts(of: datagram), parts.count <= Self.mostMessages else {
      count { $0.malformed += 1 }
      return false
    }
    var hasMotion = false
    var packets: [Packet] = []
    var tag: UInt64?
    for part in parts {
      if NetworkMotionSource.isMotion(part.address) {
        hasMotion = true
        continue
      }
      guard let message = message(part, from: sender) else { continue }
      let due = Self.due(part.tag)
      if due == nil, message.address.hasPrefix(ServiceRequest.location),
        case .input(let input)? = try? ServiceRequest(message)
      {
        // Sounds that are being read do not hold it up.
        sendPlace(input)
        continue
      }
      if tag == part.tag, let last = packets.indices.last {
        packets[last].messages.append(message)
      } else {
        packets.append(Packet(messages: [message], sender: sender, due: due))
      }
      tag = part.tag
    }
    if !packets.isEmpty { put(packets) }
    return hasMotion
  }

  private func message(_ part: OSCPacket.Part, from sender: DatagramAddress) -> OSCMessage? {
    guard part.address.count <= OSCMessage.longestAddress,
      part.address.allSatisfy({ 33...126 ~= $0 })
    else {
      count { $0.malformed += 1 }
      return nil
    }
    let address = String(decoding: part.address, as: UTF8.self)
    do throws(OSCMessage.Fault) {
      return try OSCMessage(part.bytes, address: address)
    } catch {
      if error == .malformed {
        count { $0.malformed += 1 }
      } else if !ServiceRequest.isAnswer(address) {
        refuse(address, "an argument is of a type, number or length that is not used", to: sender)
      }
    }
    return nil
  }

  /// When a time tag falls; nil for at once, and for the past.
  private static func due(_ tag: UInt64) -> Timestamp? {
    guard tag != OSCPacket.immediately else { return nil }
    // The system's clock may be set while the monotonic one goes on.
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    /// Seconds from 1900 to 1970 (RFC 5905).
    let epoch = 2_208_988_800
    let seconds =
      Double(Int(tag >> 32) - epoch - now.tv_sec)
      + Double(tag & 0xFFFF_FFFF) * 0x1p-32 - Double(now.tv_nsec) * 1e-9
    return seconds > 0 ? MonotonicClock.now + seconds : nil
  }

  private func sendPlace(_ input: SessionInput) {
    guard inbox.waitingCount < Self.mostWaiting else { return count { $0.overrun += 1 } }
    inbox.send(input)
    count { $0.messages += 1 }
  }

  private func put(_ packets: [Packet]) {
    content.withLock { content in
      for packet in packets {
        let count = packet.messages.count
        guard content.messageCount + count <= Self.capacity else {
          content.counts.overrun += count
          continue
        }
        content.messageCount += count
        content.counts.messages += count
        content.packets.append(packet)
      }
    }
    wake()
  }

  /// Has an error told to a client; on any thread.
  func refuse(_ address: String, _ cause: String, to receiver: DatagramAddress) {
    answer(OSCMessage("/aurient/error", .string(address), .string(cause)), to: receiver)
  }

  /// Has a message sent to a client; on any thread.
  func answer(_ message: OSCMessage, to receiver: DatagramAddress) {
    content.withLock { content in
      guard content.answers.count < Self.capacity else { return }
      content.answers.append(Answer(message: message, receiver: receiver))
    }
    wake()
  }

  /// Takes how a session stands; on the session's thread.
  func publish(_ moment: Moment) {
    let isFirst = content.withLock { content in
      defer { content.moment = moment }
      return content.moment == nil
    }
    if isFirst { wake() }
  }

  private func wake() { _ = send(wakeEnd, "x", 1, Int32(MSG_DONTWAIT)) }

  /// Changes the counts.
  func count(_ change: (inout SceneService.Counts) -> Void) {
    content.withLock { change(&$0.counts) }
  }

  var counts: SceneService.Counts { content.withLock { $0.counts } }

  /// How the session stood last; nil before it has begun.
  var moment: Moment? { content.withLock { $0.moment } }

  /// Takes the answers that wait.
  func takeAnswers() -> [Answer] {
    content.withLock { content in
      defer { content.answers.removeAll() }
      return content.answers
    }
  }

  /// Takes the packets that came first, until their messages are so many.
  ///
  /// - Returns: The packets, and whether there are more.
  func takePackets(messages: Int) -> (packets: [Packet], areMore: Bool) {
    content.withLock { content in
      var (count, end) = (0, 0)
      while end < content.packets.count, count < messages {
        count += content.packets[end].messages.count
        end += 1
      }
      let packets = Array(content.packets[..<end])
      content.packets.removeFirst(end)
      content.messageCount -= count
      return (packets, !content.packets.isEmpty)
    }
  }
}
