import Files
import Glibc
import HRTF
import TestSupport
import Testing

@testable import ListeningTest

/// A design with one thing changed, and what is said of it.
private struct Fault: Sendable {
  var design: String
  var old: String
  var new: String
  /// Where in the JSON, and part of the cause.
  var place: String?
  var cause: String
  /// Whether the schema can tell, too: it knows nothing of how values must agree with each other.
  var isOfForm = true
}

private let (localisation, angle, abx, preference, walk) = (
  Designs.localisation, Designs.angle, Designs.abx, Designs.preference, Designs.walk
)

private let faults: [Fault] = [
  Fault(
    design: localisation, old: "\"seed\": 1", new: "\"sed\": 1", place: nil,
    cause: "unknown key \"sed\""),
  Fault(
    design: localisation, old: "\"seed\": 1", new: "\"seed\": 1.5", place: "seed",
    cause: "1.5 is not a whole number"),
  Fault(
    design: localisation, old: "\"seed\": 1", new: "\"seed\": -1", place: "seed",
    cause: "-1 is outside 0"),
  Fault(
    design: localisation, old: "\"seed\": 1", new: "\"seed\": \"1\"", place: "seed",
    cause: "is a text, not a number"),
  Fault(
    design: localisation, old: "\"seed\": 1", new: "\"seed\": null", place: "seed",
    cause: "is null, not a number"),
  Fault(
    design: localisation, old: "\"version\": 1", new: "\"version\": 2", place: "version",
    cause: "only version 1"),
  Fault(
    design: localisation, old: "-design\"", new: "-test\"", place: "format",
    cause: "is not \"aurient-listening-design\""),
  Fault(
    design: localisation, old: "\"localisation\"", new: "\"localization\"", place: "type",
    cause: "\"localization\" is none of localisation,"),
  Fault(
    design: localisation, old: "\"id\": \"test\"", new: "\"id\": \"a b\"", place: "id",
    cause: "is no name"),
  Fault(
    design: localisation, old: "\"title\": \"T\"", new: "\"title\": \"\"", place: "title",
    cause: "is empty"),
  Fault(
    design: localisation, old: "\"instructions\": \"I\",", new: "", place: nil,
    cause: "there is no instructions"),
  Fault(
    design: localisation, old: "\"participants\": 2", new: "\"participants\": 0",
    place: "participants", cause: "0 is outside 1 to 10000"),
  Fault(
    design: localisation, old: "\"participants\": 2", new: "\"participants\": [\"a\", \"a\"]",
    place: "participants[1]", cause: "a is there already"),
  Fault(
    design: localisation, old: "\"participants\": 2", new: "\"participants\": [\"ann\", \"Ann\"]",
    place: "participants[1]", cause: "Ann is there already, capitals aside", isOfForm: false),
  Fault(
    design: localisation, old: "\"seed\": 1", new: "\"strings\": {\"pley\": \"Abspielen\"}",
    place: "strings", cause: "unknown key \"pley\""),
  Fault(
    design: localisation, old: "\"seed\": 1", new: "\"strings\": {\"play\": 1}",
    place: "strings.play", cause: "is a number, not a text"),
  Fault(
    design: localisation, old: "\"seed\": 1", new: "\"level\": {\"rove_steps\": 3}",
    place: "level.rove_steps", cause: "there is no rove_db"),
  Fault(
    design: localisation, old: "\"participants\": 2", new: "\"participants\": []",
    place: "participants", cause: "is empty"),
  Fault(
    design: localisation, old: "{\"azimuth_deg\": 330}", new: "{\"azimuth_deg\": 30}",
    place: "directions[1]", cause: "azimuth 30, elevation 0 is there already", isOfForm: false),
  Fault(
    design: localisation, old: "{\"azimuth_deg\": 330}",
    new: "{\"azimuth_deg\": 30, \"elevation_deg\": 91}", place: "directions[1].elevation_deg",
    cause: "91 is outside -90 to 90"),
  Fault(
    design: localisation, old: "{\"azimuth_deg\": 330}", new: "{\"azimuth\": 30}",
    place: "directions[1]", cause: "unknown key \"azimuth\""),
  Fault(
    design: localisation, old: "{\"azimuth_deg\": 330}", new: "{\"elevation_deg\": 30}",
    place: "directions[1]", cause: "there is no azimuth_deg"),
  Fault(
    design: localisation, old: "{\"azimuth_deg\": 330}", new: "7", place: "directions[1]",
    cause: "is a number, not an object"),
  Fault(
    design: localisation, old: "{\"azimuth_deg\": 330}",
    new: "{\"grid\": {\"azimuth_step_deg\": 0}}", place: "directions[1].grid.azimuth_step_deg",
    cause: "0 is outside 0.1"),
  Fault(
    design: localisation, old: "{\"azimuth_deg\": 330}", new: "{\"fibonacci\": {\"count\": 1e9}}",
    place: "directions[1].fibonacci.count", cause: "is outside 1 to 100000"),
  Fault(
    design: localisation, old: "[{\"azimuth_deg\": 30}, {\"azimuth_deg\": 330}]", new: "[]",
    place: "directions", cause: "is empty"),
  Fault(
    design: localisation, old: "\"seed\": 1", new: "\"distances_m\": [1, 1]",
    place: "distances_m[1]", cause: "1.0 is there already"),
  Fault(
    design: localisation, old: "\"seed\": 1", new: "\"distances_m\": [-1]", place: "distances_m[0]",
    cause: "-1 is outside 0.1"),
  Fault(
    design: localisation, old: "\"seed\": 1", new: "\"block_by\": \"distance\"", place: "block_by",
    cause: "there are no distances_m", isOfForm: false),
  Fault(
    design: localisation, old: "\"seed\": 1", new: "\"block_by\": \"pair\"", place: "block_by",
    cause: "\"pair\" is no factor of localisation"),
  Fault(
    design: localisation, old: "\"seed\": 1",
    new: "\"level\": {\"align\": \"rms\", \"target_lufs\": -20}", place: "level.target_lufs",
    cause: "the level is target_dbfs"),
  Fault(
    design: localisation, old: "\"seed\": 1", new: "\"level\": {\"target_lufs\": 3}",
    place: "level.target_lufs", cause: "3 is outside -80 to 0"),
  Fault(
    design: localisation, old: "\"seed\": 1", new: "\"level\": {\"gain_db\": 3}",
    place: "level.gain_db", cause: "the level is target_lufs"),
  Fault(
    design: localisation, old: "\"seed\": 1", new: "\"post_url\": \"ftp://a\"", place: "post_url",
    cause: "is no URL"),
  Fault(
    design: localisation, old: "\"seed\": 1", new: "\"ramp_s\": -0.1", place: "ramp_s",
    cause: "-0.1 is outside 0"),
  Fault(
    design: localisation, old: "\"seed\": 1", new: "\"sample_rate_hz\": 1", place: "sample_rate_hz",
    cause: "1 is outside 8000"),
  Fault(
    design: localisation, old: "\"seed\": 1", new: "\"break_every\": 0", place: "break_every",
    cause: "0 is outside 1"),
  Fault(
    design: localisation, old: "\"seed\": 1", new: "\"response\": {\"kind\": \"abx\"}",
    place: "response.kind", cause: "\"abx\" is not for localisation"),
  Fault(
    design: localisation, old: "\"seed\": 1", new: "\"response\": {\"options\": [\"a\", \"b\"]}",
    place: "response", cause: "options are for the kind choice"),
  Fault(
    design: localisation, old: "{\"azimuth_deg\": 330}]",
    new: "{\"azimuth_deg\": 330, \"elevation_deg\": 20}], \"response\": {\"kind\": \"horizontal\"}",
    place: "directions[1]", cause: "cannot be answered in the horizontal plane", isOfForm: false),
  Fault(
    design: localisation, old: "\"seed\": 1", new: "\"staircase\": {}", place: nil,
    cause: "unknown key \"staircase\""),
  Fault(
    design: localisation, old: "{\"id\": \"pink\", \"file\": \"SOUND\"}",
    new: "{\"id\": \"p\", \"file\": \"SOUND\"}, {\"id\": \"p\", \"file\": \"SOUND\"}",
    place: "sounds[1]", cause: "p is there already", isOfForm: false),
  Fault(
    design: localisation, old: "\"set\": \"MIT-KEMAR-44100\"",
    new: "\"set\": \"MIT-KEMAR-44100\", \"head_circumference_cm\": 10",
    place: "hrtfs[0].head_circumference_cm", cause: "10 is outside 45"),
  Fault(
    design: localisation, old: "\"set\": \"MIT-KEMAR-44100\"",
    new: "\"set\": \"MIT-KEMAR-44100\", \"fix_mirror\": 1", place: "hrtfs[0].fix_mirror",
    cause: "is a number, not true or false"),
  Fault(
    design: angle, old: "[2, 10]", new: "[2, 1]", place: "staircase.steps_deg[1]",
    cause: "1 is not more than the step before", isOfForm: false),
  Fault(
    design: angle, old: "[2, 10]", new: "[2]", place: "staircase.steps_deg",
    cause: "at least two steps"),
  Fault(
    design: angle, old: "[2, 10]", new: "[2, 10], \"start_step\": 2", place: "staircase.start_step",
    cause: "2 is outside 0 to 1", isOfForm: false),
  Fault(
    design: angle, old: "[2, 10]", new: "[2, 10], \"rule\": \"1-down-1-up\"",
    place: "staircase.rule", cause: "is none of 2-down-1-up"),
  Fault(
    design: angle, old: "{\"azimuth_deg\": 180}", new: "{\"azimuth_deg\": 88}",
    place: "directions[1]", cause: "neither is to the left", isOfForm: false),
  Fault(
    design: angle, old: "{\"azimuth_deg\": 180}",
    new: "{\"azimuth_deg\": 180, \"elevation_deg\": 90}", place: "directions[1]",
    cause: "neither is to the left", isOfForm: false),
  Fault(
    design: abx, old: "\"seed\": 1", new: "\"pairs\": [[\"A\", \"C\"]]", place: "pairs[0][1]",
    cause: "\"C\" is none of the hrtfs: A, B", isOfForm: false),
  Fault(
    design: abx, old: "\"seed\": 1", new: "\"pairs\": [[\"A\", \"A\"]]", place: "pairs[0]",
    cause: "is twice the same"),
  Fault(
    design: abx, old: "\"seed\": 1", new: "\"pairs\": [[\"A\"]]", place: "pairs[0]",
    cause: "is not a pair"),
  Fault(
    design: abx, old: "\"seed\": 1", new: "\"level\": {\"rove_db\": 2}", place: "level.rove_db",
    cause: "levels are roved in localisation"),
  Fault(
    design: abx, old: "{\"id\": \"A\", \"set\": \"MIT-KEMAR-44100\"},", new: "", place: "hrtfs",
    cause: "at least two"),
  Fault(
    design: preference, old: "\"reference\": \"A\"", new: "\"reference\": \"C\"",
    place: "reference", cause: "is none of the hrtfs", isOfForm: false),
  Fault(
    design: preference, old: "\"reference\": \"A\",", new: "", place: nil,
    cause: "there is no reference"),
  Fault(
    design: preference, old: "\"seed\": 1", new: "\"anchors\": [\"lowpass\"]", place: "anchors[0]",
    cause: "is none of lowpass-3500"),
  Fault(
    design: walk, old: "\"left\", \"right\"", new: "\"left\"", place: "response",
    cause: "at least two options"),
  Fault(
    design: walk, old: "\"duration_s\": 2", new: "\"duration_s\": 2, \"expected\": \"up\"",
    place: "scenes[0].expected", cause: "\"up\" is none of response.options", isOfForm: false),
  Fault(
    design: walk, old: "\"duration_s\": 2", new: "\"duration_s\": 0", place: "scenes[0].duration_s",
    cause: "0 is outside 0.1"),
  Fault(
    design: walk, old: "\"seed\": 1", new: "\"sounds\": []", place: nil,
    cause: "unknown key \"sounds\""),
]

