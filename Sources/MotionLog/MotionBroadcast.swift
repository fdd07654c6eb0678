import Synchronization

/// A message to or from sensors of AirPods motion, under the names that AWARE's documentation gives.
///
/// On AWARE's systems these are notifications of the operating system; here they reach whoever shares a
/// `MotionBroadcaster` within the process.
public struct MotionBroadcast: Equatable, Sendable {
  /// What it says, or asks for.
  public enum Action: String, CaseIterable, Sendable {
    /// Records have been stored after a period.
    case dataChanged = "ACTION_AWARE_AIRPODS_MOTION"
    /// The sensor has started; from others: start it.
    case start = "ACTION_AWARE_AIRPODS_MOTION_START"
    /// The sensor has stopped; from others: stop it.
    case stop = "ACTION_AWARE_AIRPODS_MOTION_STOP"
    /// Headphones deliver motion.
    case connected = "ACTION_AWARE_AIRPODS_MOTION_CONNECTED"
    /// They don't any more.
    case disconnected = "ACTION_AWARE_AIRPODS_MOTION_DISCONNECTED"
    /// Records are being sent to the host; from others: send them.
    case sync = "ACTION_AWARE_AIRPODS_MOTION_SYNC"
    /// Sending has ended, with `EXTRA_STATUS` true, or with false and `EXTRA_ERROR`.
    case syncCompletion = "ACTION_AWARE_AIRPODS_MOTION_SYNC_COMPLETION"
    /// Records have the label `EXTRA_LABEL` from now on; from others: give them that.
    case setLabel = "ACTION_AWARE_AIRPODS_MOTION_SET_LABEL"
  }

  /// The key of a label.
  public static let extraLabel = "EXTRA_LABEL"
  /// The key of whether sending succeeded.
  public static let extraStatus = "EXTRA_STATUS"
  /// The key of why not.
  public static let extraError = "EXTRA_ERROR"

  /// What it says.
  public var action: Action
  /// What belongs to it.
  public var extras: [String: String]

  /// A message.
  public init(_ action: Action, extras: [String: String] = [:]) {
    self.action = action
    self.extras = extras
  }
}

/// Passes broadcasts between the sensors and observers that share it.
public final class MotionBroadcaster: Sendable {
  private struct Observer: Sendable {
    var sender: ObjectIdentifier?
    var handle: @Sendable (MotionBroadcast) -> Void
  }

  private let observers = Mutex<(next: Int, all: [Int: Observer])>((0, [:]))

  /// A broadcaster without observers.
  public init() {}

  /// Calls a function for each broadcast, on the sender's thread, until `removeObserver`.
  @discardableResult public func addObserver(
    _ handle: @escaping @Sendable (MotionBroadcast) -> Void
  ) -> Int {
    addObserver(from: nil, handle)
  }

  /// Ends an observation.
  public func removeObserver(_ token: Int) { observers.withLock { $0.all[token] = nil } }

  /// Sends a broadcast to all observers.
  public func send(_ broadcast: MotionBroadcast) { send(broadcast, from: nil) }

  /// The broadcasts from now on.
  public func broadcasts() -> AsyncStream<MotionBroadcast> {
    AsyncStream { continuation in
      let token = addObserver { continuation.yield($0) }
      continuation.onTermination = { [weak self] _ in self?.removeObserver(token) }
    }
  }

  /// - Parameter sender: whose broadcasts are not for this observer.
  func addObserver(
    from sender: ObjectIdentifier?, _ handle: @escaping @Sendable (MotionBroadcast) -> Void
  ) -> Int {
    observers.withLock { observers in
      observers.next += 1
      observers.all[observers.next] = Observer(sender: sender, handle: handle)
      return observers.next
    }
  }

  func send(_ broadcast: MotionBroadcast, from sender: ObjectIdentifier?) {
    let handlers = observers.withLock { $0.all }
    for (_, observer) in handlers.sorted(by: { $0.key < $1.key })
    where sender == nil || observer.sender != sender {
      observer.handle(broadcast)
    }
  }
}
