// Says what is around a listener, nearest first, each place from where it is: what a screen reader for
// the street would do. See README.md.
import Aurient
import Glibc

/// Metres within which places are said.
let horizon = 500.0
/// Seconds from one place to the next.
let pause = 0.3

/// The places of a CSV file with the columns `name`, `latitude` and `longitude`.
func places(path: String) throws -> [Beacon] {
  let reader = try CSVReader(path: path)
  let name = try reader.requiredColumn("name")
  let latitude = try reader.requiredColumn("latitude")
  let longitude = try reader.requiredColumn("longitude")
  var places: [Beacon] = []
  while try reader.next() {
    let coordinate = GeodeticCoordinate(
      latitude: try reader.requiredNumber(latitude), longitude: try reader.requiredNumber(longitude)
    )
    guard coordinate.isValid else { throw reader.bad(latitude, "is no place on Earth") }
    places.append(Beacon(name: reader.text(name), coordinate: coordinate))
  }
  return places
}

/// Writes what a listener at `place` hears who faces `heading`; prints the words.
func say(_ places: [Beacon], at place: GeodeticCoordinate, heading: Double, to path: String) throws
{
  let ears = try HRTFCatalogue().select(nil, sampleRate: nil)
  let rate = ears.sampleRate ?? 48_000
  let stage = try LoopbackMix(sampleRate: rate, dataSets: ears.dataSets)
  stage.setListener(
    ahead: WorldFrame.direction(azimuth: heading), up: Vector3(0, 0, 1))
  let voice = try SpeechSynthesizer(sampleRate: rate)
  let file = try SoundFileWriter(
    path: path, sampleRate: rate, channelCount: 2, expectedFrames: 0)

  let around = places.map { ($0, $0.geometry(from: place, heading: heading)) }
    .filter { $1.distance <= horizon }
    .sorted { $0.1.distance < $1.1.distance }
  for (beacon, geometry) in around {
    let words = Callout(name: beacon.name, geometry).description
    print(words)
    let samples = try voice.samples(of: words)
    let source = try stage.makeSource(samples, looping: false)
    source.setPosition(WorldFrame.direction(azimuth: geometry.bearing))
    _ = source.play()
    var sound = [Float](repeating: 0, count: 2 * (samples.count + Int(pause * Double(rate))))
    try sound.withUnsafeMutableBufferPointer { buffer in
      stage.render(into: buffer)
      try file.write(UnsafeBufferPointer(buffer))
    }
    source.stop()
  }
  try stage.checkErrors()
  try file.commit()
}

/// Ends with a line on standard error.
func fail(_ line: String, code: Int32) -> Never {
  _ = write(STDERR_FILENO, line + "\n", line.utf8.count + 1)
  exit(code)
}

let words = CommandLine.arguments
guard words.count == 5, let heading = decimalNumber(words[3]), (0...360).contains(heading) else {
  fail("usage: surroundings PLACES.csv LAT,LON HEADING OUT.wav", code: 2)
}
do {
  try say(
    places(path: words[1]), at: Beacon(words[2]).coordinate, heading: heading, to: words[4])
} catch {
  fail("surroundings: \(error)", code: 1)
}
