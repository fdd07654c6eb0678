public import Geometry
public import HeadTracking
public import Navigation

extension AurientSession {
  /// How a session stands.
  public struct State: Equatable, Sendable {
    /// How a beacon stands.
    public struct Beacon: Equatable, Sendable {
      /// Its name.
      public var name: String
      /// Where it is.
      public var coordinate: GeodeticCoordinate
      /// How it lies to the listener; without a distance before the first place.
      public var geometry: BeaconGeometry
      /// Whether it sounds, and if not, why.
      public var presence: BeaconState.Presence
      /// The region that it lies in; nil without a style, and before the first heading.
      public var region: BeaconRegion?
    }

    /// The session's clock, seconds.
    public var time = 0.0
    /// The listener's place and headings, where they are known.
    public var user = UserGeometry()
    /// The heading by which sound is presented.
    public var heading: PresentationHeading?
    /// Degrees within which the head's heading lies at 95 %.
    public var headingUncertainty: Double?
    /// How far head tracking has come.
    public var tracking = HeadTrackerStatus.unavailable
    /// How old what is known is.
    public var ages = UserReadings.Ages()
    /// Whether the place is too old to be trusted, or there is none.
    public var isLocationStale = true
    /// Whether the device of a live session is there; always so of a pulled one.
    public var isPlaying = true
    /// Whether the session has ended.
    public var hasEnded = false
    /// How often the device of a live session was opened anew.
    public var reopenings = 0
    /// The loudest sample of the beacons' own sounds since the state before, 0 to 1.
    public var peak: Float = 0
    /// The place of the route that sounds, counted from 0, and how many there are.
    public var route = (place: 0, count: 0)
    /// The beacons, a route's places first. One that was placed since the last sound comes with the next.
    public var beacons: [Beacon] = []
    /// Frames pulled so far.
    public var frameCount = 0
    /// Recentrings that had no head to recentre, and words for which there was no room.
    public var refusedCount = 0

    /// Whether both are the same.
    public static func == (one: State, other: State) -> Bool {
      one.time == other.time && one.user == other.user && one.heading == other.heading
        && one.headingUncertainty == other.headingUncertainty && one.tracking == other.tracking
        && one.ages == other.ages && one.isLocationStale == other.isLocationStale
        && one.isPlaying == other.isPlaying && one.hasEnded == other.hasEnded
        && one.reopenings == other.reopenings && one.peak == other.peak
        && one.route == other.route && one.beacons == other.beacons
        && one.frameCount == other.frameCount && one.refusedCount == other.refusedCount
    }
  }
}

extension AurientSession.State {
  /// A pulled session's, as its board has it.
  init(_ moment: StateBoard.Moment, sampleRate: Int, routeCount: Int, hasEnded: Bool) {
    time = Double(moment.frame) / Double(sampleRate)
    user = moment.user
    heading = moment.heading
    headingUncertainty = moment.headingUncertainty
    tracking = moment.tracking
    ages = moment.ages
    isLocationStale = moment.isLocationStale
    peak = moment.peak
    route = (moment.routePlace, routeCount)
    frameCount = moment.frame
    refusedCount = moment.refusedCount
    self.hasEnded = hasEnded
  }

  /// A live session's.
  init(_ live: LiveSession.State, seconds: Double) {
    let scene = live.scene
    time = seconds
    user = scene.user
    heading = scene.heading
    headingUncertainty = scene.headingUncertainty
    tracking = scene.status
    ages = live.ages
    isLocationStale = live.isLocationStale
    isPlaying = live.isPlaying
    reopenings = live.reopenings
    peak = live.peak
    route = (scene.route?.index ?? 0, scene.route?.route.beacons.count ?? 0)
    beacons = scene.beacons.enumerated().map { index, beacon in
      Beacon(
        name: scene.name(index), coordinate: beacon.beacon.coordinate, geometry: beacon.geometry,
        presence: beacon.presence, region: beacon.region)
    }
  }
}

extension AurientSession.State.Beacon {
  /// A pulled session's, as its board has it.
  init(_ name: String, _ moment: StateBoard.BeaconMoment) {
    self.name = name
    coordinate = moment.coordinate
    geometry = moment.geometry
    presence = moment.presence
    region = moment.region
  }
}
