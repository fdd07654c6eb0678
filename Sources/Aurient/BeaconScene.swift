import Compass
public import Files
public import Geometry
public import HeadTracking
public import Navigation

/// Where the listener and the beacons are and how the head is turned, moment by moment.
///
/// A value that moves on with each head frame, in the order of time; moving on allocates nothing.
public struct BeaconScene: Sendable {
  /// The beacons, as they stand at the present moment; of a route its places, of which only the next one
  /// sounds.
  public internal(set) var beacons: [BeaconState]
  /// How far the listener has come on a route, if there is one.
  public private(set) var route: RouteProgress?
  /// Whether pitch and roll of the head are left out.
  public let isYawOnly: Bool
  /// The present moment.
  public private(set) var time = Timestamp(nanoseconds: 0)
  /// The listener's place and headings then.
  public private(set) var user = UserGeometry()
  /// Degrees within which the head's heading lies at 95 %; nil where that is not known, and where the
  /// head has no heading.
  public private(set) var headingUncertainty: Double?
  /// How far head tracking has come then.
  public private(set) var status = HeadTrackerStatus.unavailable
  /// Where the listener's nose and crown point, unit vectors in the world frame; level and as they
  /// were last while no heading is known, at first north.
  public private(set) var orientation = (ahead: Vector3(0, 1, 0), up: Vector3(0, 0, 1))

  /// A course or phone's heading of poor accuracy may calibrate the head, which weighs it, but is nothing to
  /// face. Of the choice by accuracy the least speed is left out: a walker never has it.
  private var courseGate = AccuracyGate(limit: DirectionChoice.Limits().courseAccuracy)
  private var phoneGate = AccuracyGate(limit: DirectionChoice.Limits().headingAccuracy)
  private var tracker: HeadTracker

  /// A scene before its first moment.
  ///
  /// - Parameters:
  ///   - route: A way along the first beacons, which are its places in order; nil where all sound at
  ///     once.
  ///   - calibrator: How the head's heading is found.
  ///   - reference: What the zero of the head's yaw is.
  public init(
    beacons: [BeaconState], route: RouteProgress? = nil,
    calibrator: CalibratorName = .adaptive, reference: HeadReference = .unknown, isYawOnly: Bool
  ) {
    tracker = HeadTracker(calibrator: calibrator, reference: reference)
    self.beacons = beacons
    self.route = route
    self.isYawOnly = isYawOnly
    turnOnNext()
  }

  /// What a beacon is called, by its number where it has no name.
  public func name(_ index: Int) -> String {
    beacons[index].beacon.name ?? "beacon \(index + 1)"
  }

  /// The number of the beacon that is called so; nil if none is.
  func index(of name: String) -> Int? { beacons.indices.first { self.name($0) == name } }

  /// The heading by which the scene is heard, and what it was taken from.
  public var heading: PresentationHeading? { user.presentationHeading }

  /// Moves on to a head frame, the first or first after a loss of which connects the head.
  public mutating func advance(to frame: MotionFrame, _ readings: ListenerReadings) {
    if status == .unavailable {
      tracker.becomeAvailable()
      tracker.start()
    }
    if tracker.status == .disconnected { tracker.connect() }
    take(readings, at: frame.time)
    let pose = tracker.update(frame, phoneHeading: readings.phone, course: readings.course)
    status = pose.status
    user.headHeading = pose.heading
    headingUncertainty = pose.heading == nil ? nil : pose.uncertainty
    face(pose)
  }

  /// Moves on to a moment without a head: of a scene that has none, or has lost it.
  public mutating func advance(to time: Timestamp, _ readings: ListenerReadings) {
    tracker.disconnect()
    status = tracker.status
    user.headHeading = nil
    headingUncertainty = nil
    take(readings, at: time)
    face(nil)
  }

  /// Moves on to a moment between two head frames, or at which something else than the head was read.
  public mutating func update(to time: Timestamp, _ readings: ListenerReadings) {
    take(readings, at: time)
    face(nil, keepingHead: user.headHeading != nil)
  }

  /// Takes the head's present attitude as looking level in a direction, degrees clockwise from north; see
  /// `HeadTracker.recenter(heading:)`.
  @discardableResult
  public mutating func recenter(heading: Double) -> Bool { tracker.recenter(heading: heading) }

  private mutating func take(_ readings: ListenerReadings, at time: Timestamp) {
    self.time = time
    let (course, phone) = (readings.course, readings.phone)
    user.phoneHeading = phoneGate.passes(phone?.accuracy) ? phone?.direction : nil
    user.course = courseGate.passes(course?.accuracy) ? course?.direction : nil
    user.location = readings.location
  }

  private mutating func face(_ pose: HeadPose?, keepingHead: Bool = false) {
    let heading = user.presentationHeading
    if let attitude = pose?.attitude, !isYawOnly {
      orientation = (WorldFrame.ahead(attitude), WorldFrame.up(attitude))
    } else if let heading, !keepingHead {
      orientation = (WorldFrame.direction(azimuth: heading.degrees), Vector3(0, 0, 1))
    }
    guard let location = user.location else { return }
    while route?.update(location) != nil { turnOnNext() }
    for index in beacons.indices {
      beacons[index].update(from: location, heading: heading?.degrees)
    }
  }

  /// Of a route, lets the next place sound, and no other.
  private mutating func turnOnNext() {
    guard let route else { return }
    for index in beacons.indices.prefix(route.route.beacons.count) {
      beacons[index].turn =
        index < route.index ? .reached : index == route.index ? .next : .waiting
    }
  }

  /// Goes on to a place of the route, or back to it; see `RouteProgress.move(to:)`.
  public mutating func moveOnRoute(to index: Int) {
    route?.move(to: index)
    turnOnNext()
  }

  /// Turns a beacon off, or on again: at its next beat, without its melodies.
  public mutating func turn(_ index: Int, off isOff: Bool) { beacons[index].isOff = isOff }

  /// Lets one beacon be heard alone; nil for all that are not turned off.
  public mutating func solo(_ index: Int?) {
    for other in beacons.indices {
      beacons[other].isOutshone = index.map { $0 != other } ?? false
    }
  }
}
