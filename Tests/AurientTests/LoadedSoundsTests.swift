import Files
import Geometry
import Glibc
import HRTF
import Navigation
import SpatialAudio
import TestSupport
import Testing

@testable import Aurient

/// Sounds that a session is given while it plays.
@Suite struct LoadedSoundsTests {
  private static let here = LocationFix(
    coordinate: GeodeticCoordinate(latitude: 51.4769, longitude: 0.0005), course: 90)
  private static let place = GeodeticCoordinate(latitude: 51.4764, longitude: -0.0031)

  private static func mix(_ sampleRate: Int) throws -> LoopbackMix {
    let selection = try testCatalogue.select(nil, sampleRate: sampleRate)
    return try LoopbackMix(
      sampleRate: sampleRate, dataSets: selection.dataSets, sourceCount: Session.mostBeacons)
  }

  /// The first second of what is heard after some inputs.
  private static func heard(_ session: Session, _ mix: LoopbackMix, _ inputs: [SessionInput]) throws
    -> [Float]
  {
    for input in inputs { try session.take(input, at: Timestamp(nanoseconds: 0)) }
    session.show()
    session.prepare(upTo: mix.sampleRate)
    var samples = [Float](repeating: 0, count: 2 * mix.sampleRate)
    samples.withUnsafeMutableBufferPointer { mix.render(into: $0) }
    return samples
  }

  private static func session(
    style: String? = nil, sound: String? = nil, on mix: LoopbackMix
  ) throws -> Session {
    let beacon = Beacon(name: "A", coordinate: place)
    return try Session(
      Scene(beacons: [.init(beacon, sound: sound, style: style)]), on: mix)
  }

  struct Case: Sendable, CustomStringConvertible {
    var isStyle: Bool
    var isLoaded: Bool
    /// Of the stage that the session begins on, before it goes to one of 48 kHz.
    var firstRate: Int
    var description: String { "style \(isStyle), loaded \(isLoaded), from \(firstRate) Hz" }
  }

  /// However a beacon came to its sounds, and whatever device went before, it sounds as if it had had them
  /// from the first.
  @Test(arguments: [
    Case(isStyle: true, isLoaded: true, firstRate: 48_000),
    Case(isStyle: true, isLoaded: false, firstRate: 48_000),
    Case(isStyle: false, isLoaded: true, firstRate: 48_000),
    Case(isStyle: true, isLoaded: true, firstRate: 44_100),
    Case(isStyle: false, isLoaded: true, firstRate: 44_100),
  ])
  func soundAsFromTheFirst(_ testCase: Case) throws {
    let style = projectFolder + "/Sounds/wood"
    let sound = projectFolder + "/Sounds/pulse.flac"
    let expected = try Self.mix(48_000)
    let from = try Self.session(
      style: testCase.isStyle ? style : nil, sound: testCase.isStyle ? nil : sound, on: expected)
    let whole = try Self.heard(from, expected, [.fix(Self.here)])
    #expect(whole.map(abs).max() ?? 0 > 0.01)

    let first = try Self.mix(testCase.firstRate)
    let session = try Self.session(on: first)
    let rate = testCase.firstRate
    let command: SceneCommand =
      testCase.isStyle
      ? .style(
        name: "A", style,
        testCase.isLoaded ? try LoadedSounds(style: style, sampleRate: rate) : nil)
      : .sound(
        name: "A", path: sound,
        testCase.isLoaded ? try LoadedSounds(sound: sound, sampleRate: rate) : nil)
    try session.take(.command(command), at: Timestamp(nanoseconds: 0))
    var mix = first
    if rate != 48_000 {
      mix = try Self.mix(48_000)
      try session.move(to: mix)
    }
    let again = try Self.heard(session, mix, [.fix(Self.here)])
    #expect(again == whole)
  }

  /// With a style comes the arrival, and goes with a plain sound; another style does not undo it.
  @Test func arrivalComesWithAStyle() throws {
    let session = try Self.session(on: try Self.mix(48_000))
    let time = Timestamp(nanoseconds: 0)
    func take(_ input: SessionInput) throws -> BeaconState.Presence {
      try session.take(input, at: time)
      session.show()
      return session.scene.beacons[0].presence
    }
    let there = SessionInput.fix(LocationFix(coordinate: Self.place, course: 90))
    // Who is near at the first has not arrived.
    #expect(try take(there) == .sounding)
    #expect(try take(.command(.style(name: "A", "wood"))) == .sounding)
    #expect(try take(.fix(Self.here)) == .sounding)
    #expect(try take(there) == .arrived)
    #expect(try take(.command(.style(name: "A", "drops"))) == .arrived)
    let sound = projectFolder + "/Sounds/pulse.flac"
    #expect(try take(.command(.sound(name: "A", path: sound))) == .sounding)
    #expect(try take(.fix(Self.here)) == .sounding)
    #expect(try take(there) == .sounding)
  }

  @Test func knowWhetherTheirFilesHaveChanged() throws {
    let folder = TemporaryFolder()
    for words in [
      "cp -r \(projectFolder)/Sounds/wood \(folder.path)/wood",
      "cp \(projectFolder)/Sounds/pulse.flac \(folder.path)/pulse.flac",
    ] { try #require(system(words) == 0) }
    let style = try LoadedSounds(style: folder.path + "/wood", sampleRate: 48_000)
    let sound = try LoadedSounds(sound: folder.path + "/pulse.flac", sampleRate: 48_000)
    #expect(style.areCurrent && sound.areCurrent)
    let loop = try BeaconStyle(path: folder.path + "/wood").loops[0].file
    try #require(system("touch \(folder.path)/pulse.flac && rm \(loop)") == 0)
    #expect(!style.areCurrent && !sound.areCurrent)
  }

  /// A scene's beacons without names are called as the state calls them.
  @Test func beaconsWithoutNames() throws {
    let mix = try Self.mix(48_000)
    var scene = Scene(beacons: [.init(Beacon(coordinate: Self.place))])
    scene.sound = projectFolder + "/Sounds/pulse.flac"
    let session = try Session(scene, on: mix)
    let other = GeodeticCoordinate(latitude: 1, longitude: 2)
    let time = Timestamp(nanoseconds: 0)
    try session.take(.command(.place(name: "beacon 1", other)), at: time)
    #expect(session.scene.beacons.map(\.beacon.coordinate) == [other])
    #expect(throws: SessionError.self) {
      try session.take(.command(.gain(name: "beacon 2", -3)), at: time)
    }
  }
}
