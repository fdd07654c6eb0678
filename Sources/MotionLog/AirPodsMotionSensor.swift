import Files
import Glibc
public import HeadTracking
import Synchronization

/// Who is told what a sensor measures, on the sensor's own thread.
public protocol AirPodsMotionObserver: Sendable {
  /// A sample has come.
  func onDataChanged(data: MotionRecord)
  /// Headphones deliver motion.
  func onConnected()
  /// They don't any more.
  func onDisconnected()
}

/// Records head motion as the AirPods sensor of the AWARE framework does, from any motion source.
///
/// ```swift
/// var config = AirPodsMotionSensor.Config()
/// config.dbType = .sqlite
/// config.label = "walk 1"
/// let sensor = AirPodsMotionSensor(config) { try NetworkMotionSource(.osc, port: 9000) }
/// try sensor.start()
/// ```
/// It goes on until `stop`. All of it may be called from any thread; `start` and `stop` not from the
/// observer's methods.
public final class AirPodsMotionSensor: Sendable {
  /// Where records are kept.
  public enum DatabaseType: Sendable {
    /// Nowhere.
    case none
    /// In a motion log of SQLite.
    case sqlite
  }

  /// How the sensor works; the names are AWARE's.
  public struct Config: Sendable {
    /// Who is told of samples and connections.
    public var sensorObserver: (any AirPodsMotionObserver)?
    /// Minutes after which what has come is stored.
    public var period = 1.0
    /// Whether what happens is told on standard error.
    public var debug = false
    /// What records are labelled with.
    public var label = ""
    /// The device that records.
    public var deviceId = randomDeviceID()
    /// Where records are kept.
    public var dbType = DatabaseType.none
    /// The file of the database.
    public var dbPath = "aware_airpods.sqlite"
    /// The URL of the host that records are sent to.
    public var dbHost: String?

    /// The usual configuration, which keeps nothing.
    public init() {}
  }

  /// The tag of what `debug` tells.
  static let tag = "airpods_motion"

  /// How it works. Labels that are set later aren't in it.
  public let config: Config
  /// Where its broadcasts go and others' come from.
  public let broadcaster: MotionBroadcaster

  private struct State {
    var thread: WorkerThread?
    var isSyncing = false
    var label: String
    var isStopping = false
    var isFlushAsked = false
    /// Why what has come could not be stored.
    var storeFailure: (any Error)?
    /// Why the source gives no more.
    var sourceFailure: (any Error)?
    var observation = 0
  }

  private let state: Mutex<State>
  /// Makes the source and the function that runs with it on a thread.
  private let prepare: @Sendable () throws -> Run
  private typealias Run = @Sendable (AirPodsMotionSensor, MotionRecorder) -> Void

  /// A sensor that is not started.
  ///
  /// - Parameter source: makes the motion source, at each start.
  public init<Source: MotionSource & SendableMetatype & ~Copyable>(
    _ config: Config = Config(), broadcaster: MotionBroadcaster = MotionBroadcaster(),
    source: @escaping @Sendable () throws -> Source
  ) {
    self.config = config
    self.broadcaster = broadcaster
    state = Mutex(State(label: config.label))
    prepare = {
      let box = SourceBox(try source())
      return { sensor, recorder in sensor.record(&box.source, with: recorder) }
    }
    let token = broadcaster.addObserver(from: ObjectIdentifier(self)) { [weak self] in
      self?.obey($0)
    }
    state.withLock { $0.observation = token }
  }

  deinit {
    broadcaster.removeObserver(state.withLock { $0.observation })
  }

  /// Starts to record; nothing if it does already.
  ///
  /// - Throws: `FileError` if the database cannot be written, whatever making the source throws.
  public func start() throws {
    guard state.withLock({ $0.thread == nil }) else { return }
    let run = try prepare()
    let storage = try RecorderBox(config, label: state.withLock { $0.label })
    try state.withLock { state in
      state.isStopping = false
      (state.storeFailure, state.sourceFailure) = (nil, nil)
      state.thread = try WorkerThread { [self] in
        run(self, storage.recorder)
        storage.close()
      }
    }
    log("started")
    send(.start)
  }

  /// Stops and stores what has come.
  ///
  /// - Throws: `FileError` if something could not be stored or the source was faulty.
  public func stop() throws {
    let thread = state.withLock { state in
      state.isStopping = true
      defer { state.thread = nil }
      return state.thread
    }
    guard let thread else { return }
    thread.join()
    log("stopped")
    send(.stop)
    if let failure = state.withLock({ $0.storeFailure ?? $0.sourceFailure }) { throw failure }
  }

