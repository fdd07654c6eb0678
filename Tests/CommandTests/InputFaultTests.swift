import Files
import TestSupport
import Testing

/// Every input of a rendering, missing and damaged in turn: one line that names file, place and
/// cause, exit code 2, and no file.
@Suite struct InputFaultTests {
  private static let shipped = "\(projectFolder)/HRTF/SADIE-KU100-48000.sofa"
  private static let walkSpan = "2026-09-21T14:13:20Z to 2026-09-21T14:13:44Z"

  /// Writes the damaged inputs.
  private func damagedInputs() throws -> ShortWalk {
    let walk = try ShortWalk()
    try walk.write("empty", [])
    try walk.write("text", "Dear diary,\nit rained.\n".utf8)
    try walk.write("short.gpx", walk.bytes("walk.gpx").prefix(3000))
    try walk.write("old.gpx", from: "walk.gpx", replacing: "2026-", with: "2025-")
    try walk.write("untimed.gpx", from: "walk.gpx", replacing: "time>", with: "thyme>")
    try walk.write("one.gpx", walk.bytes("walk.gpx").prefix(550))
    let point = "<trkpt lat=\"51\" lon=\"0\"><time>2026-09-21T14:13:20Z</time></trkpt>"
    try walk.write("one.gpx", "<gpx><trk><trkseg>\(point)</trkseg></trk></gpx>".utf8)
    try walk.write("gpx.xml", "<html><body/></html>".utf8)
    for name in ["head", "phone"] {
      let full = try walk.bytes("\(name).csv")
      try walk.write("short-\(name).csv", full.prefix(1000))
      try walk.write("header-\(name).csv", full.prefix { $0 != 10 })
      try walk.write("old-\(name).csv", from: "\(name).csv", replacing: "1790", with: "1690")
      try walk.write("untimed-\(name).csv", from: "\(name).csv", replacing: "timestamp", with: "t")
      try walk.write("late-\(name).csv", full + Array("soon,\(name)\n".utf8))
    }
    try walk.write("nan-head.csv", from: "head.csv", replacing: "-0.5319477", with: "nan")
    try walk.write(
      "back-head.csv", from: "head.csv", replacing: "1790000000400", with: "1790000000040")
    let sound = try InputFile.bytes(path: "\(projectFolder)/Sounds/mallet.flac", limit: 1 << 24)
    try walk.write("short.flac", sound.prefix(20_000))
    try walk.write("header.flac", sound.prefix(100))
    let set = try InputFile.bytes(path: Self.shipped, limit: 1 << 26)
    try walk.write("short.sofa", set.prefix(20_000))
    try walk.write("empty.sofa", [])
    try walk.write("text.sofa", "not HDF5 at all".utf8)
    try walk.write("text.mhr", "not MinPHR02".utf8)
    try walk.write("scene.json", "{\"track\": \"walk.gpx\", \"beacons\": [{}]}".utf8)
    return walk
  }

  private static let head = "--track walk.gpx \(ShortWalk.beacon) --head"
  private static let phone = "--track walk.gpx --head head.csv \(ShortWalk.beacon) --phone"
  private static let sound = "\(ShortWalk.all) --sound"
  private static let hrtf = "\(ShortWalk.all) --hrtf"