/// Texts that are no JSON, which no schema is asked about.
private let brokenTexts: [(text: String, cause: String)] = [
  ("", "the file is empty"), ("  \n ", "the file is empty"),
  ("{\"a\": NaN}", "line 1: not JSON: \"NaN\" is no value"),
  ("{\"a\": -Infinity}", "not JSON: \"-Infinity\" is no value"),
  ("{\"a\": 1e999}", "not JSON: \"1e999\" is no value"),
  ("{\"a\": 01}", "\"01\" is no value"), ("{\"a\": .5}", "\".5\" is no value"),
  ("{\"a\": 1,}", "lacks a key"), ("{\"a\" 1}", "no colon after \"a\""),
  ("{\n\"a\": 1,\n\"a\": 2}", "line 3: not JSON: the key \"a\" stands there twice"),
  ("[1, 2", "a list lacks its comma or its end"), ("{\"a\": \"b", "a text never ends"),
  ("{} {}", "text after the end"), ("\"\\x\"", "an escape that is none"),
  ("\"\\ud800\"", "half of a surrogate pair"),
  (String(repeating: "[", count: 100_000), "too many lists"),
]

@Suite struct DesignFaultTests {
  @Test(arguments: faults.indices)
  func isNamed(index: Int) throws {
    let fault = faults[index]
    let error = #expect(throws: FileError.self) {
      try Designs.design(fault.design, fault.old, fault.new)
    }
    #expect(error?.file == "design.json")
    if let place = fault.place { #expect(error?.place == place) }
    #expect(error?.cause.contains(fault.cause) == true, "\(error.map { "\($0)" } ?? "none")")
    #expect(Designs.text(fault.design, fault.old, fault.new) != Designs.text(fault.design))
  }

