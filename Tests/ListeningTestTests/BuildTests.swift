import Files
import Glibc
import SpatialAudio
import TestSupport
import Testing

@testable import ListeningTest

/// What becomes of the folder: the same bytes whichever way it is built, and nothing of another test lost.
@Suite struct BuildTests {
  private final class Bench {
    let folder = TemporaryFolder()
    var path: String { folder.path }

    init() throws {
      mkdir(folder.path + "/page", 0o777)
      mkdir(folder.path + "/page/page", 0o777)
      try OutputFile.write("<!doctype html>".utf8, to: folder.path + "/page/index.html")
      try OutputFile.write("export {};".utf8, to: folder.path + "/page/page/main.js")
    }

    /// A design's path.
    func design(_ text: String, _ old: String = "", _ new: String = "") -> String {
      folder.file("design-\(old.count)-\(new.count).json", Designs.text(text, old, new))
    }

    @discardableResult
    func build(
      _ design: String, into name: String, shard: Shard = .whole, jobs: Int? = nil,
      isForced: Bool = false
    ) throws -> ListeningTestBuilder.Summary {
      try ListeningTestBuilder(
        design: design, version: "test", catalogue: testCatalogue, page: path + "/page"
      )
      .build(into: "\(path)/\(name)", shard: shard, jobs: jobs, isForced: isForced)
    }

    @discardableResult
    func merge(_ names: [String], into name: String) throws -> ListeningTestBuilder.Summary {
      try ShardMerge.merge(
        names.map { "\(path)/\($0)" }, into: "\(path)/\(name)", page: path + "/page")
    }

    /// Whether two folders hold the same files with the same bytes.
    func areSame(_ one: String, _ other: String) -> Bool {
      system("diff -r '\(path)/\(one)' '\(path)/\(other)' >/dev/null") == 0
    }

    func names(_ folder: String) -> [String] { TestSupport.names(in: "\(path)/\(folder)") }
  }

  private static let angle = (Designs.angle, "\"seed\": 1", "\"seed\": 1, \"catch_trials\": 2")

