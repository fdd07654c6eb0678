import Files
import Glibc
import HeadTracking
import Synchronization

/// Makes words on a thread of its own and has a session say them. Any thread may call.
final class Speaker: Sendable {
  private struct Wish: Sendable {
    var text: String
    var beacon: String
    var done: SessionInbox.Done
  }

  /// What is to be said, between those who wish it and the thread that makes it.
  private final class Queue: Sendable {
    private let wishes = Mutex<[Wish]>([])
    /// Can be read from once something waits.
    let descriptor: Int32
    private let end: Int32

    init() throws(FileError) {
      var ends: [Int32] = [-1, -1]
      let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
      guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else {
        throw .system(.unreadable, file: "a socket", errno: errno)
      }
      (descriptor, end) = (ends[0], ends[1])
    }

    deinit {
      close(descriptor)
      close(end)
    }

    func add(_ wish: Wish) -> Bool {
      let isAdded = wishes.withLock { wishes in
        guard wishes.count < Speaker.mostWaiting else { return false }
        wishes.append(wish)
        return true
      }
      if isAdded { _ = write(end, "x", 1) }
      return isAdded
    }

    func next() -> Wish? {
      var bytes: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
      _ = read(descriptor, &bytes, bytes.count)
      return wishes.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
  }

  /// Texts that may wait to be made.
  private static let mostWaiting = 16

  private let queue: Queue
  private let thread: StoppableThread

  /// A speaker for the session that takes from an inbox.
  ///
  /// - Parameter voice: see `SpeechSynthesizer`.
  /// - Throws: `FileError` if there is no such voice.
  init(voice: String, sampleRate: Int, inbox: SessionInbox) throws(FileError) {
    let synthesizer = try SpeechSynthesizer(voice: voice, sampleRate: sampleRate)
    let queue = try Queue()
    self.queue = queue
    do {
      thread = try StoppableThread { stopDescriptor in
        while Self.waits(for: queue.descriptor, until: stopDescriptor) {
          while let wish = queue.next() {
            do {
              let samples = try synthesizer.samples(of: wish.text)
              let command = SceneCommand.say(name: wish.beacon, text: wish.text, samples)
              inbox.send(.command(command), done: wish.done)
            } catch {
              wish.done("\(error)")
            }
          }
        }
      }
    } catch {
      throw .system(.unreadable, file: "a thread", errno: error.number)
    }
  }

  deinit { thread.stop() }

  private static func waits(for descriptor: Int32, until stopDescriptor: Int32) -> Bool {
    var waits = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: stopDescriptor, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&waits, 2, -1) < 0 { guard errno == EINTR else { return false } }
    return waits[1].revents == 0
  }

  /// Has words said from a beacon's place, after what is said already.
  ///
  /// - Parameter done: Called once they are with the session, with the cause if they cannot be said.
  /// - Returns: Whether there was room for them.
  func say(_ text: String, from beacon: String, done: @escaping SessionInbox.Done = { _ in })
    -> Bool
  {
    queue.add(Wish(text: text, beacon: beacon, done: done))
  }
}
