import Navigation
import Synchronization

/// Has the beacons of a live session said when they are due.
final class LiveCallouts {
  private var schedule: CalloutSchedule
  private let speaker: Speaker
  private let state: State

  /// What the speaker's thread tells.
  private final class State: Sendable {
    /// Whether words are being made.
    let isBusy = Atomic(false)
    let trouble = Mutex<String?>(nil)
  }

  /// What was said last.
  private(set) var text: String?
  /// Why the last words could not be said; nil if they could.
  var trouble: String? { state.trouble.withLock { $0 } }

  init(_ callouts: Callouts, speaker: Speaker) {
    schedule = CalloutSchedule(callouts)
    self.speaker = speaker
    state = State()
  }

  /// Takes in the scene's present moment.
  func update(_ scene: BeaconScene, isSpeaking: Bool) {
    schedule.update(scene)
    guard !isSpeaking, !state.isBusy.load(ordering: .acquiring), let index = schedule.next(scene)
    else { return }
    let beacon = scene.beacons[index]
    let text = Callout(name: beacon.beacon.name, beacon.geometry).description
    state.isBusy.store(true, ordering: .releasing)
    self.text = text
    let isTaken = speaker.say(text, from: scene.name(index)) { [state] cause in
      state.trouble.withLock { $0 = cause }
      state.isBusy.store(false, ordering: .releasing)
    }
    if !isTaken { state.isBusy.store(false, ordering: .releasing) }
  }
}
