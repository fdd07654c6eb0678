import Files
import Glibc
import TestSupport
import Testing

/// What `aurient play` cannot do, and records that are damaged: one line, and an end.
@Suite struct PlayFaultTests {
  private static let beacon = "--beacon 51.5,0"

  @Test func noDevice() throws {
    convertShippedSets()
    let result = try start("play \(Self.beacon)", before: "PULSE_SERVER=unix:/nowhere")
    #expect(result.code == 1 && result.output == "")
    #expect(
      result.error
        == "aurient: there is no sound device that can be opened: connect one, or start PulseAudio or "
        + "PipeWire; 'aurient render' writes to a file instead\n")
  }

  @Test(arguments: [
    ("", "needs a --beacon LAT,LON, a --route, or one in the scene; try 'aurient play --help'"),
    ("\(beacon) --osc 0", "--osc: 0 is outside 1 to 65535"),
    ("\(beacon) --osc 9000 --opentrack 9001", "--opentrack: there is --osc already"),
    ("\(beacon) --osc 9000 --head x", "--head: there is --osc already"),
    ("\(beacon) --gpsd localhost --track x", "--track: there is --gpsd already"),
    ("\(beacon) --latency fast", "--latency: \"fast\" is not low, normal or safe"),
    ("\(beacon) --duration -1", "--duration: -1 is outside 0 to 1000000000"),
    ("\(beacon) --every 0", "--every: 0 is outside 0.01 to 86400"),
  ])
  func wrongCommandLines(words: String, cause: String) throws {
    let result = try start("play \(words)")
    #expect(result.code == 2 && result.output == "")
    #expect(result.error == "aurient play: \(cause)\n")
  }

  @Test func whatIsThereAlready() throws {
    let server = try NullSinkServer([.init("sink", sampleRate: 48_000)])
    let sender = try Sender()
    try #require(sender.occupy())
    func fault(_ words: String) throws -> (Int32?, String) {
      let session = try PlayedSession("\(Self.beacon) --quiet --duration 1 \(words)", on: server)
      return (session.wait(), session.error)
    }
    #expect(
      try fault("--osc \(sender.port)") == (
        1, "aurient: 127.0.0.1 port \(sender.port): address already in use\n"
      ))
    #expect(try fault("--record \(server.path)") == (1, "aurient: \(server.path): is not empty\n"))
    #expect(
      try fault("--record \(server.path)/no/no") == (
        1, "aurient: \(server.path)/no/no: no such file or directory\n"
      ))
    let (code, error) = try fault("--device loud")
    #expect(code == 1)
    #expect(error.hasPrefix("aurient: cannot open the sound device \"loud\"; there are sink"))
    #expect(error.split(separator: "\n").count == 1)
  }

  /// The session goes on to its end; the record is not kept, and that is said.
  @Test func aFullDisk() throws {
    convertShippedSets()
    let server = try NullSinkServer([.init("sink", sampleRate: 48_000)])
    let variables = PlayedSession.environment(server).map { "\($0)='\($1)'" }
      .joined(separator: " ")
    let result = try start(
      "play \(projectFolder)/Examples/walk/scene.json --quiet --duration 1 --record record",
      in: server.path, before: "trap '' XFSZ; ulimit -f 8; \(variables)")
    #expect(result.code == 1 && result.output == "")
    #expect(result.error == "aurient: record/inputs.csv: file too large\n")
    #expect(names(in: server.path + "/record") == ["scene.json"])
  }

  /// A record of half a second of the walk, damaged in turn, and one that goes on with another device.
  @Test func damagedRecords() throws {
    let server = try NullSinkServer([.init("sink", sampleRate: 48_000)])
    let record = server.path + "/record"
    let session = try PlayedSession(
      "\(projectFolder)/Examples/walk/scene.json --quiet --duration 0.5 --record \(record)",
      on: server)
    try #require(session.wait() == 0, "\(session.error)")
    let path = record + "/inputs.csv"
    let whole = try InputFile.bytes(path: path, limit: 1 << 20)
    let text = String(decoding: whole, as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    let rows = lines.count
    try #require(rows > 60)

    func render(_ content: some Sequence<UInt8>) throws -> Outcome {
      try OutputFile.write(content, to: path)
      return try start("render record -o out.wav", in: server.path, before: "timeout 10")
    }
    func check(
      _ place: String, _ cause: String, _ change: (inout [String]) -> Void
    ) throws {
      var changed = lines
      change(&changed)
      let result = try render((changed.joined(separator: "\n") + "\n").utf8)
      #expect(result.code == 2 && result.output == "")
      #expect(result.error == "aurient: record/inputs.csv: \(place)\(cause)\n")
      #expect(!names(in: server.path).contains("out.wav"))
    }
    /// Puts a value into a column of the last row.
    func put(_ value: String, _ column: Int, _ lines: inout [String]) {
      var fields = lines[rows - 1].split(separator: ",", omittingEmptySubsequences: false)
        .map(String.init)
      fields[column] = value
      lines[rows - 1] = fields.joined(separator: ",")
    }
    let last = "line \(rows), column "
    let head = try #require(lines.firstIndex { $0.contains(",head,") })
    try check("", "the file is empty") { $0 = [] }
    try check("line 1: ", "there is no column frame") { $0[0] = "a,b" }
    try check("line \(rows): ", "1 columns where the header has 11") { $0[rows - 1] = "123" }
    try check(last, "frame: \"-1\" is not a whole number") { put("-1", 0, &$0) }
    try check(last, "frame: \"nan\" is not a whole number") { put("nan", 0, &$0) }
    try check(last, "frame: \"\(Int.max)\" is over 48 hours of sound") { put("\(Int.max)", 0, &$0) }
    try check(last, "frame: \"8294400001\" is over 48 hours of sound") { put("8294400001", 0, &$0) }
    try check(last, "frame: \"0\" comes before the frame of the row above") { put("0", 0, &$0) }
    try check(last, "made: \"99999999\" is farther ahead of the frame than sound is made") {
      put("99999999", 1, &$0)
    }
    try check(last, "time_ns: \"1\" is over 48 hours from the first row") { put("1", 2, &$0) }
    try check(last, "time_ns: \"\(UInt64.max)\" is not a whole number") {
      put("\(UInt64.max)", 2, &$0)
    }
    try check(last, "input: \"tock\" is no input of a session") { put("tock", 3, &$0) }
    try check("line \(head + 1), column ", "a: \"nan\" is not a finite number") {
      $0[head] = $0[head].replacing(",head,0.0", with: ",head,nan")
    }
    try check("line \(head + 1), column ", "a: \"1e99\" and the three after it are no attitude") {
      $0[head] = $0[head].replacing(",head,0.0", with: ",head,1e99")
    }
    try check(last, "a: \"1e30\" is no whole number") {
      put("route", 3, &$0)
      put("1e30", 4, &$0)
    }
    try check(last, "a: \"1\" is no sample rate") {
      put("device", 3, &$0)
      put("1", 4, &$0)
    }

    // Whatever bytes there are: an end, without a crash.
    var generator = SeededGenerator(seed: 7)
    for number in 0..<30 {
      var bytes = whole
      if number % 3 == 0 {
        bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator))
      } else {
        for _ in 0..<(number % 3 == 1 ? 1 : 20) {
          bytes[Int.random(in: 100..<bytes.count, using: &generator)] =
            number % 2 == 0
            ? UInt8.random(in: 0...255, using: &generator)
            : UInt8.random(in: 48...57, using: &generator)
        }
      }
      let result = try render(bytes)
      #expect([0, 2].contains(result.code), "\(number): \(result)")
      #expect(result.error.split(separator: "\n").count == (result.code == 0 ? 0 : 1))
    }
    #expect(try render(whole).code == 0)

    // A device that has come back after a second, at another rate, and has played for another second.
    let fields = lines[rows - 1].split(separator: ",")
    let (end, time) = (try #require(Int(fields[0])), try #require(Int(fields[2])))
    // Sound has ended with the frame, at the first row with it.
    let ended = try #require(lines.first { $0.hasPrefix("\(end),") }).split(separator: ",")
    let silence = 1 + Double(time - (try #require(Int(ended[2])))) / 1e9
    let comeback = end + Int((silence * 48_000).rounded())
    let more =
      "441,0,\(time + 1_000_000_000),device,44100,,,,,,\n44100,441,\(time + 2_000_000_000),tick,,,,,,,\n"
    #expect(try render(whole + more.utf8).code == 0)
    let samples = try renderedSamples(server.path + "/out.wav")
    #expect(samples.count / 2 == comeback + 48_000)
    #expect(samples[(2 * end)..<(2 * (comeback + 480))].allSatisfy { $0 == 0 })
    #expect(samples.suffix(48_000).contains { $0 != 0 })

    #expect(
      try start("render record --style wood -o out.wav", in: server.path).error
        == "aurient render: --style: a recorded session is rendered as it was played\n")
    #expect(
      try start("render record --jobs 0 -o out.wav", in: server.path).error
        == "aurient render: --jobs: 0 is outside 1 to 1024\n")
  }
}
