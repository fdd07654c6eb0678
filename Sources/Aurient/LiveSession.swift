public import Files
import Geometry
import Glibc
import HRTF
import HeadTracking
public import Navigation
public import SpatialAudio

/// A scene played on a sound device from what comes live, on the thread that calls `run`.
public final class LiveSession {
  /// How a session is to be played.
  public struct Settings: Sendable {
    /// One of `AudioDevices.list`, or nil for the default device.
    public var device: String?
    /// How far ahead the device mixes; nil leaves it to the user's settings.
    public var latency: LatencyPreset?
    /// A folder to keep what comes in, so that it can be rendered again; nil for none.
    public var recordFolder: String?
    /// When readings no longer count.
    public var limits = UserReadings.Limits()

    /// The default device, nothing recorded.
    public init() {}
  }

  /// How a session stands.
  public struct State: Sendable {
    /// By the clock of live sources.
    public var time: Timestamp
    /// The scene.
    public var scene: BeaconScene
    /// How old what is known is.
    public var ages: UserReadings.Ages
    /// Whether the place is too old to be trusted, or there is none.
    public var isLocationStale: Bool
    /// Whether the device is there.
    public var isPlaying: Bool
    /// How often the device had to be opened anew.
    public var reopenings: Int
    /// The loudest sample of the beacons' own sounds since the state before, 0 to 1.
    public var peak: Float
    /// What was said last of a beacon, and why the next words could not be said; nil if nothing, or if they could.
    public var callout: (text: String?, trouble: String?)
    /// Seconds from the arrival of a head frame to the call that turns the listener, the longest since the
    /// state before; nil without one.
    public var listenerDelay: Double?
  }

  private let description: Scene
  private let settings: Settings
  private let catalogue: HRTFCatalogue
  private let inputs: LiveInputs
  private let session: Session
  private var device: (any LiveStage)?
  private var watch = DeviceWatch()
  private var recorder: SessionRecorder?
  private var callouts: LiveCallouts?
  private var hrtf: String?
  private var reopenings = 0
  private var batch: [(input: SessionInput, time: Timestamp)] = []
  private var listenerDelay: Double?
  /// The frame of the device from which the last batch was heard.
  private var lastFrame = 0

  /// Seconds between two looks at what time alone changes.
  private static let tick = 0.01
  /// Inputs of one batch for which there is room without allocation.
  private static let batchCapacity = 1024

  /// What people call the data set.
  public private(set) var dataSetTitle: String
  /// The device that plays.
  public var deviceName: String { device?.name ?? "" }
  /// Frames a second.
  public var sampleRate: Int { session.stage.sampleRate }
  /// Frames that the device mixes at once.
  public var period: Int? { device?.period }

  /// Opens device, data set and sounds.
  ///
  /// - Parameters:
  ///   - description: The scene; its logs are played by `inputs`, if at all.
  ///   - inputs: What to listen to.
  /// - Throws: `FileError`, `EngineError` for what cannot be used.
  public init(
    _ description: Scene, inputs: LiveInputs, settings: Settings = Settings(),
    catalogue: HRTFCatalogue = HRTFCatalogue()
  ) throws {
    self.description = description
    self.settings = settings
    self.inputs = inputs
    self.catalogue = catalogue
    hrtf = description.hrtf
    try catalogue.prepare(latency: settings.latency)
    let (device, title) = try Self.open(
      hrtf, fitting: description.fitting, device: settings.device, catalogue)
    self.device = device
    dataSetTitle = title
    session = try Session(description, on: device, limits: settings.limits)
    if let folder = settings.recordFolder {
      recorder = try SessionRecorder(
        folder: folder, scene: description, sampleRate: device.sampleRate)
    }
    batch.reserveCapacity(Self.batchCapacity)
    callouts = try makeCallouts()
  }

  private func makeCallouts() throws -> LiveCallouts? {
    try description.callouts.map {
      LiveCallouts(
        $0,
        speaker: try Speaker(voice: $0.voice, sampleRate: sampleRate, inbox: inputs.inbox))
    }
  }

  private static func open(
    _ hrtf: String?, _ selection: HRTFCatalogue.Selection? = nil, fitting: HRTFFitting,
    device: String?, _ catalogue: HRTFCatalogue
  ) throws -> (device: any LiveStage, title: String) {
    var (title, dataSets) = ("", [DistanceDataSet]())
    let sourceCount = Session.mostBeacons + 1
    let device = try PlaybackDevice(device, sourceCount: sourceCount) { rate in
      let selection =
        if let selection, selection.sampleRate == rate { selection } else {
          try catalogue.select(hrtf, sampleRate: rate, fitting: fitting)
        }
      (title, dataSets) = (selection.title, selection.dataSets)
      return dataSets.count == 1 ? dataSets[0].name : nil
    }
    guard dataSets.count > 1 else { return (device, title) }
    return (try PlayedMix(device, sourceCount: sourceCount, dataSets: dataSets), title)
  }

  /// Has a command carried out before the next sound is mixed. Any thread may call.
  ///
  /// - Parameter done: Called on the session's thread, with the cause if it could not be done.
  public func send(
    _ command: SceneCommand, done: @escaping @Sendable (String?) -> Void = { _ in }
  ) {
    inputs.inbox.send(.command(command), done: done)
  }

  /// Takes another data set, without a word of the scene lost; the sound pauses for some hundredths of a
  /// second. On the session's thread.
  ///
  /// - Throws: `FileError`, `EngineError` if it cannot be used; the one before plays on then.
  public func setHRTF(_ request: String?) throws {
    // Converted, if it must be, while the one before still plays.
    let selection = try catalogue.select(
      request, sampleRate: sampleRate, fitting: description.fitting)
    try setHRTF(request, selection)
  }

