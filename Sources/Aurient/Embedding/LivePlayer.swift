import Files
import Glibc
import HeadTracking
import SpatialAudio
import Synchronization

/// A live session on a thread of its own.
final class LivePlayer: Sendable {
  /// What the thread and others share.
  private final class Shared: Sendable {
    let state = Mutex(AurientSession.State())
    let fault = Mutex<(any Error)?>(nil)
    let sampleRate: Atomic<Int>
    let isStopping = Atomic(false)
    let hasEnded = Atomic(false)

    init(sampleRate: Int) { self.sampleRate = Atomic(sampleRate) }
  }

  /// A session on its way to the thread that alone uses it from then on.
  private struct Handover: @unchecked Sendable {
    let session: LiveSession
  }

  private let shared: Shared
  private let inbox: SessionInbox
  private let thread: Mutex<StoppableThread?>

  /// Seconds between two states, and how long a stop may take.
  private static let interval = 0.02

  /// Opens a session and lets it play.
  ///
  /// - Throws: What `LiveSession` throws, and `SessionError` if there is no thread left.
  init(
    _ scene: Scene, inputs: LiveInputs, options: AurientSession.Options, catalogue: HRTFCatalogue
  ) throws {
    let session = try OpenALContext.leavingThreadAsItWas {
      try LiveSession(scene, inputs: inputs, settings: options.settings, catalogue: catalogue)
    }
    let shared = Shared(sampleRate: session.sampleRate)
    self.shared = shared
    inbox = inputs.inbox
    let handover = Handover(session: session)
    do {
      thread = Mutex(
        try StoppableThread { _ in
          do {
            try Self.run(handover.session, shared)
          } catch {
            shared.fault.withLock { $0 = error }
          }
          shared.hasEnded.store(true, ordering: .releasing)
        })
    } catch {
      throw SessionError(.unavailable, "there is no thread left")
    }
  }

  private static func run(_ session: LiveSession, _ shared: Shared) throws {
    let start = MonotonicClock.now
    try session.run(every: interval) { live in
      var state = AurientSession.State(live, seconds: live.time.seconds(since: start))
      shared.sampleRate.store(session.sampleRate, ordering: .releasing)
      shared.state.withLock {
        // The greatest since somebody looked.
        state.peak = max(state.peak, $0.peak)
        state.refusedCount = $0.refusedCount
        $0 = state
      }
      return !shared.isStopping.load(ordering: .acquiring)
    }
  }

  deinit { stop() }

  /// Ends it, and waits until it has.
  func stop() {
    shared.isStopping.store(true, ordering: .releasing)
    thread.withLock {
      $0?.stop()
      $0 = nil
    }
  }

  var sampleRate: Int { shared.sampleRate.load(ordering: .acquiring) }
  var hasEnded: Bool { shared.hasEnded.load(ordering: .acquiring) }
  var fault: (any Error)? { shared.fault.withLock { $0 } }

  func state(takingPeak: Bool) -> AurientSession.State {
    var state = shared.state.withLock { shown in
      defer { if takingPeak { shown.peak = 0 } }
      return shown
    }
    state.hasEnded = hasEnded
    return state
  }

  func send(_ input: SessionInput) { inbox.send(input) }

  /// Has a command carried out whose beacons are known to exist.
  func send(_ command: SceneCommand) {
    inbox.send(.command(command)) { [shared] cause in
      if cause != nil { shared.state.withLock { $0.refusedCount += 1 } }
    }
  }

  /// Has a data set taken, and waits until it is.
  ///
  /// - Throws: `SessionError` if it is not.
  func setHRTF(_ request: String?, _ selection: HRTFCatalogue.Selection) throws(SessionError) {
    let box = AnswerBox()
    inbox.send([.init(wish: .dataSet(request, selection)) { box.give($0) }])
    while true {
      switch box.answer {
      case .some(nil): return
      case .some(let cause?): throw SessionError(.unavailable, cause)
      case nil:
        guard !hasEnded else { throw SessionError(.unavailable, "the session has ended") }
        usleep(2000)
      }
    }
  }

  /// What a session answers.
  private final class AnswerBox: Sendable {
    private let value = Mutex<String??>(nil)
    var answer: String?? { value.withLock { $0 } }
    func give(_ cause: String?) { value.withLock { $0 = .some(cause) } }
  }
}
