import Aurient
import Files
import HeadTracking
import Navigation

/// A scene on a walk, both moved on together.
struct WalkingScene {
  private(set) var scene: BeaconScene
  private var walk: Walk

  init(
    track: Track, phone: ReferenceSeries, beacons: [Beacon],
    calibrator: CalibratorName = .adaptive, isYawOnly: Bool
  ) {
    walk = Walk(track, phone: phone)
    scene = BeaconScene(
      beacons: beacons.map { BeaconState($0) }, calibrator: calibrator, isYawOnly: isYawOnly)
  }

  mutating func advance(to frame: MotionFrame) {
    scene.advance(to: frame, walk.readings(at: frame.time))
  }

  mutating func advance(to time: Timestamp) { scene.advance(to: time, walk.readings(at: time)) }

  var heading: PresentationHeading? { scene.heading }
  var headingUncertainty: Double? { scene.headingUncertainty }
  var status: HeadTrackerStatus { scene.status }
  var beacons: [BeaconState] { scene.beacons }
}