  @Test func givesTheSameBytesOnOneThreadOrMany() throws {
    let bench = try Bench()
    let design = bench.design(Designs.localisation, "{\"azimuth_deg\": 30}", manyDirections)
    let summary = try bench.build(design, into: "one", jobs: 1)
    #expect(try bench.build(design, into: "many", jobs: 5).hash == summary.hash)
    #expect(bench.areSame("one", "many"))
    #expect(summary.renderedCount == summary.stimulusCount)
    #expect(
      bench.names("one").sorted() == [
        "index.html", "manifest.json", "page", "stimuli", "test.json",
      ])
    #expect(try bench.build(design, into: "one").renderedCount == 0)
    #expect(bench.areSame("one", "many"))
  }

  private let manyDirections = "{\"grid\": {\"azimuth_step_deg\": 20, \"elevations_deg\": [0, 30]}}"

  /// Sounds of several distances are rendered by several devices, which sleep in between; that leaves no
  /// trace in the next sound.
  @Test func distancesGiveTheSameBytesOnOneThreadOrMany() throws {
    let bench = try Bench()
    let design = bench.design(
      Designs.localisation, "\"set\": \"MIT-KEMAR-44100\"",
      """
      "set": "MIT-KEMAR-44100", "near_field": true}, {"id": "B", "set": "MIT-KEMAR-44100",
      "near_field": true
      """)
    let text = String(decoding: try InputFile.bytes(path: design, limit: 1 << 20), as: UTF8.self)
    let far = bench.folder.file(
      "far.json", text.dropLast() + ", \"distances_m\": [0.2, 0.5, 0.3, 1.4]}")
    let summary = try bench.build(far, into: "one", jobs: 1)
    #expect(summary.stimulusCount == 19)
    try bench.build(far, into: "many", jobs: 4)
    #expect(bench.areSame("one", "many"))
    // By set: both are the same one, and so are their sounds.
    let records = try BuiltManifest(path: bench.path + "/one/manifest.json").records
    #expect(Set(records.prefix(16).map(\.hash)).count == 8)
  }

  /// A build that was killed has a journal, some of whose files are there; what is missing, cut or changed
  /// is made again.
  @Test func goesOnWhereItWasInterrupted() throws {
    let bench = try Bench()
    let design = bench.design(Designs.localisation, "{\"azimuth_deg\": 30}", manyDirections)
    let whole = try bench.build(design, into: "whole")
    _ = try bench.build(design, into: "part")
    let folder = bench.path + "/part"
    let manifest = try BuiltManifest(path: folder + "/manifest.json")
    let lines = manifest.records.map(\.json)
    let journal =
      "{\"plan\":\(jsonText("\(manifest.plan) 1/1"))}\n"
      + lines.prefix(20).joined(separator: "\n") + "\n" + lines[20].prefix(30)
    try OutputFile.write(journal.utf8, to: folder + "/building.jsonl")
    unlink(folder + "/manifest.json")
    unlink(folder + "/test.json")
    unlink(folder + "/stimuli/\(manifest.records[3].name).flac")
    truncate(folder + "/stimuli/\(manifest.records[5].name).flac", 500)
    let again = try bench.build(design, into: "part")
    #expect(again.renderedCount == whole.stimulusCount - 18)
    #expect(bench.areSame("whole", "part"))
  }

  @Test func partsMergeIntoTheWhole() throws {
    let bench = try Bench()
    let design = bench.design(Self.angle.0, Self.angle.1, Self.angle.2)
    let whole = try bench.build(design, into: "whole")
    for index in 1...3 {
      let shard = try #require(Shard(index: index, count: 3))
      #expect(try bench.build(design, into: "part-\(index)", shard: shard).hash == nil)
      #expect(bench.names("part-\(index)").sorted() == ["shard.json", "stimuli"])
    }
    let merged = try bench.merge(["part-2", "part-3", "part-1"], into: "merged")
    #expect(merged.hash == whole.hash)
    #expect(bench.areSame("whole", "merged"))
  }

  /// More parts than sounds are none the worse.
  @Test func someOfManyPartsAreEmpty() throws {
    let bench = try Bench()
    let design = bench.design(Designs.localisation)
    let whole = try bench.build(design, into: "whole")
    #expect(whole.stimulusCount == 5)
    let names = (1...7).map { "part-\($0)" }
    for (index, name) in names.enumerated() {
      try bench.build(design, into: name, shard: try #require(Shard(index: index + 1, count: 7)))
    }
    try bench.merge(names, into: "merged")
    #expect(bench.areSame("whole", "merged"))
  }

  @Test func partsThatDoNotFitAreNamed() throws {
    let bench = try Bench()
    let design = bench.design(Designs.localisation)
    let other = bench.design(Designs.localisation, "\"seed\": 1", "\"seed\": 22")
    let shards = try (1...2).map { try #require(Shard(index: $0, count: 2)) }
    try bench.build(design, into: "one", shard: shards[0])
    try bench.build(design, into: "two", shard: shards[1])
    try bench.build(design, into: "again", shard: shards[0])
    try bench.build(other, into: "other", shard: shards[1])
    try bench.build(design, into: "third", shard: try #require(Shard(index: 2, count: 3)))
    func fault(_ names: [String]) -> String {
      do {
        try bench.merge(names, into: "merged")
        return "none"
      } catch { return "\(error)" }
    }
    #expect(fault(["one"]).contains("1 of 2 parts are missing: 2/2"))
    #expect(fault(["one", "again"]).contains("again: is part 1/2, as"))
    #expect(fault(["one", "other"]).contains("other: is a part of another test"))
    #expect(fault(["one", "other"]).contains("of another design"))
    #expect(fault(["one", "third"]).contains("one of 3 parts, not of 2"))
    #expect(fault(["one", "page"]).contains("page: holds no part"))
    #expect(fault(["one", "none"]).contains("none: holds no part"))
    let sound = bench.path + "/two/stimuli/s0002.flac"
    truncate(sound, 900)
    #expect(fault(["one", "two"]).contains("s0002.flac: is not what was built"))
    unlink(sound)
    #expect(fault(["one", "two"]).contains("s0002.flac: no such file"))
    #expect(!bench.names(".").contains("merged"))
    try bench.build(design, into: "two", shard: shards[1])
    #expect(fault(["one", "two"]) == "none")
    let manifest = bench.path + "/two/shard.json"
    var text = String(
      decoding: try InputFile.bytes(path: manifest, limit: 1 << 20), as: UTF8.self)
    text = text.split(separator: "\"openal\":\"1", omittingEmptySubsequences: false)
      .joined(separator: "\"openal\":\"9")
    try OutputFile.write(text.utf8, to: manifest)
    #expect(fault(["one", "two"]).contains("has been changed"))
  }

  @Test func buildsOverNothingUnasked() throws {
    let bench = try Bench()
    let design = bench.design(Designs.localisation)
    let other = bench.design(
      Designs.localisation, "{\"azimuth_deg\": 330}", "{\"azimuth_deg\": 331}")
    let first = try bench.build(design, into: "test")
    let error = #expect(throws: FileError.self) { try bench.build(other, into: "test") }
    #expect(error?.cause.hasPrefix("holds another test") == true)
    #expect(error?.code == .unwritable)
    let second = try bench.build(other, into: "test", isForced: true)
    #expect(first.hash != second.hash)
    try bench.build(other, into: "fresh")
    #expect(bench.areSame("test", "fresh"))
    let foreign = #expect(throws: FileError.self) { try bench.build(design, into: "page") }
    #expect(foreign?.cause.hasPrefix("is not empty and holds no listening test") == true)
    #expect(bench.names("page").sorted() == ["index.html", "page"])
  }

  /// A level at which sounds clip is refused with one that fits, and that one fits.
  @Test func clippingIsRefusedWithTheLevelThatFits() throws {
    let bench = try Bench()
    func level(_ text: String) -> String {
      bench.design(Designs.localisation, "\"seed\": 1", "\"level\": {\(text)}")
    }
    let design = level("\"align\": \"none\", \"gain_db\": 19.99")
    let error = #expect(throws: FileError.self) { try bench.build(design, into: "test") }
    #expect(error?.place == "level.gain_db")
    let cause = try #require(error?.cause)
    #expect(cause.contains("pink through KEMAR from azimuth"))
    let words = cause.split(separator: " ")
    let fitting = try #require(words.dropLast(2).last.flatMap { Double($0) })
    // The refused build does not stand in the way of its correction.
    #expect(!bench.names(".").contains("test"))
    try bench.build(level("\"align\": \"none\", \"gain_db\": \(fitting)"), into: "test")
    let beyond = level("\"align\": \"none\", \"gain_db\": \(fitting + 0.2)")
    #expect(throws: FileError.self) { try bench.build(beyond, into: "beyond") }
  }

  /// A walk's beacon is known to be missing only once its scene is rendered; what else is in the folder, and a
  /// test that was whole, stay.
  @Test func aRefusedBuildTakesAwayItsOwnFilesAlone() throws {
    let bench = try Bench()
    let refused = bench.design(
      Designs.walk, "\"duration_s\": 2", "\"duration_s\": 2, \"beacon\": \"nowhere\"")
    mkdir(bench.path + "/test", 0o777)
    let note = bench.folder.file("test/notes.txt", "mine")
    let error = #expect(throws: FileError.self) {
      try bench.build(refused, into: "test", isForced: true)
    }
    #expect(error?.place == "scenes[0].beacon")
    #expect(bench.names("test") == ["notes.txt"])
    unlink(note)
    try bench.build(bench.design(Designs.walk), into: "test")
    let manifest = bench.path + "/test/manifest.json"
    let plan = try BuiltManifest(path: manifest)
    do {
      let folder = try BuildFolder(
        bench.path + "/test", header: plan.header, shard: .whole, isForced: false)
      folder.removeRefused(FileError(.malformed, file: "walk.gpx", "is damaged by now"))
    }
    #expect(access(bench.path + "/test/stimuli/s0001.flac", F_OK) == 0)
    #expect(access(manifest, F_OK) == 0)
  }

  /// webMUSHRA's configuration as PyYAML reads it: the pages that its documentation describes, and sounds
  /// that are there.
  @Test func webMUSHRACanReadItsConfiguration() throws {
    let bench = try Bench()
    try bench.build(bench.design(Designs.preference), into: "test")
    let script = """
      import os, sys, yaml
      config = yaml.safe_load(open("webmushra.yaml"))
      assert config["testId"] == "test"
      first, (order, *pages), last = config["pages"]
      assert (first["type"], order, last["type"]) == ("generic", "random", "finish")
      assert len(pages) == 2
      for page in pages:
          assert page["type"] == "mushra" and set(page["stimuli"]) == {"B", "lowpass-3500"}
          for name in [page["reference"], *page["stimuli"].values()]:
              assert os.path.exists(name.removeprefix("configs/resources/test/")), name
      """
    let program = bench.folder.file("check.py", script)
    #expect(system("cd '\(bench.path)/test' && /usr/bin/python3 '\(program)'") == 0)
  }

  /// What the inputs must have and the design cannot know.
  @Test(
    arguments: [
      (
        "{\"azimuth_deg\": 330}", "{\"azimuth_deg\": 330, \"elevation_deg\": -80}", "directions[1]",
        "is not in KEMAR: the nearest that was measured is 40"
      ),
      (
        "\"seed\": 1", "\"distances_m\": [0.5]", "distances_m[0]", "0.5 m is outside what KEMAR has"
      ),
      ("\"MIT-KEMAR-44100\"}", "\"no-such-set\"}", "hrtfs[0].set", "there is no measured HRTF set"),
      (
        "\"MIT-KEMAR-44100\"}", "\"MIT-KEMAR-44100\"}, {\"id\": \"B\", \"set\": \"SADIE\"}",
        "hrtfs[1].set",
        "is of 48000 Hz and the first of 44100 Hz; name a sample_rate_hz"
      ),
      (
        "\"file\": \"SOUND\"", "\"file\": \"SOUND\", \"duration_s\": 3", "sounds[0].duration_s",
        "which lasts 0.5 s"
      ),
      (
        "\"file\": \"SOUND\"", "\"file\": \"SOUND\", \"start_s\": 0.3", "sounds[0].file",
        "is silent there"
      ),
      ("\"seed\": 1", "\"ramp_s\": 0.3", "ramp_s", "do not fit into pink"),
      (
        "\"file\": \"SOUND\"", "\"file\": \"missing.wav\"", "sounds[0].file",
        "missing.wav: no such file"
      ),
      (
        "\"MIT-KEMAR-44100\"}", "\"missing.sofa\"}", "hrtfs[0].set", "missing.sofa: no such file"
      ),
      (
        "\"seed\": 1", "\"headphones\": {\"file\": \"missing.wav\"}", "headphones.file",
        "missing.wav: no such file"
      ),
      (
        "\"seed\": 1", "\"headphones\": {\"file\": \"SOUND\"}", "headphones.file",
        "is of 48000 Hz, where the stimuli are of"
      ),
    ] as [(String, String, String?, String)])
  func inputsThatDoNotFitAreNamed(old: String, new: String, place: String?, cause: String) throws {
    let bench = try Bench()
    let design = bench.design(Designs.localisation, old, new)
    let error = #expect(throws: FileError.self) { try bench.build(design, into: "test") }
    #expect(error?.file == design)
    #expect(error?.place == place)
    #expect(error?.cause.contains(cause) == true, "\(error.map { "\($0)" } ?? "none")")
    #expect(!bench.names(".").contains("test"))
  }

  /// KEMAR was measured at each 5 degrees of the horizontal plane (B. Gardner and K. Martin, "HRTF measurements
  /// of a KEMAR dummy-head microphone", 1994): halves of 10 degrees are measured directions, those of 2 not.
  @Test(
    arguments: [
      (
        "[2, 10]",
        "staircase.steps_deg: 4 of 8 sounds lie between the measured directions of KEMAR, "
      ),
      ("[10, 20]", nil),
    ] as [(String, String?)])
  func stepsBetweenMeasuredDirectionsAreNamed(steps: String, warning: String?) throws {
    let bench = try Bench()
    let summary = try bench.build(bench.design(Designs.angle, "[2, 10]", steps), into: "test")
    #expect(summary.warnings.count == (warning == nil ? 0 : 1))
    if let warning { #expect(summary.warnings[0].hasPrefix(warning)) }
    #expect(
      try BuiltManifest(path: bench.path + "/test/manifest.json").header.warnings
        == summary.warnings)
  }

  /// Every stimulus that a test names is there, and the manifest's hashes are those of the files.
  @Test(arguments: [
    Designs.localisation, Designs.angle, Designs.abx, Designs.preference, Designs.walk,
  ])
  func testAndManifestAreOfTheFiles(text: String) throws {
    let bench = try Bench()
    let design = bench.design(
      text, "\"seed\": 1", "\"practice_trials\": 2, \"replays\": null, \"break_every\": null")
    let summary = try bench.build(design, into: "test")
    func json(_ name: String) throws -> JSONPlace {
      let path = "\(bench.path)/test/\(name)"
      return JSONPlace(
        try JSONValue(try InputFile.bytes(path: path, limit: 1 << 24), path: path), file: path)
    }
    let manifest = try json("manifest.json")
    var names: Set<String> = []
    for output in try manifest.required("outputs").list() {
      let name = try output.required("file").text()
      names.insert(name)
      #expect(
        try contentHash(ofFile: "\(bench.path)/test/\(name)") == output.required("hash").text())
    }
    for input in try manifest.required("header").required("inputs").list() {
      #expect(try input.required("hash").text().count == 32)
    }
    let test = try json("test.json")
    #expect(try test.required("hash").text() == summary.hash)
    guard case .object(let stimuli) = try test.required("stimuli").value else {
      Issue.record("no stimuli")
      return
    }
    for (key, _) in stimuli {
      let stimulus = try test.required("stimuli").required(key)
      #expect(names.contains(try stimulus.required("file").text()))
      let sound = try Sound.frames(path: "\(bench.path)/test/\(stimulus.required("file").text())")
      let seconds = Double(sound.samples.count / 2) / Double(sound.sampleRate)
      #expect(try stimulus.required("duration_s").number(0...100) == seconds)
      #expect(sound.sampleRate == 44_100)
    }
    let known = Set(stimuli.map(\.key))
    for participant in try test.required("participants").list() {
      for key in ["trials", "tracks"] {
        guard case .list(let items) = try participant.required(key).value, !items.isEmpty else {
          continue
        }
        for item in try participant.required(key).list() {
          for name in Self.stimuli(of: item.value) { #expect(known.contains(name)) }
        }
      }
    }
  }

  /// The stimuli that a trial or track names.
  private static func stimuli(of value: JSONValue) -> [String] {
    switch value {
    case .object(let members):
      members.flatMap { key, value -> [String] in
        if case .text(let name) = value,
          ["stimulus", "a", "b", "minus", "plus", "reference"].contains(key)
        {
          return [name]
        }
        return stimuli(of: value)
      }
    case .list(let values): values.flatMap(stimuli)
    default: []
    }
  }
}
