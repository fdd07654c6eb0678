import Aurient
import Files
import Geometry
import HeadTracking
import Navigation
import Testing

@Suite struct CalloutTests {
  /// What is said on a walk north at 1 m/s, when, if each callout takes two seconds.
  private func said(
    _ callouts: Callouts, beacons: [Beacon], route: Route? = nil, seconds: Int, off: Int? = nil
  ) -> [(second: Int, beacon: Int)] {
    var scene = BeaconScene(
      beacons: beacons.map { BeaconState($0) }, route: route.flatMap { RouteProgress($0) },
      isYawOnly: true)
    if let off { scene.turn(off, off: true) }
    var schedule = CalloutSchedule(callouts)
    var (said, free): ([(Int, Int)], Int) = ([], 0)
    for second in 0...seconds {
      let place = SyntheticScene.place.destination(bearing: 0, distance: Double(second))
      scene.advance(
        to: Timestamp(nanoseconds: 0) + Double(second), ListenerReadings(location: place))
      schedule.update(scene)
      guard second >= free, let beacon = schedule.next(scene) else { continue }
      said.append((second, beacon))
      free = second + 2
    }
    return said
  }

  private func expect(_ said: [(second: Int, beacon: Int)], _ expected: [(Int, Int)]) {
    #expect(said.map { "\($0.second): \($0.beacon)" } == expected.map { "\($0.0): \($0.1)" })
  }

  private static func beacon(north: Double, east: Double = 0) -> Beacon {
    Beacon(
      coordinate: SyntheticScene.place.destination(bearing: 0, distance: north)
        .destination(bearing: 90, distance: east))
  }

  /// The three nearest that sound, one after the other.
  @Test func rounds() {
    let beacons = [900, 700, 300, 500, 800].map { Self.beacon(north: $0) }
    expect(
      said(Callouts(interval: 20), beacons: beacons, seconds: 50, off: 3),
      [(20, 2), (22, 1), (24, 4), (40, 2), (42, 1), (44, 4)])
    expect(
      said(Callouts(interval: 20, isOnApproach: false), beacons: [], seconds: 50), [])
  }

  /// Nearer than 100, 50 and 25 m of a beacon straight ahead; where one begins counts for nothing. Going back
  /// and forth about a mark says nothing more.
  @Test func approach() {
    let beacons = [Self.beacon(north: 120.5), Self.beacon(north: 0, east: 80)]
    expect(said(Callouts(), beacons: beacons, seconds: 130), [(21, 0), (71, 0), (96, 0)])
    expect(said(Callouts(isOnApproach: false), beacons: beacons, seconds: 130), [])
    // Just said: not again. The round is at 20 s, the mark at 21.
    expect(
      said(Callouts(interval: 20), beacons: [Self.beacon(north: 120.5)], seconds: 35), [(20, 0)])
  }

  /// Each place of a route as its turn comes.
  @Test func routes() throws {
    let places = [0.0, 40, 300].map { Self.beacon(north: $0) }
    expect(
      said(
        Callouts(isOnApproach: false), beacons: places, route: Route(beacons: places), seconds: 60),
      // The first is reached at the start.
      [(0, 1), (29, 2)])
  }
}

@Suite struct SpeechTests {
  /// A second or more, loud enough, the same each time; faster than it is spoken at another rate as well.
  @Test(arguments: [8000, 44_100, 48_000])
  func words(rate: Int) throws {
    let synthesizer = try SpeechSynthesizer(sampleRate: rate)
    let samples = try synthesizer.samples(of: "Fountain, 40 metres, ahead left")
    #expect(1.0...5.0 ~= Double(samples.count) / Double(rate))
    #expect(abs((samples.map(abs).max() ?? 0) - 0.5) < 0.1)
    #expect(try synthesizer.samples(of: "Fountain, 40 metres, ahead left") == samples)
    #expect(try synthesizer.samples(of: "Well, 40 metres, ahead left") != samples)
  }

  /// Names are text, whatever is in them; a long one is cut off.
  @Test(arguments: [
    "-v xx", "--help", "$(touch /tmp/x)", "two\nlines", "Brücke 橋 😀", "<voice name='x'>a", "\u{0}a",
  ])
  func difficultNames(name: String) throws {
    let synthesizer = try SpeechSynthesizer(sampleRate: 22_050)
    #expect(try synthesizer.samples(of: name + ", 40 metres").count > 10_000)
    let endless = String(repeating: name, count: 100_000)
    #expect(try synthesizer.samples(of: endless).count <= 15 * 22_050)
  }

  @Test func anUnknownVoice() {
    let error = #expect(throws: FileError.self) {
      _ = try SpeechSynthesizer(voice: "klingonx", sampleRate: 48_000)
    }
    #expect(error?.description == #"espeak-ng: failed; has it no voice "klingonx"?"#)
  }
}
