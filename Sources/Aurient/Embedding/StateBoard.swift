import Geometry
import HeadTracking
import Navigation
import Synchronization

/// How a pulled session stands, from the thread that pulls to one that looks, without locks: of three slots each
/// side holds one and swaps it for the third. Nothing on it is counted by reference, so that neither side ever
/// releases what is the other's.
final class StateBoard: @unchecked Sendable {
  /// How the session stands, beacons aside.
  struct Moment {
    var frame = 0
    var user = UserGeometry()
    var heading: PresentationHeading?
    var headingUncertainty: Double?
    var tracking = HeadTrackerStatus.unavailable
    var ages = UserReadings.Ages()
    var isLocationStale = true
    var peak: Float = 0
    var routePlace = 0
    var refusedCount = 0
  }

  /// How a beacon stands; its name is known by its number alone.
  struct BeaconMoment {
    var number: Int
    var coordinate: GeodeticCoordinate
    var geometry: BeaconGeometry
    var presence: BeaconState.Presence
    var region: BeaconRegion?
  }

  private struct Slot {
    var moment = Moment()
    var beaconCount = 0
  }

  private let capacity: Int
  private let slots = UnsafeMutablePointer<Slot>.allocate(capacity: 3)
  private let beacons: UnsafeMutablePointer<BeaconMoment>
  /// The slot that neither side holds, plus 4 while it is newer than the reader's.
  private let spare = Atomic(2)
  private var writerSlot = 0
  private var readerSlot = 1
  private var peak: Float = 0

  /// A board for so many beacons.
  init(capacity: Int) {
    self.capacity = capacity
    slots.initialize(repeating: Slot(), count: 3)
    beacons = .allocate(capacity: 3 * capacity)
    let nowhere = BeaconMoment(
      number: 0, coordinate: GeodeticCoordinate(latitude: 0, longitude: 0),
      geometry: BeaconGeometry(bearing: 0, distance: 0), presence: .off)
    beacons.initialize(repeating: nowhere, count: 3 * capacity)
  }

  deinit {
    slots.deallocate()
    beacons.deallocate()
  }

  /// Shows a moment, whose peak is that since the last; and the scene's beacons, which have these numbers. On the
  /// thread that pulls.
  func publish(_ moment: Moment, _ scene: BeaconScene, numbers: BeaconNumbers) {
    // Of those that nobody has looked at, the greatest.
    let isUnread = spare.load(ordering: .relaxed) & 4 != 0
    peak = isUnread ? max(peak, moment.peak) : moment.peak
    let count = min(capacity, scene.beacons.count)
    slots[writerSlot].moment = moment
    slots[writerSlot].moment.peak = peak
    slots[writerSlot].beaconCount = count
    for index in 0..<count {
      beacons[writerSlot * capacity + index] = BeaconMoment(
        number: numbers[index], coordinate: scene.beacons[index].beacon.coordinate,
        geometry: scene.beacons[index].geometry, presence: scene.beacons[index].presence,
        region: scene.beacons[index].region)
    }
    writerSlot = spare.exchange(writerSlot | 4, ordering: .acquiringAndReleasing) & 3
  }

  /// The newest moment, and its beacons. One thread at a time.
  ///
  /// - Parameter takingPeak: Whether the peak counts as looked at.
  func read(takingPeak: Bool) -> (moment: Moment, beacons: [BeaconMoment]) {
    if spare.load(ordering: .relaxed) & 4 != 0 {
      let kept = slots[readerSlot].moment.peak
      readerSlot = spare.exchange(readerSlot, ordering: .acquiringAndReleasing) & 3
      // Not looked at before.
      slots[readerSlot].moment.peak = max(slots[readerSlot].moment.peak, kept)
    }
    let moment = slots[readerSlot].moment
    if takingPeak { slots[readerSlot].moment.peak = 0 }
    let count = slots[readerSlot].beaconCount
    return (
      moment, (0..<count).map { beacons[readerSlot * capacity + $0] }
    )
  }
}
