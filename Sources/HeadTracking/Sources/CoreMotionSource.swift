#if canImport(CoreMotion) && (os(iOS) || os(macOS) || os(watchOS))
  import CoreMotion
  import Files
  import Foundation
  import Geometry

  /// Head motion of headphones as Apple's Core Motion delivers it.
  ///
  /// The app's Info.plist must say why it wants motion (`NSMotionUsageDescription`).
  @available(iOS 18, macOS 15, watchOS 11, *)
  public struct CoreMotionSource: MotionSource, ~Copyable {
    private let session: Session
    private let channel: MotionChannel

    /// Starts updates. Whether headphones are there, the events tell.
    ///
    /// - Throws: `MotionSourceError` where this device has no headphone motion, or its user has refused
    ///   it.
    public init() throws(MotionSourceError) {
      let channel = MotionChannel()
      let session = Session(channel)
      guard session.manager.isDeviceMotionAvailable else {
        throw MotionSourceError("Core Motion", "this device has no headphone motion")
      }
      switch CMHeadphoneMotionManager.authorizationStatus() {
      case .denied, .restricted:
        throw MotionSourceError("Core Motion", "access to motion is not permitted")
      default: break
      }
      session.start()
      self.session = session
      self.channel = channel
    }

    deinit { session.stop() }

    /// The next event, or nil where none has come yet; `ended` after an error of Core Motion.
    public mutating func next() -> MotionEvent? { channel.next() }

    /// What has come so far and what of it was no use.
    public var counts: MotionSourceCounts { channel.counts }
  }

  /// Everything in it but the manager is touched on its queue alone.
  @available(iOS 18, macOS 15, watchOS 11, *)
  private final class Session: NSObject, CMHeadphoneMotionManagerDelegate, @unchecked Sendable {
    let manager = CMHeadphoneMotionManager()
    private let channel: MotionChannel
    private let queue = OperationQueue()
    private var mapping = HeadphoneSampleMapping(
      deviceStart: Timestamp(
        nanoseconds: MonotonicClock.now.nanoseconds
          - Int64(ProcessInfo.processInfo.systemUptime * 1e9)))

    init(_ channel: MotionChannel) {
      self.channel = channel
      super.init()
      queue.maxConcurrentOperationCount = 1
      manager.delegate = self
    }

    func start() {
      manager.startDeviceMotionUpdates(to: queue) { [self] motion, error in
        if let motion { take(motion) }
        guard error != nil else { return }
        manager.stopDeviceMotionUpdates()
        disconnect()
        channel.send(.ended)
      }
    }

    func stop() {
      manager.delegate = nil
      manager.stopDeviceMotionUpdates()
      queue.waitUntilAllOperationsAreFinished()
    }

    private func take(_ motion: CMDeviceMotion) {
      let q = motion.attitude.quaternion
      let sample = HeadphoneSample(
        attitude: (q.x, q.y, q.z, q.w), uptime: motion.timestamp,
        location: HeadphoneSample.Location(motion.sensorLocation),
        rotationRate: Vector3(motion.rotationRate.x, motion.rotationRate.y, motion.rotationRate.z),
        gravity: Vector3(motion.gravity.x, motion.gravity.y, motion.gravity.z),
        userAcceleration: Vector3(
          motion.userAcceleration.x, motion.userAcceleration.y, motion.userAcceleration.z))
      switch mapping.take(sample) {
      case .success(let events): events.forEach(channel.send)
      case .failure(let fault): channel.drop(fault.cause)
      }
    }

    private func disconnect() {
      mapping.disconnect(uptime: ProcessInfo.processInfo.systemUptime).map(channel.send)
    }

    /// The first frame tells the connection.
    func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) {}

    func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) {
      queue.addOperation { [self] in disconnect() }
    }
  }

  @available(iOS 18, macOS 15, watchOS 11, *)
  extension HeadphoneSample.Location {
    init(_ location: CMDeviceMotion.SensorLocation) {
      switch location {
      case .headphoneLeft: self = .left
      case .headphoneRight: self = .right
      default: self = .unknown
      }
    }
  }
#endif