  private func setHRTF(_ request: String?, _ selection: HRTFCatalogue.Selection) throws {
    guard recorder == nil else {
      throw SessionError(.unavailable, "a session that is recorded keeps its data set")
    }
    let before = hrtf
    hrtf = request
    do {
      try reopen(selection)
    } catch {
      hrtf = before
      throw error
    }
  }

  private func reopen(_ selection: HRTFCatalogue.Selection? = nil) throws {
    let (device, title) = try Self.open(
      hrtf, selection, fitting: description.fitting, device: settings.device, catalogue)
    let rate = sampleRate
    try session.move(to: device)
    self.device = device
    if sampleRate != rate { callouts = try makeCallouts() }
    dataSetTitle = title
    awaitMixing()
    lastFrame = session.show()
    recorder?.appendDevice(
      sampleRate: device.sampleRate, frame: lastFrame, at: MonotonicClock.now)
  }

  /// Plays until told to stop, or until the logs that are played end.
  ///
  /// - Parameters:
  ///   - interval: Seconds between two states.
  ///   - onState: Called with how the session stands; returns whether to go on.
  /// - Throws: `FileError` for a fault of a log or of the record, and what `onState` throws.
  public func run(every interval: Double, onState: (State) throws -> Bool) throws {
    raisePriority()
    awaitMixing()
    let outcome = Result { try play(every: interval, onState) }
    // Also what came before a fault.
    try recorder?.commit()
    recorder = nil
    try outcome.get()
  }

  /// Where the session is recorded, waits until the device, if it mixes yet, has mixed its sources once: from then on
  /// OpenAL fades to what they become with the scene. Of sources that began in the very mix in which the scene does, the
  /// record could not tell.
  private func awaitMixing() {
    guard recorder != nil else { return }
    let deadline = MonotonicClock.now + 0.2
    // The mix that goes on now may have begun before them.
    for _ in 0..<2 {
      let frame = session.stage.frame
      while session.stage.frame == frame, device?.isConnected == true,
        MonotonicClock.now < deadline
      {
        device?.keepUp()
        pause()
      }
    }
  }

  private func play(every interval: Double, _ onState: (State) throws -> Bool) throws {
    var nextTick = MonotonicClock.now
    var nextState = nextTick
    while true {
      let now = MonotonicClock.now
      let isTick = now >= nextTick
      if isTick { nextTick = now + Self.tick }
      session.prepare()
      try takeInputs(at: now, isTick: isTick)
      device?.keepUp()
      if isTick {
        callouts?.update(session.scene, isSpeaking: session.isSpeaking)
        reopenIfLost(at: now)
        if inputs.isOver(at: now) { break }
      }
      if now >= nextState {
        nextState = now + interval
        guard try onState(state(at: now)) else { break }
      }
      pause()
    }
  }

  /// Far below a period; sources wake their own threads.
  private func pause() {
    var time = timespec(tv_sec: 0, tv_nsec: 250_000)
    nanosleep(&time, nil)
  }

  private func takeInputs(at now: Timestamp, isTick: Bool) throws {
    batch.removeAll(keepingCapacity: true)
    let made = session.madeFrames
    var newestHead: Timestamp?
    try inputs.poll(at: now, isTick: isTick) { input, time in
      try session.take(input, at: time)
      batch.append((input, time))
      if case .head = input { newestHead = time }
    }
    for entry in inputs.inbox.take() { carryOut(entry, at: now) }
    if isTick {
      try session.take(.tick, at: now)
      batch.append((.tick, now))
    }
    if !batch.isEmpty || session.isGliding,
      session.stage.frame >= lastFrame + Glide.interval
    {
      try session.take(.turn, at: now)
      batch.append((.turn, now))
    }
    guard !batch.isEmpty else { return }
    show()
    if let newestHead {
      let delay = MonotonicClock.now.seconds(since: newestHead)
      listenerDelay = max(listenerDelay ?? 0, delay)
    }
    recorder?.append(batch, frame: lastFrame, made: made, late: device?.lateFrame)
  }

  /// Makes the batch heard, unless the device is lost: what it says of frames then means nothing.
  private func show() {
    guard let device, device.isConnected else { return }
    let frame = session.show()
    if device.isConnected { lastFrame = frame }
  }

  private func carryOut(_ entry: SessionInbox.Entry, at now: Timestamp) {
    do {
      switch entry.wish {
      case .input(let input):
        try session.take(input, at: now)
        batch.append((input, now))
      case .dataSet(let request, let selection): try setHRTF(request, selection)
      }
      entry.done(nil)
    } catch {
      entry.done("\(error)")
    }
  }

  private func reopenIfLost(at now: Timestamp) {
    let seconds = Double(now.nanoseconds) / 1e9
    guard watch.needsReopening(device, at: seconds) else { return }
    device = nil
    do {
      try reopen()
      reopenings += 1
    } catch {
      // Tried again until it is there.
    }
  }

  private func state(at now: Timestamp) -> State {
    defer { listenerDelay = nil }
    return State(
      time: now, scene: session.scene, ages: session.readings.ages(at: now),
      isLocationStale: session.readings.isLocationStale(at: now), isPlaying: device != nil,
      reopenings: reopenings, peak: session.takePeak(),
      callout: (callouts?.text, callouts?.trouble), listenerDelay: listenerDelay)
  }

  /// Asks to be run before ordinary threads; where that is not allowed, nothing changes.
  private func raisePriority() {
    var parameters = sched_param(sched_priority: 1)
    pthread_setschedparam(pthread_self(), SCHED_RR, &parameters)
  }
}
