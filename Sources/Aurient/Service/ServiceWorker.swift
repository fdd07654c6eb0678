import Files
import Glibc
import HRTF
import HeadTracking
import Navigation

/// What the thread does that serves: it reads sounds, hands a session what clients want, and answers them.
/// Only that thread touches it.
final class ServiceWorker: @unchecked Sendable {
  private let mailbox: ServiceMailbox
  private let inbox: SessionInbox
  private let outlet: DatagramOutlet
  private let dataSets: ServiceDataSets
  private var sounds: ServiceSounds
  private let voice: String
  private var speaker: (speaker: Speaker, sampleRate: Int)?
  private var schedule: [ServiceMailbox.Packet] = []
  private var scheduledCount = 0
  private var subscriptions = Subscriptions()
  /// The state as it was sent last, for other clients of the same moment.
  private var state: (time: Timestamp, datagrams: [[UInt8]])?
  /// Errors that may be told now, and when that was so.
  private var errorAllowance = (count: mostErrors, time: MonotonicClock.now)

  /// Messages handed to a session at once, and such that may wait there.
  private static let most = 256
  /// Messages that may wait for their time, and for how many seconds.
  static let mostScheduled = 1024
  static let longestDelay = 60.0
  /// Errors told in a second; more are only counted, so that nobody can have others flooded.
  private static let mostErrors = 200.0

  init(
    _ mailbox: ServiceMailbox, inbox: SessionInbox, outlet: DatagramOutlet,
    dataSets: ServiceDataSets, sounds: ServiceSounds, voice: String
  ) {
    self.mailbox = mailbox
    self.inbox = inbox
    self.outlet = outlet
    self.dataSets = dataSets
    self.sounds = sounds
    self.voice = voice
  }

  func run(until stopDescriptor: Int32) {
    var areMore = false
    while wait(stopDescriptor, isBusy: areMore) {
      for answer in mailbox.takeAnswers() { send(answer) }
      guard let moment = mailbox.moment else { continue }
      areMore = true
      if inbox.waitingCount < Self.most {
        let taken = mailbox.takePackets(messages: Self.most)
        areMore = taken.areMore
        for packet in taken.packets { take(packet, moment) }
        carryOutDue(moment)
      }
      sendState(moment)
    }
    dataSets.stop()
  }

