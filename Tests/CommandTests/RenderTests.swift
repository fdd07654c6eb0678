import Files
import FoundationEssentials
import Glibc
import SpatialAudio
import TestSupport
import Testing

/// `aurient render` from files to files.
/// What a new user might do.
@Suite struct RenderMisuseTests {
  private static let walk = "\(projectFolder)/Examples/walk"

  /// A frame of a wrong time, years ahead, is told of, and does not end the walk.
  @Test func aFrameFromTheFuture() throws {
    let folder = TemporaryFolder()
    var lines = String(
      decoding: try InputFile.bytes(path: Self.walk + "/head.csv", limit: 1 << 24), as: UTF8.self
    ).split(whereSeparator: \.isNewline).map(String.init)
    let comma = try #require(lines[500].firstIndex(of: ","))
    lines[500] = "1890000000000" + lines[500][comma...]
    _ = folder.file("head.csv", lines.joined(separator: "\n") + "\n")
    let result = try start(
      "render --track \(Self.walk)/walk.gpx --head head.csv --beacon 51.4764,-0.0031 -o out.wav",
      in: folder.path)
    #expect(result.code == 2 && folder.names() == ["head.csv"])
    #expect(result.error.hasPrefix("aurient: head.csv: line 502"), "\(result.error)")
  }

  /// A style's own files are inputs.
  @Test func aStyleIsNotOverwritten() throws {
    let folder = TemporaryFolder()
    #expect(system("cp -r '\(projectFolder)/Sounds/wood' '\(folder.path)/wd'") == 0)
    let result = try start(
      "render --track \(Self.walk)/walk.gpx --beacon 51.4764,-0.0031 --style wd -o wd/hum.flac",
      in: folder.path)
    #expect(result.code == 2)
    #expect(
      result.error.contains("--output: \"wd/hum.flac\" is an input, too"), "\(result.error)")
  }
}

@Suite struct RenderTests {
  /// The summary that `--json` prints.
  private struct Summary: Decodable {
    var output: String
    var seconds: Double
    var rate: Int
    var hrtf: String
    var peak_dbfs: Double?
    var loudness_lufs: Double?
    var heading_share: [String: Double]
    var callouts: [Callout]
  }

  private struct Callout: Decodable, Equatable {
    var time_s: Double
    var beacon: String
    var text: String
  }

