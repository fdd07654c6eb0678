import Aurient
import Files
import Geometry
import HeadTracking
import Navigation
import TestSupport
import Testing

/// What a scene is heard by when the headphones go and come back.
@Suite struct HeadLossTests {
  static func time(_ seconds: Double) -> Timestamp { Timestamp(nanoseconds: 0) + seconds }

  static func scene() throws -> WalkingScene {
    let fixes = (0...60).map { second in
      LocationFix(
        time: time(Double(second)),
        coordinate: GeodeticCoordinate(latitude: 51 + Double(second) * 1e-5, longitude: 0),
        course: 10)
    }
    return WalkingScene(
      track: try #require(Track(fixes: fixes)), phone: ReferenceSeries(),
      beacons: [Beacon(coordinate: GeodeticCoordinate(latitude: 51.01, longitude: 0))],
      isYawOnly: false)
  }

  static func frame(_ seconds: Double) -> MotionFrame {
    MotionFrame(time: time(seconds), attitude: .identity)
  }

  /// The course takes over at the first moment without a head; the head that comes back is a new one.
  @Test func fallsBackAtOnce() throws {
    var scene = try Self.scene()
    for index in 0..<500 { scene.advance(to: Self.frame(Double(index) / 25)) }
    #expect(scene.heading?.source == .head)
    #expect(scene.status == .calibrated)
    #expect((scene.headingUncertainty ?? 180) < 20)
    scene.advance(to: Self.time(20.02))
    #expect(scene.heading == PresentationHeading(degrees: 10, source: .course))
    #expect(scene.status == .disconnected)
    #expect(scene.headingUncertainty == nil)
    scene.advance(to: Self.frame(20.04))
    #expect(scene.status == .connected)
    #expect(scene.heading?.source == .course)
    for index in 0..<500 { scene.advance(to: Self.frame(20.08 + Double(index) / 25)) }
    #expect(scene.heading?.source == .head)
  }

  /// Without a head there is no tracker to speak of.
  @Test func aSceneWithoutHeadStaysUnavailable() throws {
    var scene = try Self.scene()
    for index in 0..<10 { scene.advance(to: Self.time(Double(index))) }
    #expect(scene.status == .unavailable)
  }

  /// A gap in the log that counts as a new connection is heard by the course; a shorter one is not.
  @Test(arguments: [(2.5, true), (1.9, false)])
  func gapsOfALog(_ gap: Double, _ isLost: Bool) throws {
    let folder = TemporaryFolder()
    let times = (0..<500).map { 40 * $0 + ($0 >= 300 ? Int(gap * 1000) - 40 : 0) }
    let head = folder.file(
      "head.csv", "timestamp,yaw\n" + times.map { "\(1_790_000_000_000 + $0),0.5\n" }.joined())
    let track = folder.file(
      "walk.csv",
      "timestamp,latitude,longitude,course\n"
        + (0...25).map { "\(1_790_000_000_000 + 1000 * $0),51.\(100 + $0),0,10\n" }.joined())
    let scene = Scene(
      track: track, head: head,
      beacons: [.init(Beacon(coordinate: GeodeticCoordinate(latitude: 51.2, longitude: 0.1)))])
    let renderer = try OfflineRenderer(scene, catalogue: testCatalogue)
    var moments: [(time: Double, source: HeadingSource?, status: HeadTrackerStatus)] = []
    try renderer.render(
      onMove: {
        moments.append(($0.time.seconds(since: renderer.start), $0.heading?.source, $0.status))
      }, onSound: { _ in })
    let last = 299 * 0.04
    let without = moments.filter { $0.time > last + 0.001 && $0.time < last + gap - 0.001 }
    #expect(without.count == (isLost ? Int(gap / 0.02) - 1 : 0))
    #expect(without.allSatisfy { $0.source == .course && $0.status == .disconnected })
    let first = try #require(moments.first { $0.time > last + gap - 0.001 })
    #expect(first.status == (isLost ? .connected : .calibrated))
    #expect(zip(moments, moments.dropFirst()).allSatisfy { $0.time < $1.time })
  }
}