  /// Waits for something to do; false once the service is to end.
  private func wait(_ stopDescriptor: Int32, isBusy: Bool) -> Bool {
    let next = [schedule.first?.due, subscriptions.next].compactMap { $0 }.min()
    let seconds = next.map { max(0, $0.seconds(since: MonotonicClock.now)) } ?? .infinity
    // A session that has enough to do has done it soon.
    let milliseconds = isBusy ? 1 : seconds < 1e6 ? Int32(seconds * 1000) : -1
    var waits = [
      pollfd(fd: mailbox.wakeDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: stopDescriptor, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&waits, 2, milliseconds) >= 0 || errno == EINTR else { return false }
    if waits[1].revents != 0 { return false }
    if waits[0].revents != 0 {
      var bytes: [UInt8] = [0]
      while recv(mailbox.wakeDescriptor, &bytes, 1, Int32(MSG_DONTWAIT)) > 0 {}
    } else if !isBusy, seconds < 1 {
      // The rest of a millisecond.
      let rest = max(0, next?.seconds(since: MonotonicClock.now) ?? 0)
      var pause = timespec(tv_sec: 0, tv_nsec: Int(min(rest, 0.001) * 1e9))
      nanosleep(&pause, nil)
    }
    return true
  }

  private func take(_ packet: ServiceMailbox.Packet, _ moment: ServiceMailbox.Moment) {
    let now = MonotonicClock.now
    guard let due = packet.due, due > now else { return carryOut(packet, moment) }
    guard due.seconds(since: now) <= Self.longestDelay else {
      return refuse(packet, "its time is more than \(Int(Self.longestDelay)) s ahead")
    }
    guard scheduledCount + packet.messages.count <= Self.mostScheduled else {
      return refuse(packet, "\(Self.mostScheduled) messages wait for their time already")
    }
    scheduledCount += packet.messages.count
    // After those of the same time.
    let place = schedule.firstIndex { $0.due.map { $0 > due } ?? false } ?? schedule.endIndex
    schedule.insert(packet, at: place)
  }

  private func carryOutDue(_ moment: ServiceMailbox.Moment) {
    let now = MonotonicClock.now
    while let first = schedule.first, let due = first.due, due <= now {
      schedule.removeFirst()
      scheduledCount -= first.messages.count
      carryOut(first, moment)
    }
  }

  private func refuse(_ packet: ServiceMailbox.Packet, _ cause: String) {
    for message in packet.messages { refuse(message, cause, to: packet.sender) }
  }

  private func refuse(_ message: OSCMessage, _ cause: String, to sender: DatagramAddress) {
    guard !ServiceRequest.isAnswer(message.address) else { return }
    send(
      .init(
        message: OSCMessage("/aurient/error", .string(message.address), .string(cause)),
        receiver: sender))
  }

  private func carryOut(_ packet: ServiceMailbox.Packet, _ moment: ServiceMailbox.Moment) {
    var wishes: [SessionInbox.Entry] = []
    for message in packet.messages {
      do {
        if let wish = try wish(message, from: packet.sender, moment) { wishes.append(wish) }
      } catch let error as FileError {
        // Where the file is, is not the client's business.
        let cause = error.place.map { "\($0): \(error.cause)" } ?? error.cause
        refuse(message, cause, to: packet.sender)
      } catch {
        refuse(message, "\(error)", to: packet.sender)
      }
    }
    if !wishes.isEmpty { inbox.send(wishes) }
  }

  /// What a session has to do for a message; nil if nothing.
  private func wish(
    _ message: OSCMessage, from sender: DatagramAddress, _ moment: ServiceMailbox.Moment
  ) throws -> SessionInbox.Entry? {
    let mailbox = mailbox
    func entry(_ input: SessionInput) -> SessionInbox.Entry {
      SessionInbox.Entry(wish: .input(input)) { [address = message.address] cause in
        if let cause { mailbox.refuse(address, cause, to: sender) }
      }
    }
    switch try ServiceRequest(message) {
    case .input(let input): return entry(input)
    case .style(let beacon, let name):
      let style = try sounds.style(name, sampleRate: moment.sampleRate)
      return entry(.command(.style(name: beacon, style.path, style)))
    case .sound(let beacon, let name):
      let sound = try sounds.sound(name, sampleRate: moment.sampleRate)
      return entry(.command(.sound(name: beacon, path: sound.path, sound)))
    case .say(let beacon, let text):
      let speaker = try speaker(sampleRate: moment.sampleRate)
      let isTaken = speaker.say(text, from: beacon) { [address = message.address] cause in
        if let cause { mailbox.refuse(address, cause, to: sender) }
      }
      guard isTaken else { throw ServiceRequest.Refusal("too much waits to be said") }
      return nil
    case .dataSet(let name):
      let file = name.flatMap { $0.hasSuffix(".sofa") ? sounds.find($0) : nil }
      try dataSets.select(name, file: file, sampleRate: moment.sampleRate) {
        [address = message.address] title, cause in
        if let cause {
          mailbox.refuse(address, cause, to: sender)
        } else {
          mailbox.answer(OSCMessage("/aurient/reply/hrtf", .string(title)), to: sender)
        }
      }
      return nil
    case .sync(let number):
      return SessionInbox.Entry(wish: .input(.tick)) { _ in
        mailbox.answer(OSCMessage("/aurient/reply/sync", .int(number)), to: sender)
      }
    case .state: sendState(moment, to: [sender])
    case .subscribe(let rate, let seconds):
      guard subscriptions.add(sender, rate: rate, seconds: seconds, at: MonotonicClock.now) else {
        throw ServiceRequest.Refusal("there are \(Subscriptions.most) subscribers already")
      }
    case .unsubscribe: subscriptions.remove(sender)
    }
    return nil
  }

  /// Who speaks at a rate.
  private func speaker(sampleRate: Int) throws(FileError) -> Speaker {
    if let speaker, speaker.sampleRate == sampleRate { return speaker.speaker }
    let made = try Speaker(voice: voice, sampleRate: sampleRate, inbox: inbox)
    speaker = (made, sampleRate)
    return made
  }

  /// Sends an answer, and of errors no more than may be told.
  private func send(_ answer: ServiceMailbox.Answer) {
    if answer.message.address == "/aurient/error" {
      mailbox.count { $0.refused += 1 }
      let now = MonotonicClock.now
      let refill = now.seconds(since: errorAllowance.time) * Self.mostErrors
      errorAllowance = (min(Self.mostErrors, errorAllowance.count + refill), now)
      guard errorAllowance.count >= 1 else { return }
      errorAllowance.count -= 1
    }
    outlet.send(answer.message.bytes, to: answer.receiver)
  }

  private func sendState(_ moment: ServiceMailbox.Moment) {
    let clients = subscriptions.takeDue(at: MonotonicClock.now)
    mailbox.count { [count = subscriptions.count] in $0.subscribers = count }
    if !clients.isEmpty { sendState(moment, to: clients) }
  }

  private func sendState(_ moment: ServiceMailbox.Moment, to clients: [DatagramAddress]) {
    let time = moment.state.time
    let datagrams =
      if let state, state.time == time { state.datagrams } else {
        StateMessages.datagrams(moment, mailbox.counts)
      }
    state = (time, datagrams)
    for client in clients { for datagram in datagrams { outlet.send(datagram, to: client) } }
  }
}