  /// Renders in the folder and returns the summary; the program must say nothing else but, where the
  /// summary shows a reason, that it is too loud or that no heading is known.
  private func render(
    _ words: String, in folder: String, before: String = ""
  ) throws -> Summary {
    let result = try start("render \(words) --json", in: folder, before: before)
    try #require(result.code == 0, "\(result.error)")
    let summary = try JSONDecoder().decode(Summary.self, from: Data(result.output.utf8))
    var notes = result.error.split(separator: "\n")[...]
    if summary.peak_dbfs ?? 0 > 0 {
      #expect(notes.popFirst()?.hasSuffix("; lower --gain") == true)
    }
    // The head's log of the short walk is shorter still.
    if summary.seconds < 17, words.contains("--head") || words.contains(".json") {
      #expect(
        notes.popFirst()?.hasSuffix(": ends 8.1 s before the walk, and the sound with it") == true)
    }
    if summary.heading_share.values.reduce(0, +) < 0.95 {
      #expect(notes.popFirst()?.contains(": no heading is known for ") == true)
    }
    #expect(notes.isEmpty)
    return summary
  }

  /// What a track holds that cannot be read and is not needed is left out, which is told.
  @Test(arguments: [(1, ""), (3, "; 2 more like it")])
  func whatIsLeftOutIsTold(count: Int, others: String) throws {
    let walk = try ShortWalk()
    let path = walk.path + "/walk.gpx"
    let lines = String(
      decoding: try InputFile.bytes(path: path, limit: 1 << 20), as: UTF8.self
    ).split(separator: "\n", omittingEmptySubsequences: false)
    let spoilt = lines.indices.filter { lines[$0].hasPrefix("<ele>") }.prefix(count)
    let text = lines.indices.map { spoilt.contains($0) ? "<ele>>20.0</ele>" : lines[$0] }
    try OutputFile.write(text.joined(separator: "\n").utf8, to: path)
    let place = "line \(try #require(spoilt.first) + 1)"
    let cause = #"ele ">20.0" is not a finite number; left out"#
    for words in [
      "render \(ShortWalk.all) -o out.wav", "head replay head.csv --track walk.gpx -o out.csv",
    ] {
      let result = try start(words, in: walk.path)
      #expect(result.code == 0)
      let lines = result.error.split(separator: "\n")
      #expect(lines.first ?? "" == "aurient: walk.gpx: \(place): \(cause)\(others)")
      #expect(lines.count == (words.hasPrefix("render") ? 2 : 1))
    }
  }

  /// A walk as NMEA 0183 is the walk as GPX: courses are rounded to 0.01 degrees, places to 2 cm.
  @Test func aWalkOfNMEA() throws {
    let walk = try ShortWalk()
    let nmea = projectFolder + "/Examples/walk/walk.nmea"
    try #require(
      try start(
        "render --track \(nmea) --head head.csv \(ShortWalk.beacon) --trace out.csv -o out.wav",
        in: walk.path
      ).code == 0)
    let rows = String(decoding: try walk.bytes("out.csv"), as: UTF8.self).split(separator: "\n")
    #expect(rows.count > 300 && rows[1].contains(",51.4779,-0.0015,"))
    for track in [nmea, "walk.gpx"] {
      let result = try start("head replay head.csv --track \(track) -o out.csv", in: walk.path)
      #expect(result.code == 0 && result.error.isEmpty)
    }
  }

  @Test func formatsTraceAndPlot() throws {
    let walk = try ShortWalk()
    for ending in ["wav", "flac", "ogg"] {
      let summary = try render(
        "\(ShortWalk.all) --trace out.csv --plot out.svg -o out.\(ending)", in: walk.path)
      #expect(summary.output == "out.\(ending)")
      #expect(summary.seconds == 15.96 && summary.rate == 48000)
      #expect(summary.hrtf == "SADIE-KU100-48000")
      #expect(summary.peak_dbfs.map { $0 > -12 && $0 < 0 } == true)
      #expect(summary.loudness_lufs.map { $0 > -30 && $0 < -10 } == true)
      #expect(Set(summary.heading_share.keys) == ["head", "course", "phone"])
      #expect(summary.heading_share["head", default: 0] > 0.2)
      #expect(summary.heading_share["phone", default: 0] > 0.2)
      let sound = try Sound(path: "\(walk.path)/out.\(ending)")
      #expect(sound.sampleRate == 48000 && sound.fileChannelCount == 2)
      #expect(sound.samples.count == 766_080)
      // One row a head frame; CSV and plot appear with the sound.
      let rows = String(decoding: try walk.bytes("out.csv"), as: UTF8.self).split(separator: "\n")
      #expect(rows.count == 401 && rows[1].hasPrefix("0.0,51.4779,-0.0015,"))
      #expect(try walk.bytes("out.svg").starts(with: Array("<?xml".utf8)))
    }
    #expect(!walk.folder.names().contains { $0.hasPrefix(".") })
  }

  @Test func summaryForPeople() throws {
    let walk = try ShortWalk()
    let result = try start("render \(ShortWalk.all) -o out.wav", in: walk.path)
    #expect(result.code == 0)
    #expect(
      result.error == "aurient: head.csv: ends 8.1 s before the walk, and the sound with it\n")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0] == "out.wav: 16.0 s at 48000 Hz, HRTF SADIE-KU100-48000")
    #expect(lines[1].hasPrefix("peak -") && lines[1].hasSuffix(" LUFS"))
    #expect(lines[2].hasPrefix("heading from head ") && lines[2].hasSuffix(" %"))
  }

  @Test func withoutHeadOrPhone() throws {
    let walk = try ShortWalk()
    // By their accuracy these courses are too poor to face: 15° to 88°, and up to 67° off.
    let poor = try render(
      "--track walk.gpx \(ShortWalk.beacon) --course logged -o out.wav", in: walk.path)
    #expect(poor.heading_share["course", default: 1] < 0.5)
    try walk.write(
      "plain.gpx", from: "walk.gpx", replacing: "bearingAccuracyDegrees", with: "unknown")
    let track = "--track plain.gpx \(ShortWalk.beacon) -o out.wav"
    let logged = try render("\(track) --course logged", in: walk.path)
    let derived = try render("\(track) --course derived", in: walk.path)
    // There are logged courses from the start, derived ones only where there was a way.
    let shares = try [logged, derived].map { try #require($0.heading_share["course"]) }
    #expect(shares[0] > shares[1] && shares[1] > 0)
    let noPhone = try render(
      "--track plain.gpx --head head.csv \(ShortWalk.beacon) --trace out.csv -o out.wav",
      in: walk.path)
    #expect(noPhone.seconds == 15.96)
    #expect(
      noPhone.heading_share["phone"] == 0 && noPhone.heading_share["course", default: 0] > 0.2)
    let noHead = try render(
      "--track walk.gpx --phone phone.csv \(ShortWalk.beacon) -o out.wav", in: walk.path)
    #expect(noHead.heading_share["head"] == 0)
    #expect(noHead.heading_share["phone", default: 0] > 0.2)
    // To the end of the walk, 24 s.
    #expect(noHead.seconds > 23 && noHead.seconds < 25)
  }

  @Test func rateAndDataSet() throws {
    let walk = try ShortWalk()
    let rate = try render("\(ShortWalk.all) --rate 44100 -o out.wav", in: walk.path)
    #expect(rate.hrtf == "MIT-KEMAR-44100" && rate.rate == 44100)
    #expect(try Sound(path: walk.path + "/out.wav").samples.count == 703_836)
    let byRate = try walk.bytes("out.wav")
    let set = try render("\(ShortWalk.all) --hrtf mit -o out.wav", in: walk.path)
    #expect(set.hrtf == "MIT-KEMAR-44100" && set.rate == 44100)
    #expect(try walk.bytes("out.wav") == byRate)
  }

  /// The set has the horizontal plane alone, in steps of 30°, so 60° up and down count as measured. A head
  /// that looks up by 75° has what is ahead farther below; a level one has not.
  @Test func outsideTheMeasuredPart() throws {
    let walk = try ShortWalk()
    let rows = String(decoding: try walk.bytes("head.csv"), as: UTF8.self)
      .split(whereSeparator: \.isNewline)
    for (pitch, isOutside) in [(0.0, false), (75, true)] {
      let half = pitch * .pi / 360
      let turned = rows.dropFirst().map { row -> String in
        let columns = row.split(separator: ",")
        let yaw = (Double(columns[3]) ?? 0) / 2
        let quaternion = [
          cos(yaw) * sin(half), sin(yaw) * sin(half), sin(yaw) * cos(half), cos(yaw) * cos(half),
        ]
        return "\(columns[0])," + quaternion.map { "\($0)" }.joined(separator: ",")
      }
      let header = "timestamp,quaternionX,quaternionY,quaternionZ,quaternionW"
      try walk.write("up.csv", ([header] + turned).joined(separator: "\n").utf8)
      let result = try start(
        "render --track walk.gpx --head up.csv --phone phone.csv \(ShortWalk.beacon) --gain -20 "
          + "--hrtf \(projectFolder)/Tests/Fixtures/turned-listener.sofa -o out.wav",
        in: walk.path)
      #expect(result.code == 0)
      #expect(
        result.error.contains("% of the time a beacon lies outside the measured part of ")
          == isOutside, "\(result.error)")
    }
  }

  @Test func gainInDecibels() throws {
    let walk = try ShortWalk()
    let full = try render("\(ShortWalk.all) -o out.wav", in: walk.path)
    let softer = try render("\(ShortWalk.all) --gain -12 -o out.wav", in: walk.path)
    let difference = try #require(softer.peak_dbfs) - #require(full.peak_dbfs)
    #expect(abs(difference - -12) < 0.01)
  }

  /// What several beacons give together is the sum of what each gives.
  @Test func severalBeacons() throws {
    let walk = try ShortWalk()
    let places = ["51.4764,-0.0031,A", "51.48,-0.003,B", "51.478,0.01"]
    func samples(_ beacons: [String]) throws -> [Float] {
      let words = beacons.map { "--beacon \($0)" }.joined(separator: " ")
      _ = try render(
        "--track walk.gpx --head head.csv --phone phone.csv \(words) --trace out.csv -o out.wav",
        in: walk.path)
      return try Sound(path: walk.path + "/out.wav").samples
    }
    let together = try samples(places)
    let rows = String(decoding: try walk.bytes("out.csv"), as: UTF8.self).split(separator: "\n")
    #expect(rows.count == 1201)
    #expect(rows[1].contains(",A,") && rows[2].contains(",B,") && rows[3].contains(",beacon 3,"))
    let alone = try places.map { try samples([$0]) }
    let error = together.indices.map { index in
      abs(together[index] - alone.reduce(0) { $0 + $1[index] })
    }.max()
    #expect(try #require(error) < 1e-5)
  }

  /// A sound of two channels and another rate is heard as its one channel at the engine's rate.
  @Test func soundsOfOtherForms() throws {
    let walk = try ShortWalk()
    func write(_ name: String, rate: Int, channels: Int) throws {
      let writer = try SoundFileWriter(
        path: "\(walk.path)/\(name)", sampleRate: rate, channelCount: channels,
        expectedFrames: rate / 10)
      // 440 Hz, 44 whole periods; the other channel is silent.
      let samples = (0..<rate / 10).flatMap { index -> [Float] in
        let sample = Float(0.5 * sin(2 * Double.pi * 440 * Double(index) / Double(rate)))
        return channels == 1 ? [sample / 2] : [sample, 0]
      }
      try samples.withUnsafeBufferPointer { samples throws(FileError) in try writer.write(samples) }
      try writer.commit()
    }
    try write("mono.wav", rate: 48000, channels: 1)
    try write("stereo.wav", rate: 48000, channels: 2)
    try write("slow.wav", rate: 44100, channels: 2)
    let sounds = try ["mono", "stereo", "slow"].map { name in
      _ = try render("\(ShortWalk.all) --sound \(name).wav -o out.wav", in: walk.path)
      return try Sound(path: walk.path + "/out.wav")
    }
    #expect(sounds.allSatisfy { $0.sampleRate == 48000 && $0.samples.count == 766_080 })
    #expect(sounds[1].samples == sounds[0].samples)
    let difference = zip(sounds[2].samples, sounds[0].samples).map { abs($0 - $1) }.max()
    // The loop may begin within a sample of where it was, 0.06 rad of the tone.
    #expect(try #require(difference) < 0.02)
  }

  /// The numbers of both layouts are rounded at different places, the seventh and the ninth; and
  /// Sensor Logger has only magnetic north, 2° off in the simulation. Of that the declination is taken off, by
  /// pygeomag `GeoMag(coefficients_file="wmm/WMM_2025.COF").calculate(51.4779, -0.0015, 0.02, 2026.722).d`.
  @Test func bothLayoutsOfTheLogs() throws {
    let walk = try ShortWalk()
    func rows(_ files: String) throws -> [[String]] {
      _ = try render(
        "--track walk.gpx \(files) \(ShortWalk.beacon) --calibrator classic --trace out.csv -o out.wav",
        in: walk.path)
      return String(decoding: try walk.bytes("out.csv"), as: UTF8.self).split(separator: "\n")
        .dropFirst().map {
          $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }
    let aware = try rows("--head head.csv --phone phone.csv")
    let logger = try rows("--head Headphone.csv --phone Compass.csv")
    #expect(aware.count == 400 && logger.count == 400)
    for (left, right) in zip(aware, logger) {
      #expect(left[0...2] == right[0...2] && left[7...11] == right[7...11])
      guard left[7] == "head" else { continue }
      let turn = try #require(Double(left[3])) - #require(Double(right[3]))
      #expect(abs(remainder(turn - (2 - 1.2428798857772898), 360)) < 0.001)
    }
    #expect(aware.contains { $0[7] == "head" })
    // With the same phone only the rounding is left.
    let mixed = try rows("--head Headphone.csv --phone phone.csv")
    for (left, right) in zip(aware, mixed) {
      #expect(left[7] == right[7])
      let turn = try #require(Double(left[6])) - #require(Double(right[6]))
      #expect(abs(remainder(turn, 360)) < 1e-5)
    }
  }

  @Test func sceneFile() throws {
    let walk = try ShortWalk()
    try walk.write(
      "scene.json",
      """
      {"track": "walk.gpx", "head": "head.csv", "phone": "phone.csv",
       "beacons": [{"name": "Fountain", "latitude": 51.4764, "longitude": -0.0031}]}
      """.utf8)
    _ = try render("\(walk.path)/scene.json --trace a.csv -o a.wav", in: walk.path)
    _ = try render("\(ShortWalk.all) --trace b.csv -o b.wav", in: walk.path)
    #expect(try walk.bytes("a.wav") == walk.bytes("b.wav"))
    #expect(try walk.bytes("a.csv") == walk.bytes("b.csv"))
    // Options go before the file.
    let words = "scene.json --beacon 51.48,0 --hrtf MIT --trace a.csv -o a.wav"
    #expect(try render(words, in: walk.path).hrtf == "MIT-KEMAR-44100")
    #expect(String(decoding: try walk.bytes("a.csv"), as: UTF8.self).contains(",beacon 1,"))
  }

  /// The same bytes in another locale (German has a comma in its numbers), another time zone, on
  /// one core, and with any number of threads.
  @Test func theSameBytesEverywhere() throws {
    let walk = try ShortWalk()
    let files = ["wav", "flac", "ogg", "csv", "svg"]
    func bytes(_ before: String, jobs: String = "") throws -> [[UInt8]] {
      for ending in files.prefix(3) {
        _ = try render(
          "\(ShortWalk.all) \(jobs) --trace out.csv --plot out.svg -o out.\(ending)",
          in: walk.path, before: before)
      }
      return try files.map { try walk.bytes("out.\($0)") }
    }
    let usual = try bytes("")
    #expect(usual.allSatisfy { $0.count > 1000 })
    let german = "localedef -f UTF-8 -i de_DE ./de_DE.UTF-8 >/dev/null 2>&1; "
    let other = "LOCPATH=. LANGUAGE=de LC_ALL=de_DE.UTF-8 TZ=Asia/Tokyo taskset -c 0"
    #expect(try bytes(german + other) == usual)
    #expect(try bytes("", jobs: "--jobs 1") == usual)
    #expect(try bytes("", jobs: "--jobs 5") == usual)
  }

  @Test(
    .enabled(if: testDataFolder != nil),
    arguments: [
      ("walk-345m-as-logged.gpx", 235.9), ("track-with-empty-segment.gpx", 76.0),
      ("track_with_speed.gpx", 13.0),
    ])
  func tracksOfOtherPrograms(name: String, seconds: Double) throws {
    let walk = try ShortWalk()
    let folder = try #require(testDataFolder)
    let summary = try render(
      "--track \(folder)/gpx/\(name) \(ShortWalk.beacon) -o out.wav", in: walk.path)
    #expect(abs(summary.seconds - seconds) < 0.06)
    #expect(summary.heading_share["course", default: 0] > 0.3)
  }

  @Test func headAndPhoneFromPipes() throws {
    let walk = try ShortWalk()
    _ = try render("\(ShortWalk.all) -o a.wav", in: walk.path)
    _ = try render(
      "--track walk.gpx --head /dev/stdin --phone phone.csv \(ShortWalk.beacon) -o b.wav",
      in: walk.path, before: "cat head.csv |")
    #expect(try walk.bytes("a.wav") == walk.bytes("b.wav"))
  }

  @Test func aTrackIsNoPipe() throws {
    let walk = try ShortWalk()
    let names = walk.folder.names()
    let result = try start(
      "render --track /dev/stdin \(ShortWalk.beacon) -o out.wav", in: walk.path,
      before: "cat walk.gpx |")
    #expect(result.code == 2)
    #expect(result.error == "aurient: /dev/stdin: is a pipe; a track is read from a file\n")
    #expect(walk.folder.names() == names)
  }

  /// Beacons of a style with words, as the options and as the scene file say; the same bytes each time.
  @Test func styleAndCallouts() throws {
    let walk = try ShortWalk()
    try walk.write(
      "scene.json",
      """
      {"track": "walk.gpx", "head": "head.csv", "phone": "phone.csv", "style": "wood",
       "callouts": {"every": 6},
       "beacons": [{"name": "Fountain", "latitude": 51.4764, "longitude": -0.0031}]}
      """.utf8)
    let words = "\(ShortWalk.all) --style wood --callouts 6 --trace out.csv -o out.wav"
    let summary = try render(words, in: walk.path)
    #expect(summary.callouts.map(\.time_s) == [6, 12])
    #expect(summary.callouts.allSatisfy { $0.beacon == "Fountain" })
    // Where it is, 207 m off, is the trace's.
    #expect(summary.callouts.allSatisfy { $0.text.hasPrefix("Fountain, 2") })
    #expect(summary.callouts.allSatisfy { $0.text.contains("0 metres, ahead") })
    let (sound, trace) = (try walk.bytes("out.wav"), try walk.bytes("out.csv"))
    _ = try render(words, in: walk.path)
    #expect(try walk.bytes("out.wav") == sound)
    _ = try render("scene.json -o scene.wav", in: walk.path)
    #expect(try walk.bytes("scene.wav") == sound)
    let rows = String(decoding: trace, as: UTF8.self).split(separator: "\n")
    #expect(rows[0].hasSuffix(",region,state") && rows.last?.hasSuffix(",sounding") == true)
    #expect(rows.contains { $0.hasSuffix(",near,sounding") })
    let silent = try render("\(ShortWalk.all) --style wood -o silent.wav", in: walk.path)
    #expect(silent.callouts.isEmpty)
    // The first five seconds are the same, then there are words.
    let samples = try ["out.wav", "silent.wav"].map {
      try Sound(path: "\(walk.path)/\($0)").samples
    }
    let first = try #require(samples[0].indices.first { samples[0][$0] != samples[1][$0] })
    #expect(6.0...6.2 ~= Double(first) / 48_000)
  }

  /// A speaker that is missing, does nothing, says nonsense, fails, or never ends is one line.
  @Test(
    arguments: [
      (nil, "is not installed; it speaks callouts (Debian: espeak-ng)"),
      ("exit 0", #"said nothing; has it no voice "en"?"#),
      ("echo hello", #"said nothing; has it no voice "en"?"#),
      ("exit 3", #"failed; has it no voice "en"?"#),
      ("kill -SEGV $$", #"failed; has it no voice "en"?"#),
      ("exec /usr/bin/yes", #"said nothing; has it no voice "en"?"#),
      ("exec /bin/sleep 100", "takes more than 5 s"),
    ] as [(String?, String)])
  func speakers(script: String?, cause: String) throws {
    let walk = try ShortWalk()
    if let script {
      try walk.write("espeak-ng", "#!/bin/sh\n\(script)\n".utf8)
      chmod(walk.path + "/espeak-ng", 0o755)
    }
    let result = try start(
      "render \(ShortWalk.all) --callouts 6 -o out.wav", in: walk.path,
      before: "PATH='\(walk.path)'")
    #expect(result.error == "aurient: espeak-ng: \(cause)\n")
    #expect(result.code == 2)
    #expect(!walk.folder.names().contains("out.wav"))
  }

  /// A gain is that of a route's places as well.
  @Test func gainOfARoute() throws {
    let walk = try ShortWalk()
    try walk.write(
      "route.gpx",
      "<gpx><wpt lat='51.4764' lon='-0.0031'><name>Well</name></wpt></gpx>".utf8)
    let words = "--track walk.gpx --route route.gpx --style wood"
    let full = try render("\(words) -o out.wav", in: walk.path)
    let softer = try render("\(words) --gain -12 -o out.wav", in: walk.path)
    let difference = try #require(softer.peak_dbfs) - #require(full.peak_dbfs)
    #expect(abs(difference - -12) < 0.01)
  }
}
