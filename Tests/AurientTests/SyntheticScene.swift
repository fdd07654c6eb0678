import Aurient
import Files
import Geometry
import Glibc
import HRTF
import Navigation
import SpatialAudio
import HeadTracking
import TestSupport

/// A listener who stands still at 51° N 0° E while the head turns at known moments.
///
/// The phone points to 30° until 2.5 s, so that the head's yaw of the first two seconds is calibrated
/// to this heading; then its compass fails, and nothing moves the calibration any more.
struct SyntheticScene: ~Copyable {
  /// How the head is turned from a moment on: degrees to the left, up, and with the right ear down.
  struct Turn {
    var milliseconds: Int
    var left = 0.0
    var up = 0.0
    var rolled = 0.0
  }

  static let place = GeodeticCoordinate(latitude: 51, longitude: 0)
  static let heading = 30.0
  /// 2026-09-21 14:13:20 UTC, milliseconds.
  static let start: Int64 = 1_790_000_000_000

  let folder = TemporaryFolder()
  let track: String
  private(set) var head: String?
  private(set) var phone: String?

  /// A scene that ends after `seconds`.
  ///
  /// - Parameters:
  ///   - turns: In the order of time; nil for no head log.
  ///   - headRate: Head frames a second, which divides 1000.
  init(seconds: Int, turns: [Turn]?, headRate: Int = 100, hasPhone: Bool = true) {
    convertShippedSets()
    func point(_ second: Int) -> String {
      let time = Timestamp(nanoseconds: (Self.start + Int64(second) * 1000) * 1_000_000)
      return "<trkpt lat=\"51\" lon=\"0\"><time>\(time)</time></trkpt>"
    }
    track = folder.file(
      "walk.gpx", "<gpx><trk><trkseg>\(point(0))\(point(seconds))</trkseg></trk></gpx>")
    if hasPhone {
      phone = folder.file(
        "phone.csv",
        "timestamp,trueHeading,headingAccuracy\n\(Self.start),\(Self.heading),5\n"
          + "\(Self.start + 2500),\(Self.heading),-1\n")
    }
    if let turns {
      var moments = Set(stride(from: 0, through: seconds * 1000, by: 1000 / headRate))
      moments.formUnion(turns.map(\.milliseconds))
      var rows = "timestamp,yaw,pitch,roll\n"
      for moment in moments.sorted() {
        let turn = turns.last { $0.milliseconds <= moment } ?? Turn(milliseconds: 0)
        let angles = [0.7 + radians(degrees: turn.left), radians(degrees: turn.up)]
        rows += "\(Self.start + Int64(moment)),\(angles[0]),\(angles[1]),"
        rows += "\(radians(degrees: turn.rolled))\n"
      }
      head = folder.file("head.csv", rows)
    }
  }

  /// The scene with a beacon 100 m away, at an angle to the right of the first heading.
  func scene(
    beaconAt angle: Double, name: String? = nil, sound: String? = nil, hrtf: String? = nil,
    isYawOnly: Bool = false
  ) -> Scene {
    let place = Self.place.destination(bearing: Self.heading + angle, distance: 100)
    return Scene(
      track: track, head: head, phone: phone,
      beacons: [.init(Beacon(name: name, coordinate: place))], sound: sound, hrtf: hrtf,
      calibrator: .classic, isYawOnly: isYawOnly)
  }

  /// Writes a sound into the scene's folder and returns its path.
  func sound(_ samples: [Float], sampleRate: Int) throws -> String {
    let path = folder.path + "/sound.wav"
    let writer = try SoundFileWriter(
      path: path, sampleRate: sampleRate, channelCount: 1, expectedFrames: samples.count)
    try samples.withUnsafeBufferPointer { samples throws(FileError) in try writer.write(samples) }
    try writer.commit()
    return path
  }
}

/// All samples of a scene, left and right by turns, and its last moment.
func rendering(of scene: Scene) throws -> (samples: [Float], last: BeaconScene, sampleRate: Int) {
  let renderer = try OfflineRenderer(scene, catalogue: testCatalogue)
  var samples: [Float] = []
  try renderer.render(onMove: { _ in }, onSound: { samples.append(contentsOf: $0) })
  return (samples, renderer.scene, renderer.sampleRate)
}

/// Energy of one ear (0 left, 1 right) over a range of sound frames.
func energy(_ samples: [Float], ear: Int, _ frames: Range<Int>) -> Double {
  frames.reduce(0) { $0 + Double(samples[2 * $1 + ear]) * Double(samples[2 * $1 + ear]) }
}

func decibels(_ ratio: Double) -> Double { 10 * log10(ratio) }

/// Noise whose end may follow its beginning, the same in every run.
func noise(count: Int, amplitude: Float = 0.1) -> [Float] {
  var generator = SeededGenerator(seed: 1)
  return (0..<count).map { _ in Float.random(in: -amplitude...amplitude, using: &generator) }
}
