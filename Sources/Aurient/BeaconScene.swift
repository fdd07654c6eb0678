import Compass
public import Files
public import Geometry
public import HeadTracking
public import Navigation

/// Where the listener and the beacons are and how the head is turned, moment by moment.
///
/// A value that moves on with each head frame, in the order of time; moving on allocates nothing.
public struct BeaconScene: Sendable {
  /// The beacons.
  public let beacons: [Beacon]
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
  /// How each beacon lies to the listener then.
  public private(set) var geometry: [BeaconGeometry]
  /// Where the listener's nose and crown point, unit vectors in the world frame; level and as they
  /// were last while no heading is known, at first north.
  public private(set) var orientation = (ahead: Vector3(0, 1, 0), up: Vector3(0, 0, 1))

  private var track: TrackCursor
  private var phone: ReferenceSeries
  /// A course or phone's heading of poor accuracy may calibrate the head, which weighs it, but is nothing to
  /// face. Of the choice by accuracy the least speed is left out: a walker never has it.
  private var courseGate = AccuracyGate(limit: DirectionChoice.Limits().courseAccuracy)
  private var phoneGate = AccuracyGate(limit: DirectionChoice.Limits().headingAccuracy)
  private var tracker: HeadTracker

  /// A scene before its first moment.
  ///
  /// - Parameters:
  ///   - track: The walk, its courses those that count.
  ///   - phone: The phone's headings.
  ///   - calibrator: How the head's heading is found.
  public init(
    track: Track, phone: ReferenceSeries, beacons: [Beacon],
    calibrator: CalibratorName = .adaptive, isYawOnly: Bool
  ) {
    tracker = HeadTracker(calibrator: calibrator)
    self.track = TrackCursor(track)
    self.phone = phone
    self.beacons = beacons
    self.isYawOnly = isYawOnly
    geometry = Array(repeating: BeaconGeometry(bearing: 0, distance: 0), count: beacons.count)
  }

  /// What a beacon is called, by its number where it has no name.
  func name(_ index: Int) -> String { beacons[index].name ?? "beacon \(index + 1)" }

  /// The heading by which the scene is heard, and what it was taken from.
  public var heading: PresentationHeading? { user.presentationHeading }

  /// Moves on to a head frame, the first or first after a loss of which connects the head.
  public mutating func advance(to frame: MotionFrame) {
    if status == .unavailable {
      tracker.becomeAvailable()
      tracker.start()
    }
    if tracker.status == .disconnected { tracker.connect() }
    let (phoneHeading, course) = advanceReferences(to: frame.time)
    let pose = tracker.update(frame, phoneHeading: phoneHeading, course: course)
    status = pose.status
    user.headHeading = pose.heading
    headingUncertainty = pose.heading == nil ? nil : pose.uncertainty
    face(pose)
  }

  /// Moves on to a moment without a head: of a scene that has none, or has lost it.
  public mutating func advance(to time: Timestamp) {
    tracker.disconnect()
    status = tracker.status
    user.headHeading = nil
    headingUncertainty = nil
    _ = advanceReferences(to: time)
    face(nil)
  }

  private mutating func advanceReferences(
    to time: Timestamp
  ) -> (phoneHeading: ReferenceSeries.Reading?, course: ReferenceSeries.Reading?) {
    self.time = time
    let phoneHeading = phone.reading(at: time)
    let fix = track.fix(at: time)
    user.phoneHeading =
      phoneGate.passes(phoneHeading?.accuracy) ? phoneHeading?.direction : nil
    user.course = courseGate.passes(fix?.courseAccuracy) ? fix?.course : nil
    user.location = track.position(at: time)
    let course = fix.map {
      ReferenceSeries.Reading(time: $0.time ?? time, direction: $0.course)
    }
    return (phoneHeading, course)
  }

  private mutating func face(_ pose: HeadPose?) {
    let heading = user.presentationHeading
    if let attitude = pose?.attitude, !isYawOnly {
      orientation = (WorldFrame.ahead(attitude), WorldFrame.up(attitude))
    } else if let heading {
      orientation = (WorldFrame.direction(azimuth: heading.degrees), Vector3(0, 0, 1))
    }
    guard let location = user.location else { return }
    for index in beacons.indices {
      geometry[index] = beacons[index].geometry(from: location, heading: heading?.degrees)
    }
  }
}
