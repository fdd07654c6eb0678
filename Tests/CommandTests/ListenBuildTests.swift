import Files
import Glibc
import SpatialAudio
import TestSupport
import Testing

@testable import aurient

/// `aurient listen build` and `merge` as users call them.
@Suite struct ListenBuildTests {
  /// A folder with the data that ships and a design of many sounds.
  private final class Study {
    let folder = TemporaryFolder()
    var path: String { folder.path }

    init() throws {
      convertShippedSets()
      mkdir(path + "/data", 0o777)
      mkdir(path + "/data/Listening", 0o777)
      for name in ["HRTF", "Sounds"] { symlink("\(projectFolder)/\(name)", "\(path)/data/\(name)") }
      try OutputFile.write("<!doctype html>".utf8, to: path + "/data/Listening/index.html")
      _ = folder.file(
        "design.json",
        """
        {"format": "aurient-listening-design", "version": 1, "type": "localisation", "id": "many",
         "title": "T", "instructions": "I", "participants": 3, "block_by": "hrtf",
         "hrtfs": [{"id": "A", "set": "SADIE"}, {"id": "B", "set": "SADIE", "near_field": false}],
         "sounds": [{"id": "pink", "file": "\(projectFolder)/Sounds/pink-bursts.flac"}],
         "directions": [{"fibonacci": {"count": 150}}], "direction_tolerance_deg": 30}
        """)
    }

    func run(_ words: String) throws -> Outcome {
      try start(words, in: path, before: "AURIENT_DATA='\(path)/data'")
    }

    func areSame(_ one: String, _ other: String) -> Bool {
      system("diff -r '\(path)/\(one)' '\(path)/\(other)' >/dev/null") == 0
    }
  }

  /// Killed in the middle, started again: only what is missing is made, and the bytes are the same.
  @Test func survivesBeingKilled() throws {
    let study = try Study()
    let whole = try study.run("listen build design.json -o whole --json")
    #expect(whole.code == 0, "\(whole.error)")
    #expect(whole.output.contains("\"sounds\": 303, \"rendered\": 303"))
    #expect(whole.error.contains("balanced over each 2 participants; 3 is no multiple"))
    let child = try ChildProgram(
      [program, "listen", "build", study.path + "/design.json", "-o", study.path + "/killed"],
      environment: ["AURIENT_DATA": study.path + "/data"])
    // Until some sounds are there.
    while !child.hasEnded, access(study.path + "/killed/stimuli/s0040.flac", F_OK) != 0 {
      usleep(500)
    }
    child.kill()
    let names = TestSupport.names(in: study.path + "/killed")
    try #require(names.contains("building.jsonl"), "it was too quick")
    #expect(!names.contains("test.json") && !names.contains("manifest.json"))
    let again = try study.run("listen build design.json -o killed --jobs 1 --json")
    #expect(again.code == 0, "\(again.error)")
    let rendered = again.output.split(separator: "\"rendered\": ")[1].prefix { $0.isNumber }
    #expect((Int(rendered) ?? 0) < 270)
    #expect(study.areSame("whole", "killed"))
  }

