import Files
import Geometry
import HRTF
import HeadTracking
import Navigation
import SpatialAudio
import Synchronization

/// A session whose sound is taken by whoever wants it, frame by frame; its clock is what has been taken.
///
/// Any thread may `send`; one at a time may `pull`, which neither locks nor allocates nor calls the system. What
/// it replaces goes back to other threads to be released.
final class PulledSession: @unchecked Sendable {
  /// What other threads want.
  enum Wish: Sendable {
    /// An input, by the session's clock, seconds; nil for the next frame.
    case input(SessionInput, Double?)
    case change(SessionChange)
    case stage(Stage)
  }

  /// Audio that has been made ready on a stage of its own.
  struct Stage: @unchecked Sendable {
    let audio: SceneAudio
    let mix: LoopbackMix

    init(audio: SceneAudio, mix: LoopbackMix) {
      self.audio = audio
      self.mix = mix
    }

    /// Opens the stage.
    ///
    /// - Throws: `EngineError` if OpenAL refuses.
    init(
      _ selection: HRTFCatalogue.Selection, sampleRate: Int, _ editor: SceneEditor, capacity: Int
    ) throws {
      mix = try LoopbackMix(
        sampleRate: sampleRate, dataSets: selection.dataSets, sourceCount: capacity + 1)
      audio = try SceneAudio(
        editor.soundings, reserve: .init(capacity: capacity, render: mix.renderUncounted), on: mix)
      audio.volume = editor.volume
    }
  }

  private struct Waste: @unchecked Sendable {
    var wish: Wish
    var retired: Retired
  }

  /// How it stands.
  let board: StateBoard
  /// Frames a second.
  let sampleRate: Int
  /// What makes commands ready, as the session begins.
  let editor: SceneEditor

  private let wishes = SharedQueue<Wish>(capacity: capacity)
  private let waste = SharedQueue<Waste>(capacity: 2 * capacity)
  private let isPulling = Atomic(false)
  private let framesPulled = Atomic(0)

  // Of the thread that pulls.
  private let session: Session
  private let inputs: LiveInputs
  private let due = DueList<Wish>(capacity: capacity)
  private var mix: LoopbackMix
  private var frame = 0
  private var nextTick = 0
  /// The frame from which the last turn of what is heard took effect.
  private var turnFrame = 0
  private var numbers: BeaconNumbers
  private var refusedCount = 0
  private let start: Timestamp

  /// Wishes that may wait.
  static let capacity = 1024
  /// Frames that are rendered at once at the most.
  private static let blockLength = 2048

  /// Opens a scene through a data set.
  ///
  /// - Parameters:
  ///   - inputs: What to listen to besides; their times are those of the next frame.
  ///   - capacity: Beacons for which there is room.
  /// - Throws: `FileError`, `EngineError` for what cannot be used.
  init(
    _ description: Scene, _ selection: HRTFCatalogue.Selection, sampleRate: Int,
    inputs: LiveInputs, limits: UserReadings.Limits, capacity: Int
  ) throws {
    self.sampleRate = sampleRate
    self.inputs = inputs
    mix = try LoopbackMix(
      sampleRate: sampleRate, dataSets: selection.dataSets, sourceCount: capacity + 1)
    session = try Session(
      description, on: mix, limits: limits,
      reserve: .init(capacity: capacity, render: mix.renderUncounted))
    editor = session.editor
    board = StateBoard(capacity: capacity)
    numbers = BeaconNumbers(count: editor.names.count, capacity: capacity)
    start = Timestamp(nanoseconds: MonotonicClock.now.nanoseconds / 1_000_000_000 * 1_000_000_000)
    if session.scene.beacons.count < capacity { warmUp() }
    publish()
  }

  /// Carries out one change of each kind, of which nothing is left: Swift's runtime makes some types at their first
  /// use. There is room for a beacon.
  private func warmUp() {
    let index = session.scene.beacons.count
    let place = SessionChange.Place.at(GeodeticCoordinate(latitude: 0, longitude: 0))
    let sounding = SceneAudio.Sounding(StyleSounds(loop: [Float](repeating: 0, count: 4800)))
    let voice = BeaconVoice(sounding.sounds, sampleRate: sampleRate)
    let division = AngularRegions(edges: [90])
    let state = BeaconState(
      Beacon(coordinate: GeodeticCoordinate(latitude: 0, longitude: 0)),
      division: division, vicinity: Vicinity())
    for change in [
      .add(state, sounding, voice, place), .move(index, place),
      .sounds(index, voice, division: nil, vicinity: nil),
      .sounds(index, voice, division: division, vicinity: Vicinity()), .gain(index, 0.5),
      .mute(index, true), .remove(index), .recenter(nil), .volume(editor.volume),
    ] as [SessionChange] { carryOut(.change(change)) }
    carryOut(.stage(Stage(audio: session.audio, mix: mix)))
    refusedCount = 0
    numbers = BeaconNumbers(count: editor.names.count, capacity: numbers.capacity)
    releaseWaste()
  }