  /// Sends what the database has and the host has not acknowledged, on a thread of its own.
  /// `syncCompletion` tells the end. Nothing without a host and a database.
  ///
  /// - Parameter force: whether what has come is stored first, before the period has passed.
  public func sync(force: Bool = false) {
    guard let host = config.dbHost, config.dbType == .sqlite else { return }
    let isFree = state.withLock { state in
      defer { state.isSyncing = true }
      return !state.isSyncing
    }
    guard isFree else { return }
    send(.sync)
    let path = config.dbPath
    do {
      let thread = try WorkerThread { [self] in
        if force { waitForFlush() }
        var extras = [MotionBroadcast.extraStatus: "true"]
        do {
          let report = try MotionSync(path: path, .init(host: host)).run()
          log("sent \(report.recordCount) records")
        } catch {
          log("\(error)")
          extras = [MotionBroadcast.extraStatus: "false", MotionBroadcast.extraError: "\(error)"]
        }
        state.withLock { $0.isSyncing = false }
        send(.syncCompletion, extras)
      }
      thread.detach()
    } catch {
      state.withLock { $0.isSyncing = false }
      send(
        .syncCompletion,
        [MotionBroadcast.extraStatus: "false", MotionBroadcast.extraError: "\(error)"])
    }
  }

  /// Labels records with another text from now on.
  public func set(label: String) {
    state.withLock { $0.label = label }
    send(.setLabel, [MotionBroadcast.extraLabel: label])
  }

  private func obey(_ broadcast: MotionBroadcast) {
    do {
      switch broadcast.action {
      case .start: try start()
      case .stop: try stop()
      case .sync: sync()
      case .setLabel:
        if let label = broadcast.extras[MotionBroadcast.extraLabel] { set(label: label) }
      case .dataChanged, .connected, .disconnected, .syncCompletion: break
      }
    } catch {
      state.withLock { $0.sourceFailure = error }
      log("\(error)")
    }
  }

  private func send(_ action: MotionBroadcast.Action, _ extras: [String: String] = [:]) {
    broadcaster.send(MotionBroadcast(action, extras: extras), from: ObjectIdentifier(self))
  }

  private func log(_ text: String) {
    guard config.debug else { return }
    let line = "\(Self.tag): \(text)".onOneLine + "\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  }

  /// Waits until the recording thread has stored what has come, for at most a few seconds.
  private func waitForFlush() {
    guard state.withLock({ $0.thread != nil && !$0.isStopping }) else { return }
    state.withLock { $0.isFlushAsked = true }
    for _ in 0..<1000 where state.withLock({ $0.isFlushAsked && !$0.isStopping }) {
      usleep(5000)
    }
  }

  /// Records until told to stop or the source ends. Runs on the thread.
  private func record<Source: MotionSource & ~Copyable>(
    _ source: inout Source, with recorder: MotionRecorder
  ) {
    recorder.start(at: SystemClock.now)
    var hasEnded = false
    while true {
      let (isStopping, isFlushAsked, label) = state.withLock {
        ($0.isStopping, $0.isFlushAsked, $0.label)
      }
      recorder.label = label
      // What came before the stop is still taken.
      var isIdle = hasEnded
      do {
        while !isIdle, !recorder.isDue {
          guard let event = try source.next() else {
            isIdle = true
            break
          }
          tell(event, recorder.take(event))
          if case .ended = event { (hasEnded, isIdle) = (true, true) }
        }
      } catch {
        state.withLock { $0.sourceFailure = error }
        (hasEnded, isIdle) = (true, true)
      }
      if isStopping { recorder.stop(at: SystemClock.now) }
      if isStopping || isFlushAsked || recorder.isDue { flush(recorder) }
      if isFlushAsked { state.withLock { $0.isFlushAsked = false } }
      if isStopping { return }
      if isIdle { usleep(5000) }
    }
  }

  private func tell(_ event: MotionEvent, _ record: MotionRecord?) {
    switch event {
    case .connected:
      log("connected")
      send(.connected)
      config.sensorObserver?.onConnected()
    case .disconnected:
      log("disconnected")
      send(.disconnected)
      config.sensorObserver?.onDisconnected()
    case .frame: if let record { config.sensorObserver?.onDataChanged(data: record) }
    case .ended: log("the source has ended")
    }
  }

  private func flush(_ recorder: MotionRecorder) {
    do {
      let before = recorder.storedCount
      try recorder.flush()
      state.withLock { $0.storeFailure = nil }
      if recorder.storedCount > before { send(.dataChanged) }
    } catch {
      state.withLock { $0.storeFailure = error }
      log("\(error)")
    }
  }
}

/// Carries a source to the thread that uses it; nobody else does.
private final class SourceBox<Source: MotionSource & ~Copyable>: @unchecked Sendable {
  var source: Source
  init(_ source: consuming Source) { self.source = source }
}

/// Carries a recorder to the thread that uses it; nobody else does.
private final class RecorderBox: @unchecked Sendable {
  private var kept: MotionRecorder?
  var recorder: MotionRecorder {
    guard let kept else { preconditionFailure("a recorder is used after its thread has ended") }
    return kept
  }

  init(_ config: AirPodsMotionSensor.Config, label: String) throws(FileError) {
    let store = config.dbType == .sqlite ? try MotionStore(path: config.dbPath) : nil
    kept = MotionRecorder(
      into: store, period: config.period * 60, label: label, deviceId: config.deviceId,
      source: "a motion source", sampleClock: "of the source")
  }

  /// Closes the database.
  func close() { kept = nil }
}