  /// Words, and the message.
  static let faults: [(String, String)] = [
    ("\(ShortWalk.beacon) --track nope", "nope: no such file or directory"),
    ("\(ShortWalk.beacon) --track .", ".: is a directory"),
    ("\(ShortWalk.beacon) --track empty", "empty: the file is empty"),
    ("\(ShortWalk.beacon) --track text", "text: line 1: there is no column timestamp or time"),
    (
      "\(ShortWalk.beacon) --track gpx.xml",
      "gpx.xml: line 1: the root element is \"html\", not gpx: no GPX file"
    ),
    ("\(ShortWalk.beacon) --track short.gpx", "short.gpx: line 100: the XML stops before its end"),
    ("\(ShortWalk.beacon) --track untimed.gpx", "untimed.gpx: line 7: the track point has no time"),
    (
      "\(ShortWalk.beacon) --track one.gpx",
      "one.gpx: the walk, or what the head log has of it, lasts no time"
    ),
    (
      "\(ShortWalk.beacon) --track old.gpx --head head.csv",
      "head.csv: from 2026-09-21T14:13:20Z to 2026-09-21T14:13:20Z, which is of another time than "
        + "old.gpx: 2025-09-21T14:13:20Z to 2025-09-21T14:13:44Z"
    ),
    ("\(head) nope", "nope: no such file or directory"),
    ("\(head) .", ".: is a directory"),
    ("\(head) empty", "empty: the file is empty"),
    ("\(head) header-head.csv", "header-head.csv: no frames"),
    ("\(head) text", "text: line 1: there is no column timestamp or time"),
    ("\(head) phone.csv", "phone.csv: line 1: there is no column quaternionX or yaw"),
    ("\(head) short-head.csv", "short-head.csv: line 12: 4 columns where the header has 8"),
    ("\(head) untimed-head.csv", "untimed-head.csv: line 1: there is no column timestamp or time"),
    ("\(head) late-head.csv", "late-head.csv: line 402: 2 columns where the header has 8"),
    ("\(head) nan-head.csv", "nan-head.csv: line 2, column yaw: \"nan\" is not a finite number"),
    (
      "\(head) back-head.csv",
      "back-head.csv: line 12, column timestamp: \"1790000000040\" is earlier than the frame before"
    ),
    (
      "\(head) old-head.csv",
      "old-head.csv: from 2023-07-22T04:26:40Z to 2023-07-22T04:26:55Z, which is of another time "
        + "than walk.gpx: \(walkSpan)"
    ),
    ("\(phone) nope", "nope: no such file or directory"),
    ("\(phone) .", ".: is a directory"),
    ("\(phone) empty", "empty: the file is empty"),
    ("\(phone) header-phone.csv", "header-phone.csv: no headings"),
    ("\(phone) text", "text: line 1: there is no column timestamp or time"),
    (
      "\(phone) head.csv",
      "head.csv: line 1: there is no column trueHeading or magneticHeading or magneticBearing"
    ),
    ("\(phone) short-phone.csv", "short-phone.csv: line 29: 3 columns where the header has 4"),
    (
      "\(phone) untimed-phone.csv",
      "untimed-phone.csv: line 1: there is no column timestamp or time"
    ),
    ("\(phone) late-phone.csv", "late-phone.csv: line 202: 2 columns where the header has 4"),
    (
      "\(phone) old-phone.csv",
      "old-phone.csv: from 2023-07-22T04:26:40Z to 2023-07-22T04:26:55Z, which is of another time "
        + "than walk.gpx: \(walkSpan)"
    ),
    ("\(sound) nope", "nope: no such file or directory"),
    ("\(sound) .", ".: is a directory"),
    ("\(sound) empty", "empty: the file is empty"),
    ("\(sound) text", "text: not a sound file (Format not recognised.)"),
    (
      "\(sound) short.flac",
      "short.flac: frame 16384: truncated: its header promises 115200 frames"
    ),
    ("\(hrtf) nope.sofa", "nope.sofa: no such file or directory"),
    ("\(hrtf) ./", "./: is a directory"),
    ("\(hrtf) empty.sofa", "empty.sofa: the file is empty"),
    ("\(hrtf) text.sofa", "text.sofa: byte 0: not a SOFA file (no HDF5 signature)"),
    (
      "\(hrtf) short.sofa",
      "short.sofa: damaged, truncated or of an HDF5 form that is not read"
    ),
    ("nope.json", "nope.json: no such file or directory"),
    (".", ".: is a directory"),
    ("empty", "empty: the file is empty"),
    ("text", "text: not JSON"),
    ("walk.gpx", "walk.gpx: not JSON"),
    ("scene.json", "scene.json: beacons 1: there is no latitude"),
  ]

  @Test func rendering() throws {
    let walk = try damagedInputs()
    let names = walk.folder.names()
    for (words, message) in Self.faults {
      let result = try start(
        "render \(words) --trace out.csv --plot out.svg -o out.wav", in: walk.path)
      #expect(result.code == 2, "\(words)")
      #expect(result.error == "aurient: \(message)\n", "\(words)")
      #expect(result.output == "", "\(words)")
      #expect(walk.folder.names() == names, "\(words)")
    }
  }

  @Test func otherCommands() throws {
    let walk = try damagedInputs()
    let names = walk.folder.names()
    for (words, message) in [
      ("head replay nope -o out.csv", "nope: no such file or directory"),
      ("head replay empty -o out.csv", "empty: the file is empty"),
      (
        "head replay late-head.csv -o out.csv",
        "late-head.csv: line 402: 2 columns where the header has 8"
      ),
      (
        "head replay old-head.csv --phone phone.csv -o out.csv",
        "phone.csv: from 2026-09-21T14:13:20Z to 2026-09-21T14:13:35Z, which is of another time "
          + "than old-head.csv: 2023-07-22T04:26:40Z to 2023-07-22T04:26:55Z"
      ),
      (
        "head replay old-head.csv --track walk.gpx -o out.csv",
        "walk.gpx: from \(Self.walkSpan), which is of another time "
          + "than old-head.csv: 2023-07-22T04:26:40Z to 2023-07-22T04:26:55Z"
      ),
      ("hrtf info nope.sofa", "nope.sofa: no such file or directory"),
      ("hrtf info empty", "empty: the file is empty"),
      ("hrtf info text.mhr", "text.mhr: byte 0: not a SOFA file (no HDF5 signature)"),
      (
        "hrtf convert short.sofa -o out.mhr",
        "short.sofa: damaged, truncated or of an HDF5 form that is not read"
      ),
      (
        "hrtf impulse empty.sofa --azimuth 0 --elevation 0 -o out.wav",
        "empty.sofa: the file is empty"
      ),
    ] {
      let result = try start(words, in: walk.path)
      #expect(result.code == 2, "\(words)")
      #expect(result.error.lowercased() == "aurient: \(message)\n".lowercased(), "\(words)")
      #expect(result.output == "", "\(words)")
      #expect(walk.folder.names() == names, "\(words)")
    }
  }