  /// The session's clock, seconds, as of the last pull. Any thread.
  var time: Double { Double(framesPulled.load(ordering: .relaxed)) / Double(sampleRate) }

  /// Has something done at the beginning of the next pull, or at its time; false if there is no room for it. Any
  /// thread.
  func send(_ wish: consuming Wish) -> Bool { wishes.push(wish) }

  /// Releases what has been replaced. One thread at a time, which may wait.
  func releaseWaste() {
    OpenALContext.leavingThreadAsItWas { while waste.pop() != nil {} }
  }

  /// Whether a pull has begun.
  private func begin() -> Bool {
    isPulling.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
  }

  /// Renders the next frames; false if another thread does just now.
  func pull(into output: UnsafeMutableBufferPointer<Float>) -> Bool {
    guard begin() else { return false }
    defer { isPulling.store(false, ordering: .releasing) }
    OpenALContext.leavingThreadAsItWas { render(into: output) }
    framesPulled.store(frame, ordering: .relaxed)
    publish()
    return true
  }

  private func render(into output: UnsafeMutableBufferPointer<Float>) {
    takeWishes()
    var isChanged = takeInputs()
    var done = 0
    let length = output.count / 2
    while done < length {
      while let next = due.nextFrame, next <= frame {
        carryOut(due.removeFirst())
        isChanged = true
      }
      if frame >= nextTick {
        take(.tick, at: now)
        // Seconds between two looks at what time alone changes, as of a live session.
        nextTick = frame + max(1, sampleRate / 100)
        isChanged = true
      }
      if isChanged || session.isGliding, frame >= turnFrame + Glide.interval {
        take(.turn, at: now)
        turnFrame = frame
        isChanged = true
      }
      if isChanged { session.show() }
      isChanged = false
      var count = min(length - done, Self.blockLength, nextTick - frame)
      if session.isGliding { count = min(count, turnFrame + Glide.interval - frame) }
      if let next = due.nextFrame { count = min(count, next - frame) }
      session.prepare(upTo: mix.frame + count)
      mix.render(
        into: UnsafeMutableBufferPointer(rebasing: output[(2 * done)..<(2 * (done + count))]))
      done += count
      frame += count
    }
  }

  private var now: Timestamp { start + Double(frame) / Double(sampleRate) }

  private func takeWishes() {
    while !due.isFull, let wish = wishes.pop() {
      var at = frame
      if case .input(_, let seconds?) = wish {
        at = max(frame, Int((seconds * Double(sampleRate)).rounded()))
      }
      due.insert(wish, at: at)
    }
  }

  /// Takes what has come from ports; whether there was something.
  private func takeInputs() -> Bool {
    var isSome = false
    // Only logs throw, and none is played.
    try? inputs.poll(at: now, isTick: false) { input, _ in
      take(input, at: now)
      isSome = true
    }
    return isSome
  }

  /// Inputs that are no commands never throw.
  private func take(_ input: SessionInput, at time: Timestamp) {
    try? session.take(input, at: time)
  }

  private func carryOut(_ wish: Wish) {
    switch wish {
    case .input(let input, let seconds):
      // To the nanosecond, where it was given in time.
      let time = max(now, seconds.map { start + $0 } ?? now)
      take(input, at: time)
    case .change(let change):
      var retired = Retired()
      if case .done = session.carryOut(change, at: now, &retired) {
        numbers.count(change)
      } else {
        refusedCount += 1
      }
      discard(wish, retired)
    case .stage(let stage):
      mix = stage.mix
      discard(wish, session.replace(stage.audio, on: stage.mix))
    }
  }

  /// There is always room: whoever sends a change releases waste first.
  private func discard(_ wish: consuming Wish, _ retired: consuming Retired) {
    _ = waste.push(Waste(wish: wish, retired: retired))
  }

  private func publish() {
    var moment = StateBoard.Moment()
    let (scene, time) = (session.scene, now)
    moment.frame = frame
    moment.user = scene.user
    moment.heading = scene.heading
    moment.headingUncertainty = scene.headingUncertainty
    moment.tracking = scene.status
    moment.ages = session.readings.ages(at: time)
    moment.isLocationStale = session.readings.isLocationStale(at: time)
    moment.peak = session.takePeak()
    moment.routePlace = scene.route?.index ?? 0
    moment.refusedCount = refusedCount
    board.publish(moment, scene, numbers: numbers)
  }
}
