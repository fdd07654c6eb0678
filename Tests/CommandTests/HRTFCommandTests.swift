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

  /// Figures of the file as its README and h5dump give them; of the head as least squares in numpy with
  /// times by scipy's correlate do: 8.35 and 52.47 cm.
  @Test func info() throws {
    struct Description: Decodable {
      var file, title, convention, database, listener, licence: String
      var rate: Double
      var directions, length, duplicates: Int
      var largestGap: Double
      var mirrored: Bool?
      var delaysInFile: Bool
      var elevation, distance, delay: [Double]
    }
    let description = try json("hrtf info \(Self.kemar)", Description.self)
    #expect(description.file == Self.kemar)
    #expect(description.convention == "SimpleFreeFieldHRIR")
    #expect(description.rate == 44100)
    #expect(description.directions == 710 && description.length == 512)
    #expect(description.elevation == [-40, 90])
    #expect(description.distance.allSatisfy { abs($0 - 1.4) < 1e-6 })
    #expect(description.delay == [0, 0] && !description.delaysInFile)
    #expect(description.duplicates == 0 && description.mirrored == false)
    #expect(abs(description.largestGap - 50) < 0.01)
    let text = try start("hrtf info \(Self.kemar)").output
    #expect(text.hasPrefix(Self.kemar + "\n"))
    for line in [
      "  rate        44100 Hz", "  directions  710", "  responses   512 samples",
      "  elevations  -40 to 90 degrees", "  distances   1.4 m", "  duplicates  0",
      "  largest gap 50.0 degrees from the nearest direction", "  delays      none in Data.Delay",
      "  mirrored    no",
      "  head        radius 8.3 cm, circumference 52.4 cm, by its interaural times",
    ] {
      #expect(text.contains(line + "\n"))
    }
  }

  /// Of a set that turns left and right round, `convert` says so, and turns it back when asked.
  @Test(.enabled(if: testDataFolder != nil)) func mirroredSet() throws {
    let folder = TemporaryFolder()
    let path = "\(testDataFolder ?? "")/sofa/UniS_Anechoic_BRIR_48k.sofa"
    let text = try start("hrtf info \(path)").output
    #expect(text.contains("  mirrored    yes: the ear away from the source leads\n"))
    let plain = try start("hrtf convert \(path) -o plain.mhr", in: folder.path)
    #expect(
      plain.error.contains("\(path): left and right are mirrored; --fix-mirror turns them back\n"))
    let fixed = try start("hrtf convert \(path) --fix-mirror -o fixed.mhr", in: folder.path)
    #expect(fixed.code == 0 && !fixed.error.contains("mirrored"))
    let files = try ["plain", "fixed"].map {
      try InputFile.bytes(path: "\(folder.path)/\($0).mhr", limit: 1 << 24)
    }
    #expect(files[0].count == files[1].count && files[0] != files[1])
  }

  /// A mirrored set is told of by every command, also when it is cached, and turned back when asked.
  @Test(.enabled(if: testDataFolder != nil)) func mirroredSetIsToldOf() throws {
    let folder = TemporaryFolder()
    let path = "\(testDataFolder ?? "")/sofa/UniS_Anechoic_BRIR_48k.sofa"
    let warning = "\(path): left and right are mirrored; --fix-mirror turns them back\n"
    func levels(_ options: String) throws -> (left: Float, right: Float, error: String) {
      let result = try start(
        "hrtf impulse \(path) --azimuth 90 --elevation 0 \(options) -o out.wav", in: folder.path)
      #expect(result.code == 0)
      let file = try StereoFile(path: folder.path + "/out.wav")
      return (file.energy(0), file.energy(1), result.error)
    }
    for _ in 0..<2 {
      let plain = try levels("")
      #expect(plain.left < 0.2 * plain.right && plain.error.contains(warning))
    }
    let fixed = try levels("--fix-mirror")
    #expect(fixed.right < 0.2 * fixed.left && !fixed.error.contains("mirrored"))
    #expect(try start("hrtf verify \(path)").error.contains(warning))
    #expect(try start("hrtf compare \(path) mit").error.contains(warning))
    #expect(
      try start("hrtf merge \(path) -o m.sofa", in: folder.path).error.contains(warning))
  }

  @Test(arguments: [
    ("--near-field", "--near-field: is of use with --all-distances alone"),
    ("--distance 1 --all-distances", "--distance: is of no use with --all-distances"),
  ])
  func distancesOfConvert(options: String, message: String) throws {
    let folder = TemporaryFolder()
    let result = try start("hrtf convert \(Self.kemar) \(options) -o k.mhr", in: folder.path)
    #expect(result.code == 2 && folder.names() == [])
    #expect(result.error.contains(message), "\(result.error)")
  }

  /// Distances joined into one file: each is heard from its own measurements, and `convert` wants to know
  /// which.
  @Test(.enabled(if: testDataFolder != nil)) func mergedDistances() throws {
    let folder = TemporaryFolder()
    let data = "\(testDataFolder ?? "")/sofa"
    let near = "\(data)/HRIR_CIRC360_NF050.sofa"
    let far = "\(data)/HRIR_CIRC360.sofa"
    let merge = try start("hrtf merge \(near) \(far) -o both.sofa", in: folder.path)
    #expect(merge.code == 0 && merge.output == "" && merge.error == "")
    let text = try start("hrtf info both.sofa", in: folder.path).output
    #expect(text.contains("  directions  720\n") && text.contains("  distances   0.5, 3.25 m\n"))
    #expect(text.contains("  licence     CC 3.0 BY-SA\n"))
    func impulse(_ set: String, _ distance: Double) throws -> [Float] {
      let result = try start(
        "hrtf impulse \(set) --azimuth 60 --elevation 0 --distance \(distance) -o out.wav",
        in: folder.path)
      #expect(result.code == 0, "\(result.error)")
      return try Sound(path: folder.path + "/out.wav").samples
    }
    for (set, distance) in [(near, 0.5), (far, 3.25)] {
      let (joined, alone) = (try impulse("both.sofa", distance), try impulse(set, distance))
      // The longest time between the ears, which differs by distance, sets where both begin.
      let energies = [joined, alone].map { $0.reduce(0) { $0 + $1 * $1 } }
      #expect(abs(energies[0] - energies[1]) < 0.01 * energies[1])
    }
    #expect(try impulse("both.sofa", 0.5) != impulse("both.sofa", 3.25))
    let unclear = try start("hrtf convert both.sofa -o both.mhr", in: folder.path)
    #expect(
      unclear.error
        == "aurient: both.sofa: has 2 distances: choose one with --distance, or --all-distances\n")
    let one = try start("hrtf convert both.sofa --distance 0.5 -o one.mhr", in: folder.path)
    let all = try start("hrtf convert both.sofa --all-distances -o all.mhr", in: folder.path)
    #expect(unclear.code == 2 && one.code == 0 && all.code == 0)
    let magics = try ["one", "all"].map {
      String(
        decoding: try InputFile.beginning(path: "\(folder.path)/\($0).mhr", count: 8).bytes,
        as: UTF8.self)
    }
    #expect(magics == ["MinPHR02", "MinPHR03"])
  }

  @Test func sameFileTwiceIsTheFile() throws {
    let folder = TemporaryFolder()
    let result = try start("hrtf merge \(Self.kemar) \(Self.kemar) -o k.sofa", in: folder.path)
    #expect(result.code == 0)
    #expect(
      result.error
        == "aurient: k.sofa: 710 responses left out, of places that an earlier file has\n")
    let (own, merged) = (
      try SOFAFile(path: Self.kemar).responses,
      try SOFAFile(path: folder.path + "/k.sofa").responses
    )
    #expect(own.samples == merged.samples)
    #expect(
      zip(own.directions, merged.directions).allSatisfy { $0.angle(to: $1) < 1e-4 })
  }

  @Test func differentRatesAreNotMerged() throws {
    let folder = TemporaryFolder()
    let other = "\(projectFolder)/HRTF/SADIE-KU100-48000.sofa"
    let result = try start("hrtf merge \(Self.kemar) \(other) -o k.sofa", in: folder.path)
    #expect(result.code == 2 && folder.names() == [])
    #expect(
      result.error
        == "aurient: \(other): Data.SamplingRate: 48000 Hz, where \(Self.kemar) has 44100; only sets "
        + "of one rate can be joined\n")
  }

  /// The file that `convert` writes loads, and gives what the SOFA file itself gives, as much softer
  /// as it says.
  @Test func convertAndImpulse() throws {
    convertShippedSets()
    let folder = TemporaryFolder()
    let convert = try start("hrtf convert \(Self.kemar) -o set.mhr", in: folder.path)
    #expect(convert.code == 0 && convert.output == "")
    let decibels = try #require(
      convert.error.firstMatch(
        of: /^aurient: set\.mhr: made ([0-9.]+) dB softer than measured, to fit full scale\n$/))
    let factor = Float(pow(10, try #require(Double(decibels.1)) / 20))
    let bytes = try InputFile.bytes(path: folder.path + "/set.mhr", limit: 1 << 24)
    #expect(OpenALDataSet.fault(inMinPHR02: bytes) == nil)
    for (set, output) in [(Self.kemar, "a.wav"), ("set.mhr", "b.wav"), ("mit", "c.wav")] {
      let result = try start(
        "hrtf impulse \(set) --azimuth 90 --elevation 0 -o \(output)", in: folder.path)
      #expect(result.code == 0 && result.output == "" && result.error == "")
    }
    let sounds = try ["a", "b", "c"].map { try Sound(path: "\(folder.path)/\($0).wav") }
    #expect(sounds[2] == sounds[0])
    // The notice has one decimal place: 0.05 dB are 0.6 %.
    let peak = sounds[0].samples.reduce(0) { max($0, abs($1)) }
    for (own, converted) in zip(sounds[0].samples, sounds[1].samples) {
      #expect(abs(own - factor * converted) < 0.006 * peak)
    }
    let sound = sounds[0]
    #expect(sound.sampleRate == 44100 && sound.fileChannelCount == 2)
    #expect(sound.samples.contains { abs($0) > 0.1 })
    #expect(folder.names() == ["a.wav", "b.wav", "c.wav", "set.mhr"])
  }

  /// The commands that need a measurement take a name or a SOFA file, and say why no other.
  @Test(arguments: ["info", "convert -o x.mhr", "verify", "compare MIT", "compare --json MIT"])
  func namesOfMeasurements(words: String) throws {
    let folder = TemporaryFolder()
    let ready = folder.file("a.mhr", "MinPHR02")
    let unknown = try start("hrtf \(words) Nobody", in: folder.path)
    #expect(unknown.code == 2)
    #expect(
      unknown.error
        == "aurient: there is no measured HRTF set \"Nobody\"; there are MIT-KEMAR-44100, "
        + "SADIE-KU100-48000, or name a SOFA file\n")
    let readyMade = try start("hrtf \(words) \(ready)", in: folder.path)
    #expect(readyMade.code == 2)
    #expect(
      readyMade.error
        == "aurient: \(ready): a ready-made data set of OpenAL Soft, which does not hold what was "
        + "measured; name the SOFA file\n")
    #expect(folder.names() == ["a.mhr"])
  }

  @Test func infoByName() throws {
    #expect(try start("hrtf info mit").output == start("hrtf info \(Self.kemar)").output)
  }

  @Test func compare() throws {
    struct Comparison: Decodable {
      struct Summary: Decodable, Equatable { var mean, p95, max: Double }
      struct Region: Decodable {
        var count: Int
        var lsd_db, itd_us, ild_db: Summary
      }
      var files: [String]
      var gain_db: Double
      var regions: [String: Region]
    }
    let same = try json("hrtf compare MIT \(Self.kemar)", Comparison.self)
    let nothing = Comparison.Summary(mean: 0, p95: 0, max: 0)
    #expect(same.files == [Self.kemar, Self.kemar] && same.gain_db == 0)
    #expect(same.regions.count == 7)
    for region in same.regions.values {
      #expect(region.lsd_db == nothing && region.itd_us == nothing && region.ild_db == nothing)
    }
    let other = try json("hrtf compare MIT SADIE --equalize diffuse-field", Comparison.self)
    let whole = try #require(other.regions["all"])
    #expect(whole.count == 710 && whole.lsd_db.mean > 2 && whole.lsd_db.mean < 10)
    let folder = TemporaryFolder()
    let plotted = try start("hrtf compare MIT SADIE --worst 3 --plot a.svg", in: folder.path)
    #expect(plotted.code == 0 && plotted.error == "" && folder.names() == ["a.svg"])
    let lines = plotted.output.split(separator: "\n")
    #expect(lines.count == 3 + 8 + 2 + 1 + 3)
    // Worst first.
    let worst = lines.suffix(3).compactMap { line -> Double? in
      let columns = line.split(separator: " ").map(String.init)
      return [columns[3], columns[4]].compactMap { Double($0) }.max()
    }
    #expect(worst.count == 3 && worst == worst.sorted(by: >))
  }

  /// KEMAR is measured down to −40°.
  @Test func outsideTheMeasuredPart() throws {
    let folder = TemporaryFolder()
    for (elevation, isInside) in [(-55, true), (-65, false)] {
      let result = try start(
        "hrtf impulse MIT --azimuth 30 --elevation \(elevation) -o a.wav", in: folder.path)
      #expect(result.code == 0)
      #expect(
        result.error
          == (isInside
            ? ""
            : "aurient: MIT-KEMAR-44100: 30.0, -65.0 lies outside what is measured; the response is "
              + "carried on from the edge\n"))
    }
  }

  /// What `verify` compares with is changed as what is rendered.
  @Test(arguments: ["--equalize diffuse-field", "--head-circumference 62"])
  func verifyChangedResponses(options: String) throws {
    let result = try start("hrtf verify MIT --worst 0 --max-lsd 1.1 --max-itd 5 \(options)")
    #expect(result.code == 0 && result.error == "")
  }

  @Test(arguments: [
    ("convert MIT --equalize x", "--equalize: \"x\" is not none, diffuse-field or free-field"),
    ("convert MIT --head-circumference 44", "--head-circumference: 44 is outside 45 to 70"),
    ("convert MIT --head-circumference 0x50", "--head-circumference: \"0x50\" is not a number"),
  ])
  func wrongFitting(words: String, message: String) throws {
    let folder = TemporaryFolder()
    let result = try start("hrtf \(words) -o out.mhr", in: folder.path)
    #expect(result.code == 2 && result.error == "aurient hrtf convert: \(message)\n")
    #expect(folder.names().isEmpty)
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

/// A stereo file of floats, as the program writes it: samples begin after the chunk's name `data`.
private struct StereoFile {
  private let samples: [Float]

  init(path: String) throws {
    let bytes = try InputFile.bytes(path: path, limit: 1 << 20)
    let name = Array("data".utf8)
    let start = (0..<bytes.count - 8).first { Array(bytes[$0..<$0 + 4]) == name } ?? 0
    samples = stride(from: start + 8, to: bytes.count - 3, by: 4).map { place in
      Float(
        bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) })
    }
  }

  func energy(_ channel: Int) -> Float {
    stride(from: channel, to: samples.count, by: 2).reduce(0) { $0 + samples[$1] * samples[$1] }
  }
}
