import Files
public import HRTF
public import HeadTracking
public import Navigation

/// What is to be heard: who moves where, by which records, and what sounds there.
public struct Scene: Equatable, Sendable {
  /// A beacon and its sound.
  public struct Beacon: Equatable, Sendable {
    /// Name and place.
    public var beacon: Navigation.Beacon
    /// A sound file, played as a loop; nil for the scene's.
    public var sound: String?
    /// A beacon style, see `BeaconStyle(named:)`; goes before sounds. Nil for the scene's.
    public var style: String?
    /// Decibels against the sound as it is, at most 0.
    public var gain: Double

    /// A beacon that plays a sound.
    public init(
      _ beacon: Navigation.Beacon, sound: String? = nil, style: String? = nil, gain: Double = 0
    ) {
      self.beacon = beacon
      self.sound = sound
      self.style = style
      self.gain = gain
    }
  }

  /// The walk: a GPX, NMEA 0183 or CSV file; nil in a scene that is played live.
  public var track: String?
  /// The head's motion: a CSV file; without one the head looks where the walk or the phone goes.
  public var head: String?
  /// The phone's headings, or its raw magnetometer: a CSV file.
  public var phone: String?
  /// What calibrates a raw magnetometer: a file of `aurient compass calibrate`.
  public var calibration: String?
  /// What sounds.
  public var beacons: [Beacon]
  /// The beacons' sound file; nil for the one that ships.
  public var sound: String?
  /// The HRTF data set, see `HRTFCatalogue.select`.
  public var hrtf: String?
  /// What is changed of a data set that is a SOFA file.
  public var fitting: HRTFFitting
  /// Hz, one of `sampleRates`, or nil for the data set's own.
  public var sampleRate: Int?
  /// Which course along the track counts.
  public var course: CourseSource
  /// How the head's heading is found.
  public var calibrator: CalibratorName
  /// What the zero of the head's yaw is.
  public var headReference = HeadReference.unknown
  /// Whether the head's pitch and roll are left out, as the published renderer does.
  public var isYawOnly: Bool
  /// The beacons' style, see `BeaconStyle(named:)`; goes before `sound`. Nil for none.
  public var style: String?
  /// A GPX file whose route's places sound one after the other, besides `beacons`.
  public var route: String?
  /// Metres from a place of the route at which the next one follows.
  public var advance = 12.0
  /// Where beacons are arrived at, and left again; nil for that of `Vicinity` with a style, and for none
  /// without.
  public var vicinity: Vicinity?
  /// How loudness falls with the distance.
  public var distanceModel = DistanceModel.constant
  /// Decibels of all beacons against their sounds, besides their own, at most 0.
  public var gain = 0.0
  /// When beacons are said; nil for never.
  public var callouts: Callouts?
  /// Who speaks in it, see `SpeechSynthesizer`.
  var voice: String { (callouts ?? Callouts()).voice }

  /// The rates that can be asked for, Hz.
  public static let sampleRates = 8000...192_000

  /// A scene along a track.
  public init(
    track: String? = nil, head: String? = nil, phone: String? = nil, calibration: String? = nil,
    beacons: [Beacon] = [], sound: String? = nil, hrtf: String? = nil,
    fitting: HRTFFitting = HRTFFitting(), sampleRate: Int? = nil,
    course: CourseSource = .automatic, calibrator: CalibratorName = .adaptive,
    isYawOnly: Bool = false
  ) {
    self.track = track
    self.head = head
    self.phone = phone
    self.calibration = calibration
    self.beacons = beacons
    self.sound = sound
    self.hrtf = hrtf
    self.fitting = fitting
    self.sampleRate = sampleRate
    self.course = course
    self.calibrator = calibrator
    self.isYawOnly = isYawOnly
  }
}

extension Scene {
  /// All of its beacons, the places of its route first, and the route.
  ///
  /// - Throws: `FileError` if the route cannot be read.
  func placedBeacons() throws(FileError) -> (beacons: [Beacon], route: RouteProgress?) {
    guard GeodeticCoordinate.isUsable else {
      throw FileError(.notFound, file: "libproj.so.25", "is not installed (Debian: libproj25)")
    }
    guard let path = route else { return (beacons, nil) }
    let route = try Route(path: path)
    return (
      route.beacons.map { Beacon($0) } + beacons,
      RouteProgress(route, advanceDistance: advance)
    )
  }
}