  /// Faults of the command line beside those of files.
  @Test(arguments: [
    (
      "--track walk.gpx",
      "needs a --beacon LAT,LON, a --route, or one in the scene; try 'aurient render --help'"
    ),
    ("--beacon 1,2", "needs SCENE.json or --track FILE; try 'aurient render --help'"),
    (
      "--track walk.gpx --beacon 91,0", "--beacon \"91,0\": latitude \"91\" is outside −90 to 90"
    ),
    ("\(ShortWalk.all) --course gps", "--course: \"gps\" is not automatic, logged or derived"),
    ("\(ShortWalk.all) --jobs 0", "--jobs: 0 is outside 1 to 1024"),
    ("\(ShortWalk.all) --rate 7999", "--rate: 7999 is outside 8000 to 192000"),
    ("\(ShortWalk.all) --gain 1", "--gain: 1 is outside -120 to 0"),
    ("\(ShortWalk.all) --trace ./out.wav", "--trace: \"./out.wav\" is the --output, too"),
    ("\(ShortWalk.all) --trace a --plot a", "--plot: \"a\" is the --trace, too"),
    ("\(ShortWalk.all) --trace head.csv", "--trace: \"head.csv\" is an input, too"),
    ("\(ShortWalk.all) --plot ./phone.csv", "--plot: \"./phone.csv\" is an input, too"),
    ("\(ShortWalk.all) --sound s.wav --plot link", "--plot: \"link\" is an input, too"),
    ("scene.json --plot scene.json", "--plot: \"scene.json\" is an input, too"),
    ("scene.json --plot walk.gpx", "--plot: \"walk.gpx\" is an input, too"),
  ])
  func commandLines(words: String, message: String) throws {
    let walk = try ShortWalk()
    try walk.write("s.wav", [])
    try walk.write(
      "scene.json",
      "{\"track\": \"walk.gpx\", \"beacons\": [{\"latitude\": 1, \"longitude\": 2}]}".utf8)
    let result = try start(
      "render \(words) -o out.wav", in: walk.path, before: "ln -s s.wav link &&")
    #expect(result.code == 2)
    #expect(result.error == "aurient render: \(message)\n")
    #expect(result.output == "")
    #expect(!walk.folder.names().contains { $0.hasPrefix("out") || $0.hasPrefix(".") })
  }

  @Test(arguments: [
    "head replay head.csv -o ./head.csv", "head replay head.csv --phone phone.csv -o phone.csv",
    "head replay head.csv --track walk.gpx -o walk.gpx", "hrtf convert head.csv -o head.csv",
    "hrtf impulse head.csv --azimuth 0 --elevation 0 -o head.csv",
  ])
  func anInputIsNotReplaced(words: String) throws {
    let walk = try ShortWalk()
    let before = try ["head.csv", "phone.csv", "walk.gpx"].map { try walk.bytes($0) }
    let result = try start(words, in: walk.path)
    #expect(result.code == 2)
    #expect(result.error.hasSuffix("\" is an input, too\n"))
    #expect(try ["head.csv", "phone.csv", "walk.gpx"].map { try walk.bytes($0) } == before)
  }

  @Test(
    .enabled(if: testDataFolder != nil),
    arguments: [
      ("cerknicko-without-times.gpx", "line 67: the track point has no time"),
      ("korita-zbevnica.gpx", "line 33: the track point has no time"),
      ("route.gpx", "no track: 0 waypoints and 1 route"),
      ("soundscape-route.gpx", "no track: 0 waypoints and 1 route"),
      ("handcrafted.gpx", "no track: 0 waypoints and 1 route"),
      ("unicode_with_bom.gpx", "no track: 1 waypoint and 0 routes"),
      (
        "gpx1.0_with_all_fields.gpx",
        "the walk, or what the head log has of it, lasts no time"
      ),
    ])
  func tracksThatCannotBeWalked(name: String, message: String) throws {
    let path = try #require(testDataFolder) + "/gpx/" + name
    let folder = TemporaryFolder()
    let result = try start("render --track \(path) --beacon 1,2 -o out.wav", in: folder.path)
    #expect(result.code == 2)
    #expect(result.error == "aurient: \(path): \(message)\n")
    #expect(folder.names().isEmpty)
  }

  @Test func noSuchDataSet() throws {
    let walk = try ShortWalk()
    let names = walk.folder.names()
    let result = try start("render \(ShortWalk.all) --hrtf KEMAR -o out.wav", in: walk.path)
    #expect(result.code == 2)
    #expect(
      result.error.hasPrefix(
        "aurient: there is no HRTF data set \"KEMAR\"; there are MIT-KEMAR-44100, "
          + "SADIE-KU100-48000, "))
    #expect(result.error.hasSuffix(", or name a file\n"))
    #expect(walk.folder.names() == names)
  }
}