  @Test(arguments: brokenTexts.indices)
  func isNoJSON(index: Int) {
    let (text, cause) = brokenTexts[index]
    let error = #expect(throws: FileError.self) {
      try ListeningDesign(Array(text.utf8), path: "design.json")
    }
    #expect(error?.description.contains(cause) == true, "\(error.map { "\($0)" } ?? "none")")
  }

  /// The words that designs may translate are those of the page that ships.
  @Test func pageHasTheWords() throws {
    let path = "\(projectFolder)/Listening/page/strings.js"
    let page = String(decoding: try InputFile.bytes(path: path, limit: 1 << 20), as: UTF8.self)
    let words = try #require(
      page.split(separator: "const english = {").last?.split(separator: "};").first)
    let keys = words.matches(of: /[\n,] +([a-z_0-9]+): '/).map { String($0.1) }
    #expect(keys.count == PageWords.keys.count)
    #expect(Set(keys) == PageWords.keys)
  }

  /// The schema that ships accepts all that the reader does, and refuses what can be told from the form
  /// alone, by Python's jsonschema.
  @Test func agreesWithTheSchema() throws {
    let folder = TemporaryFolder()
    var cases: [(name: String, isGood: Bool?)] = []
    func add(_ text: String, isGood: Bool?) {
      let name = "\(cases.count).json"
      _ = folder.file(name, text)
      cases.append((name, isGood))
    }
    for design in [localisation, angle, abx, preference, walk] {
      add(Designs.text(design), isGood: true)
    }
    let turned = ("MIT-KEMAR-44100\"", "MIT-KEMAR-44100\", \"fix_mirror\": true")
    #expect(try Designs.design(localisation, turned.0, turned.1).ears[0].fitting.isMirrorFixed)
    add(Designs.text(localisation, turned.0, turned.1), isGood: true)
    for name in ["localisation", "audible-angle", "abx", "preference", "walk"] {
      let path = "\(projectFolder)/Examples/listening/\(name).json"
      _ = try ListeningDesign(path: path)
      add(
        String(decoding: try InputFile.bytes(path: path, limit: 1 << 20), as: UTF8.self),
        isGood: true)
    }
    for fault in faults {
      add(Designs.text(fault.design, fault.old, fault.new), isGood: !fault.isOfForm)
    }
    let script = """
      import json, sys
      from jsonschema import Draft202012Validator
      schema = json.load(open(sys.argv[1]))
      Draft202012Validator.check_schema(schema)
      validator = Draft202012Validator(schema)
      for name in sys.argv[2:]:
          if validator.is_valid(json.load(open(name))): print(name)
      """
    let program = folder.file("validate.py", script)
    let names = cases.map(\.name).joined(separator: " ")
    let schema = "\(projectFolder)/Listening/design.schema.json"
    let status = system(
      "cd '\(folder.path)' && /usr/bin/python3 '\(program)' '\(schema)' \(names) >valid")
    try #require(status == 0, "python3-jsonschema is of the packages for tests")
    let valid = Set(
      String(
        decoding: try InputFile.bytes(path: folder.path + "/valid", limit: 1 << 20), as: UTF8.self
      ).split(separator: "\n").map(String.init))
    for (index, item) in cases.enumerated() {
      #expect(valid.contains(item.name) == item.isGood, "case \(index)")
    }
  }
}
