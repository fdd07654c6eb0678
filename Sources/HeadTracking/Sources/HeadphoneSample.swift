public import Files
public import Geometry

/// What Core Motion tells of headphones at one moment, as plain values.
public struct HeadphoneSample: Equatable, Sendable {
  /// Which earbud the sensor is in: `CMDeviceMotion.SensorLocation`.
  public enum Location: Int, Sendable {
    /// The headphones don't say.
    case unknown
    /// The left one.
    case left
    /// The right one.
    case right
  }

  /// `CMAttitude.quaternion`.
  public var attitude: (x: Double, y: Double, z: Double, w: Double)
  /// `CMLogItem.timestamp`: seconds since the device started.
  public var uptime: Double
  /// `CMDeviceMotion.sensorLocation`.
  public var location: Location
  /// `CMDeviceMotion.rotationRate`, radians a second.
  public var rotationRate: Vector3?
  /// `CMDeviceMotion.gravity`, in units of standard gravity.
  public var gravity: Vector3?
  /// `CMDeviceMotion.userAcceleration`, in units of standard gravity.
  public var userAcceleration: Vector3?

  /// A sample with these values.
  public init(
    attitude: (x: Double, y: Double, z: Double, w: Double), uptime: Double, location: Location,
    rotationRate: Vector3? = nil, gravity: Vector3? = nil, userAcceleration: Vector3? = nil
  ) {
    self.attitude = attitude
    self.uptime = uptime
    self.location = location
    self.rotationRate = rotationRate
    self.gravity = gravity
    self.userAcceleration = userAcceleration
  }

  /// Whether all values are the same.
  public static func == (left: Self, right: Self) -> Bool {
    left.attitude == right.attitude && left.uptime == right.uptime
      && left.location == right.location && left.rotationRate == right.rotationRate
      && left.gravity == right.gravity && left.userAcceleration == right.userAcceleration
  }
}

/// Makes motion events of Core Motion's samples.
///
/// A sample from the other earbud starts another connection: its sensor may have another zero of yaw.
public struct HeadphoneSampleMapping: Sendable {
  /// When the device started, by the clock that events shall have.
  private let start: Timestamp
  private var location: HeadphoneSample.Location?
  private var lastUptime = -Double.infinity

  /// A mapping for a device that started at a time.
  public init(deviceStart: Timestamp) { start = deviceStart }

  /// Whether headphones are connected.
  public var isConnected: Bool { location != nil }

  /// The events that a sample makes, or the cause for which it is dropped.
  public mutating func take(_ sample: HeadphoneSample) -> Result<[MotionEvent], HeadphoneFault> {
    let q = sample.attitude
    guard sample.uptime.isFinite, abs(sample.uptime) < 1e9, q.x.isFinite, q.y.isFinite,
      q.z.isFinite, q.w.isFinite
    else { return .failure(.init(cause: .notFinite)) }
    guard let attitude = Quaternion(normalizing: q.x, q.y, q.z, q.w) else {
      return .failure(.init(cause: .notARotation))
    }
    guard sample.uptime > lastUptime else {
      return .failure(.init(cause: sample.uptime < lastUptime ? .late : .duplicate))
    }
    let time = time(uptime: sample.uptime)
    var events: [MotionEvent] = []
    if let location, location != sample.location { events.append(.disconnected(time)) }
    if location != sample.location { events.append(.connected(time)) }
    location = sample.location
    lastUptime = sample.uptime
    var frame = MotionFrame(time: time, attitude: attitude)
    frame.readings = HeadphoneReadings(
      rotationRate: sample.rotationRate, gravity: sample.gravity,
      userAcceleration: sample.userAcceleration, placement: sample.location)
    return .success(events + [.frame(frame)])
  }

  /// The event that ends the connection, or nil where there is none.
  public mutating func disconnect(uptime: Double) -> MotionEvent? {
    guard location != nil else { return nil }
    location = nil
    return .disconnected(time(uptime: max(uptime, lastUptime)))
  }

  private func time(uptime: Double) -> Timestamp {
    Timestamp(nanoseconds: start.nanoseconds + Int64((uptime * 1e9).rounded()))
  }
}

/// A sample of headphones that is dropped.
public struct HeadphoneFault: Error, Equatable, Sendable {
  /// Why.
  public let cause: MotionFault
}
