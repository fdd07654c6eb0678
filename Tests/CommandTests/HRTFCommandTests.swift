import Files
import FoundationEssentials
import Glibc
import HRTF
import SpatialAudio
import TestSupport
import Testing

@Suite struct HRTFCommandTests {
  private static let kemar = "\(projectFolder)/HRTF/MIT-KEMAR-44100.sofa"

  private func json<Value: Decodable>(_ words: String, _ type: Value.Type) throws -> Value {
    let result = try start(words + " --json")
    #expect(result.code == 0 && result.error == "")
    return try JSONDecoder().decode(type, from: Data(result.output.utf8))
  }

  @Test func list() throws {
    struct Entry: Decodable, Equatable {
      var name: String
      var file: String?
    }
    let entries = try json("hrtf list", [Entry].self)
    #expect(
      entries.prefix(2) == [
        Entry(name: "MIT-KEMAR-44100", file: Self.kemar),
        Entry(
          name: "SADIE-KU100-48000", file: "\(projectFolder)/HRTF/SADIE-KU100-48000.sofa"),
      ])
    #expect(entries.dropFirst(2).allSatisfy { $0.file == nil && !HRTFCache.isCached($0.name) })
    let lines = try start("hrtf list").output.split(separator: "\n")
    #expect(lines.count == entries.count)
    for (line, entry) in zip(lines, entries) {
      #expect(line.hasPrefix(entry.name) && line.hasSuffix(entry.file ?? entry.name))
    }
  }

  /// Figures of the file as its README and h5dump give them.
  @Test func info() throws {
    struct Description: Decodable {
      var file, title, convention, database, listener, licence: String
      var rate: Double
      var directions, length: Int
      var elevation, distance, delay: [Double]
    }
    let description = try json("hrtf info \(Self.kemar)", Description.self)
    #expect(description.file == Self.kemar)
    #expect(description.convention == "SimpleFreeFieldHRIR")
    #expect(description.rate == 44100)
    #expect(description.directions == 710 && description.length == 512)
    #expect(description.elevation == [-40, 90])
    #expect(description.distance.allSatisfy { abs($0 - 1.4) < 1e-6 })
    #expect(description.delay == [0, 0])
    let text = try start("hrtf info \(Self.kemar)").output
    #expect(text.hasPrefix(Self.kemar + "\n"))
    for line in [
      "  rate        44100 Hz", "  directions  710", "  responses   512 samples",
      "  elevations  -40 to 90 degrees", "  distances   1.4 m",
    ] {
      #expect(text.contains(line + "\n"))
    }
  }

  /// The file that `convert` writes loads, and gives what the SOFA file itself gives.
  @Test func convertAndImpulse() throws {
    convertShippedSets()
    let folder = TemporaryFolder()
    let convert = try start("hrtf convert \(Self.kemar) -o set.mhr", in: folder.path)
    #expect(convert.code == 0 && convert.output == "" && convert.error == "")
    let bytes = try InputFile.bytes(path: folder.path + "/set.mhr", limit: 1 << 24)
    #expect(OpenALDataSet.fault(inMinPHR02: bytes) == nil)
    for (set, output) in [(Self.kemar, "a.wav"), ("set.mhr", "b.wav"), ("mit", "c.wav")] {
      let result = try start(
        "hrtf impulse \(set) --azimuth 90 --elevation 0 -o \(output)", in: folder.path)
      #expect(result.code == 0 && result.output == "" && result.error == "")
    }
    let responses = try ["a", "b", "c"].map {
      try InputFile.bytes(path: "\(folder.path)/\($0).wav", limit: 1 << 20)
    }
    #expect(responses[1] == responses[0] && responses[2] == responses[0])
    let sound = try Sound(path: folder.path + "/a.wav")
    #expect(sound.sampleRate == 44100 && sound.fileChannelCount == 2)
    #expect(sound.samples.contains { abs($0) > 0.1 })
    #expect(folder.names() == ["a.wav", "b.wav", "c.wav", "set.mhr"])
  }

  @Test(arguments: [
    (
      "impulse mit --azimuth x --elevation 0", "--azimuth: \"x\" is not a number"
    ),
    ("impulse mit --azimuth 361 --elevation 0", "--azimuth: 361 is outside -360 to 360"),
    ("impulse mit --azimuth 0 --elevation -91", "--elevation: -91 is outside -90 to 90"),
    (
      "impulse mit --azimuth 0 --elevation 0 --distance 0",
      "--distance: 0 is outside 0.01 to 1000"
    ),
    (
      "impulse mit --azimuth 0", "needs --elevation DEGREES; try 'aurient hrtf impulse --help'"
    ),
  ])
  func wrongCommandLines(words: String, message: String) throws {
    let folder = TemporaryFolder()
    let result = try start("hrtf \(words) -o out.wav", in: folder.path)
    #expect(result.code == 2)
    #expect(result.error == "aurient hrtf impulse: \(message)\n")
    #expect(folder.names().isEmpty)
  }
}
