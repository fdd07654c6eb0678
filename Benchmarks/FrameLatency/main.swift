import Aurient
import Files
import Geometry
import Glibc
import HRTF
import HeadTracking
import Navigation
import SpatialAudio

// Times head frames: from an attitude to the heading, and on to the calls by which listener and source have been
// turned. Built with AURIENT_BENCHMARK set. Prints a JSON object: nanoseconds by quantile.
//
// FrameLatency [FRAMES]

/// How often something took how many nanoseconds.
struct Histogram {
  private var counts = [Int](repeating: 0, count: 100_000)
  private(set) var longest = 0

  mutating func add(_ nanoseconds: Int) {
    counts[min(nanoseconds, counts.count - 1)] += 1
    longest = max(longest, nanoseconds)
  }

  /// What a share of all did not take longer than; of the rare ones beyond the last count its bound.
  func quantile(_ share: Double) -> Int {
    let rank = Int(share * Double(counts.reduce(0, +)))
    var sum = 0
    for (nanoseconds, count) in counts.enumerated() {
      sum += count
      if sum > rank { return nanoseconds }
    }
    return longest
  }

  var json: String {
    "{\"p50\": \(quantile(0.5)), \"p99\": \(quantile(0.99)), \"p999\": \(quantile(0.999)), \"max\": \(longest)}"
  }
}

func now() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

let frameCount = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10_000_000
let selection = try HRTFCatalogue().select(nil, sampleRate: nil)
let rate = selection.sampleRate ?? 48_000
let mix = try LoopbackMix(sampleRate: rate, dataSets: selection.dataSets, sourceCount: 1)
let loop = [Float](repeating: 0.1, count: rate)
let audio = try SceneAudio([.init(StyleSounds(loop: loop))], on: mix)
let beacon = Beacon(coordinate: GeodeticCoordinate(latitude: 51.51, longitude: -0.1))
var scene = BeaconScene(beacons: [BeaconState(beacon)], isYawOnly: false)

let sound = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * 64)
var calibration = Histogram()
var whole = Histogram()
for index in 0..<frameCount {
  let time = Timestamp(nanoseconds: 1_790_000_000_000_000_000 + Int64(index) * 10_000_000)
  // Walking at 1.4 m/s and looking about; a course a second, ten headings of the phone.
  let seconds = Double(index) / 100
  let attitude = CoreMotionAngles(
    yaw: 0.7 * sin(seconds), pitch: 0.05 * sin(2 * seconds), roll: 0.03 * cos(1.6 * seconds)
  ).quaternion
  let place = GeodeticCoordinate(
    latitude: 51.5 + 0.001 * sin(0.0014 * seconds), longitude: -0.1)
  let second = time + -Double(index % 100) / 100
  let tenth = time + -Double(index % 10) / 100
  let readings = ListenerReadings(
    location: place, course: .init(time: second, direction: 3 * sin(seconds)),
    phone: .init(time: tenth, direction: 5 * sin(seconds / 3)))

  let start = now()
  scene.advance(to: MotionFrame(time: time, attitude: attitude), readings)
  let headed = now()
  audio.update(scene, goesOn: index % 16 == 1)
  let turned = now()
  calibration.add(headed - start)
  whole.add(turned - start)
  audio.begin(scene, at: mix.frame)
  // The engine takes up some of the changes, as it does every few frames of a device.
  if index % 16 == 0 {
    audio.prepare(scene, at: mix.frame)
    mix.render(into: sound)
  }
}
print(
  "{\"frames\": \(frameCount), \"heading_ns\": \(calibration.json), \"listener_ns\": \(whole.json)}"
)