  @Test func partsAreMerged() throws {
    let study = try Study()
    for part in 1...2 {
      let outcome = try study.run("listen build design.json --shard \(part)/2 -o part-\(part)")
      #expect(outcome.code == 0, "\(outcome.error)")
      #expect(outcome.output.hasPrefix("part-\(part): many, part \(part)/2, "))
    }
    let merged = try study.run("listen merge part-1 part-2 -o merged")
    #expect(merged.code == 0, "\(merged.error)")
    let lacking = try study.run("listen merge part-2 -o lacking")
    #expect(lacking.code == 2)
    #expect(
      lacking.error
        == "aurient: part-2: of its test 1 of 2 parts are missing: 1/2\n")
    let whole = try study.run("listen build design.json -o whole")
    #expect(whole.code == 0)
    #expect(study.areSame("whole", "merged"))
  }

  /// A set whose left and right are exchanged is built, but not without a word: on standard error, in the
  /// summary, the part and the test.
  @Test(.enabled(if: testDataFolder != nil)) func mirroredSetsAreNamed() throws {
    let study = try Study()
    let set = "\(try #require(testDataFolder))/sofa/UniS_Anechoic_BRIR_48k.sofa"
    func design(_ name: String, _ more: String) {
      _ = study.folder.file(
        name,
        """
        {"format": "aurient-listening-design", "version": 1, "type": "localisation", "id": "turned",
         "title": "T", "instructions": "I", "participants": 1,
         "hrtfs": [{"id": "A", "set": "\(set)"\(more)}],
         "sounds": [{"id": "pink", "file": "\(projectFolder)/Sounds/pink-bursts.flac"}],
         "directions": [{"azimuth_deg": 60}], "direction_tolerance_deg": 30}
        """)
    }
    design("mirrored.json", "")
    design("turned.json", ", \"fix_mirror\": true")
    let warning = "hrtfs[0].set: left and right are mirrored; \"fix_mirror\": true turns them back"
    let plain = try study.run("listen build mirrored.json -o plain --json")
    #expect(plain.code == 0)
    #expect(plain.error == "aurient: mirrored.json: \(warning)\n")
    #expect(plain.output.contains("\"warnings\": [\(jsonText(warning))]"))
    let manifest = try InputFile.bytes(path: study.path + "/plain/manifest.json", limit: 1 << 20)
    #expect(
      String(decoding: manifest, as: UTF8.self).contains("\"warnings\":[\(jsonText(warning))]"))
    for part in 1...2 {
      let built = try study.run("listen build mirrored.json --shard \(part)/2 -o part-\(part)")
      #expect(built.error == "aurient: mirrored.json: \(warning)\n")
    }
    let merged = try study.run("listen merge part-1 part-2 -o merged")
    #expect(merged.error == "aurient: merged: \(warning)\n")
    #expect(study.areSame("plain", "merged"))
    let turned = try study.run("listen build turned.json -o turned --json")
    #expect(turned.code == 0)
    #expect(turned.error.isEmpty, "\(turned.error)")
    #expect(turned.output.contains("\"warnings\": []"))
    // From 60 degrees to the left the left ear is the louder one.
    func isLeftLouder(_ folder: String) throws -> Bool {
      let samples = try Sound.frames(path: "\(study.path)/\(folder)/stimuli/s0001.flac").samples
      func power(_ ear: Int) -> Float {
        stride(from: ear, to: samples.count, by: 2).reduce(0) { $0 + samples[$1] * samples[$1] }
      }
      return power(0) > power(1)
    }
    #expect(try isLeftLouder("turned"))
    #expect(try !isLeftLouder("plain"))
  }

  @Test(arguments: [
    (
      "listen build design.json -o test --shard 0/2",
      "aurient listen build: --shard: \"0/2\" is not I/N with I from 1 to N and N up to 100000, as in 3/16\n"
    ),
    (
      "listen build design.json -o test --shard 3",
      "aurient listen build: --shard: \"3\" is not I/N with I from 1 to N and N up to 100000, as in 3/16\n"
    ),
    (
      "listen build design.json -o test --shard 1/1000000",
      "aurient listen build: --shard: \"1/1000000\" is not I/N with I from 1 to N and N up to 100000, as in 3/16\n"
    ),
    (
      "listen build design.json -o test --jobs 0",
      "aurient listen build: --jobs: 0 is outside 1 to 1024\n"
    ),
    ("listen build missing.json -o test", "aurient: missing.json: no such file or directory\n"),
    ("listen merge none -o test", "aurient: none: holds no part of a listening test\n"),
  ])
  func mistakesAreNamed(words: String, error: String) throws {
    let study = try Study()
    let outcome = try study.run(words)
    #expect(outcome.code == 2)
    #expect(outcome.error == error)
    #expect(access(study.path + "/test", F_OK) != 0)
  }

  @Test(arguments: ["-o /dev/null", "-o missing/folder", "-o design.json"])
  func foldersThatCannotBeWrittenAreNamed(words: String) throws {
    let study = try Study()
    let outcome = try study.run("listen build design.json \(words)")
    #expect(outcome.code == 1)
    #expect(outcome.error.split(separator: "\n").count == 1)
  }

  /// A folder that is full half-way leaves what is done, and no test.
  @Test func aFullDiskIsAnErrorLine() throws {
    let study = try Study()
    let outcome = try start(
      "listen build design.json -o test", in: study.path,
      before: "ulimit -f 40; AURIENT_DATA='\(study.path)/data'")
    #expect(outcome.code == 1)
    #expect(outcome.error.contains("file too large"))
    #expect(access(study.path + "/test/test.json", F_OK) != 0)
  }
}
