import Files
import HRTF
import SpatialAudio
import TestSupport

@testable import ListeningTest

/// A small test of noise through a measured set, in the format of a built one.
struct MadeUpTest: ~Copyable {
  let folder = TemporaryFolder()
  private let set: HRIRSet
  private let name: String
  private var stimuli: [String] = []

  /// A test whose sounds are heard through a set.
  init(_ set: HRIRSet, name: String) {
    self.set = set
    self.name = name
  }

  /// Directions of the set on its whole sphere, every so many.
  func directions(every step: Int) -> [Int] {
    stride(from: 0, to: set.directions.count, by: step).map { $0 }
  }

  /// Writes noise of 0.25 s from a direction of the set; returns the stimulus's name.
  mutating func stimulus(_ direction: Int, gain: Float = 1) throws -> String {
    let name = "s\(stimuli.count + 1)"
    var numbers = SeededGenerator(seed: UInt64(direction + 1))
    // Velvet noise, few impulses at random: flat, and quick to send through a response.
    let impulses = (0..<24).map { _ in
      (
        place: Int.random(in: 0..<Int(0.2 * set.sampleRate), using: &numbers),
        height: gain * (Bool.random(using: &numbers) ? 0.1 : -0.1)
      )
    }
    var samples = [Float](repeating: 0, count: 2 * Int(0.25 * set.sampleRate))
    for ear in 0...1 {
      let delay = Int(set.delay(direction, ear: ear).rounded())
      let response = Array(set.response(direction, ear: ear))
      for impulse in impulses {
        for tap in response.indices {
          samples[2 * (impulse.place + tap + delay) + ear] += impulse.height * response[tap]
        }
      }
    }
    let writer = try SoundFileWriter(
      path: "\(folder.path)/\(name).wav", sampleRate: Int(set.sampleRate), channelCount: 2,
      expectedFrames: samples.count / 2)
    try samples.withUnsafeBufferPointer { buffer throws(FileError) in try writer.write(buffer) }
    try writer.commit()
    stimuli.append(name)
    return name
  }

  /// The test's description on disk, read.
  func built(
    type: String, response: String, participants: String
  ) throws -> TestFolder {
    let files = stimuli.map { "\"\($0)\": {\"file\": \"\($0).wav\", \"duration_s\": 0.25}" }
    _ = folder.file(
      "test.json",
      """
      {"format": "aurient-listening-test", "version": 1, "id": "t", "hash": "00112233445566778899aabbccddeeff",
      "type": "\(type)", "check": {"left": "l", "right": "r", "level": "v"}, "response": {"kind": \(response)},
      "stimuli": {\(files.joined(separator: ","))}, "participants": [\(participants)]}
      """)
    return try TestFolder(folder.path)
  }

  /// A test of pointing: each direction once, by so many participants.
  mutating func pointing(every step: Int, participants count: Int = 1) throws -> TestFolder {
    var trials: [String] = []
    for direction in directions(every: step) {
      let stimulus = try stimulus(direction)
      let place = set.directions[direction]
      trials.append(
        """
        {"id": "t\(trials.count + 1)", "kind": "test", "block": 1, "condition": {"hrtf": "\(name)", "level": 60},
        "stimulus": "\(stimulus)", "target": {"azimuth_deg": \(place.azimuth),
        "elevation_deg": \(place.elevation), "distance_m": 1.5}}
        """)
    }
    let list = (1...count).map {
      "{\"id\": \"P\($0)\", \"trials\": [\(trials.joined(separator: ","))]}"
    }
    return try built(
      type: "localisation", response: "\"sphere\"", participants: list.joined(separator: ","))
  }

  /// The results of model listeners, read as those of people are, and checked against the test.
  func results(_ test: TestFolder, own: String? = nil, seed: UInt64 = 1) throws -> ResultsCollection
  {
    let path = folder.path + "/results.csv"
    _ = try TestSimulator(test, own: own, seed: seed).write(to: path)
    var collection = try ResultsCollection([ResultsFile(path: path)])
    collection.flags += try test.check(collection)
    return collection
  }
}
