import Files
import Geometry
import Navigation

/// When a scene's beacons are said, and by whom.
public struct Callouts: Equatable, Sendable {
  /// Seconds from one round of callouts to the next; nil for none.
  public var interval: Double?
  /// Whether a beacon is said, too, as the listener comes near.
  public var isOnApproach: Bool
  /// Who speaks, see `SpeechSynthesizer`.
  public var voice: String

  /// What an interval may be, s.
  public static let intervals = 5.0...86_400

  /// Callouts in these ways.
  public init(interval: Double? = nil, isOnApproach: Bool = true, voice: String = "en") {
    self.interval = interval
    self.isOnApproach = isOnApproach
    self.voice = voice
  }
}

/// Which beacon is to be said at a moment of a scene.
///
/// Only beacons that sound are said: the nearest ones in each round, one as the listener comes nearer than 100,
/// 50 and 25 m, and the place of a route that has become the next. What is due waits until the one before
/// it is said.
public struct CalloutSchedule: Sendable {
  private let callouts: Callouts
  private var due: [Int] = []
  private var nextRound: Timestamp?
  private var place: Int?
  /// How many of the marks each beacon is within.
  private var passed: [Int] = []
  /// When each beacon was said last.
  private var saidTimes: [Timestamp?] = []

  /// Metres.
  private static let marks = [100.0, 50, 25]
  /// Seconds for which a beacon that has been said is not said again: at most half an interval.
  private var pause: Double { min(10, (callouts.interval ?? 20) / 2) }
  /// By how much farther than a mark one must be for it to count again.
  private static let margin = 1.2
  /// Beacons of a round.
  private static let roundLength = 3

  /// A schedule before the first moment.
  public init(_ callouts: Callouts) { self.callouts = callouts }

  /// Takes in the scene's present moment.
  public mutating func update(_ scene: BeaconScene) {
    guard scene.user.location != nil else { return }
    if saidTimes.count != scene.beacons.count {
      // Some have come or gone: what is known of the numbers is of others.
      saidTimes = scene.beacons.map { _ in nil }
      passed.removeAll()
      due.removeAll()
    }
    updateRoute(scene)
    updateApproach(scene)
    updateRound(scene)
  }

  private mutating func updateRoute(_ scene: BeaconScene) {
    guard let route = scene.route, route.index != place else { return }
    place = route.index
    if route.next != nil { require(route.index) }
  }

  private mutating func updateApproach(_ scene: BeaconScene) {
    guard callouts.isOnApproach else { return }
    let isFirst = passed.count != scene.beacons.count
    if isFirst { passed = scene.beacons.map { _ in 0 } }
    for index in scene.beacons.indices {
      let distance = scene.beacons[index].geometry.distance
      var count = Self.marks.count { distance < $0 }
      if count < passed[index], distance <= Self.margin * Self.marks[passed[index] - 1] {
        count = passed[index]
      }
      if count > passed[index], !isFirst, !wasJustSaid(index, scene) { require(index) }
      passed[index] = count
    }
  }

  private mutating func updateRound(_ scene: BeaconScene) {
    guard let interval = callouts.interval else { return }
    guard let time = nextRound else {
      nextRound = scene.time + interval
      return
    }
    guard scene.time >= time else { return }
    nextRound = time + interval
    let sounding = scene.beacons.indices.filter {
      scene.beacons[$0].isSounding && !wasJustSaid($0, scene)
    }
    let nearest = sounding.sorted {
      scene.beacons[$0].geometry.distance < scene.beacons[$1].geometry.distance
    }
    for index in nearest.prefix(Self.roundLength) { require(index) }
  }

  private func wasJustSaid(_ index: Int, _ scene: BeaconScene) -> Bool {
    saidTimes[index].map { scene.time.seconds(since: $0) < pause } ?? false
  }

  private mutating func require(_ index: Int) {
    if !due.contains(index) { due.append(index) }
  }

  /// The beacon that is to be said now, if any; it is no longer due then.
  public mutating func next(_ scene: BeaconScene) -> Int? {
    while !due.isEmpty {
      let index = due.removeFirst()
      guard scene.beacons[index].isSounding else { continue }
      saidTimes[index] = scene.time
      return index
    }
    return nil
  }
}
