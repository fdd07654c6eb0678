import Files
import Glibc
import SpatialAudio
import TestSupport
import Testing

/// `aurient serve` with a sound server of its own, as its clients have it.
@Suite(.serialized) struct ServeTests {
  private static let sink = NullSinkServer.Sink("null", sampleRate: 48_000)

  /// The service under test.
  private final class Service {
    let sound: NullSinkServer
    let port: UInt16
    let program: ChildProgram
    let client: OSCClient

    init(_ words: [String] = []) throws {
      convertShippedSets()
      sound = try NullSinkServer([ServeTests.sink])
      port = try OSCClient.freePort()
      program = try ChildProgram(
        ["timeout", "60", TestSupport.program, "serve", "--osc", "\(port)", "--latency", "safe"]
          + words,
        environment: ServeTests.environment(sound), output: sound.path + "/output",
        error: sound.path + "/error")
      client = OSCClient(port: port)
      try #require(waitUntil(20) { client.sync(within: 0.2) != nil })
      // Answers to those that came before.
      while !client.receive(within: 0.1).isEmpty {}
    }

    /// The errors that messages are answered with.
    func errors(_ messages: [OSC.Message]) throws -> [[OSC.Argument]] {
      for message in messages { client.send(message.bytes) }
      let answers = try #require(client.sync())
      #expect(answers.allSatisfy { $0.address == "/aurient/error" })
      return answers.map(\.arguments)
    }

    func text(_ name: String) throws -> String {
      String(
        decoding: try InputFile.bytes(path: sound.path + "/" + name, limit: 1 << 20), as: UTF8.self)
    }
  }

  private static func environment(_ sound: NullSinkServer) -> [String: String] {
    // The data sets that are converted already, wherever home is.
    let cache =
      getenv("XDG_CACHE_HOME").map { String(cString: $0) }
      ?? (getenv("HOME").map { String(cString: $0) } ?? "") + "/.cache"
    return sound.environment.merging(["XDG_CACHE_HOME": cache]) { $1 }
  }

  private static let here = OSC.Message("/location", .d(51.4769), .d(0.0005), .f(90))
  private static func place(_ name: String) -> OSC.Message {
    OSC.Message("/aurient/beacon/place", .s(name), .d(51.4764), .d(-0.0031))
  }

  /// The only folders from which clients get anything, one of them with a way out.
  private static func folders() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    _ = folder.file("secret.wav", "")
    for words in [
      "mkdir \(folder.path)/sounds", "cp \(projectFolder)/Sounds/mallet.flac \(folder.path)/sounds",
      "cp -r \(projectFolder)/Sounds/wood \(folder.path)/sounds",
      "ln -s \(folder.path)/secret.wav \(folder.path)/sounds/link.wav",
      "mkfifo \(folder.path)/sounds/pipe.wav", "echo text > \(folder.path)/sounds/text.wav",
    ] { try #require(system(words) == 0) }
    return folder
  }

  @Test func requestsAndAnswers() throws {
    let folder = try Self.folders()
    let service = try Service(["--sounds", folder.path + "/sounds"])
    let client = service.client
    #expect(
      try service.errors([
        Self.here, Self.place("A"), Self.place("B"),
        OSC.Message("/aurient/beacon/style", .s("A"), .s("wood")),
        OSC.Message("/aurient/beacon/sound", .s("B"), .s("mallet.flac")),
        OSC.Message("/aurient/beacon/gain", .s("B"), .i(-6)),
        OSC.Message("/aurient/beacon/mute", .s("B"), .bool(true)),
        OSC.Message("/aurient/volume", .d(-3)),
        OSC.Message("/aurient/beacon/say", .s("A"), .s("hello")),
        // Never answered, lest two services talk for ever.
        OSC.Message("/aurient/error", .s("x"), .s("y")),
        OSC.Message("/aurient/reply/sync", .i(1)), OSC.Message("/aurient/state/heading"),
      ]) == [])
    // geographiclib.geodesic.Geodesic.WGS84.Inverse(51.4769, 0.0005, 51.4764, -0.0031)
    let (bearing, distance) = (257.462145, 256.225206)
    let beacons = client.state("beacon")
    try #require(beacons.count == 2 && beacons.allSatisfy { $0.count == 7 })
    #expect(beacons.map { $0[0] } == [.s("A"), .s("B")])
    for beacon in beacons {
      for (index, value) in [(1, bearing), (2, distance), (3, bearing - 90)] {
        guard case .f(let number) = beacon[index] else {
          Issue.record("no number: \(beacon)")
          continue
        }
        #expect(abs(Double(number) - value) < 1e-4)
      }
    }
    // 167 degrees off: behind, by docs/beacons.md.
    #expect(Array(beacons[0][4...]) == [.s("behind"), .bool(true), .bool(false)])
    #expect(Array(beacons[1][4...]) == [.s(""), .bool(false), .bool(false)])
    #expect(client.state("heading").first?.prefix(2) == [.f(90), .s("course")])
    #expect(client.state("location").first?.prefix(2) == [.d(51.4769), .d(0.0005)])

    let type = "an argument is of a type, number or length that is not used"
    let cases: [(OSC.Message, String)] = [
      (OSC.Message("/aurient/nothing"), "there is no such address"),
      (OSC.Message("/aurient/beacon/*", .s("A")), "there is no such address"),
      (OSC.Message("/aurient/volume"), "the volume is missing"),
      (OSC.Message("/aurient/volume", .s("0")), "the volume is no number"),
      (OSC.Message("/aurient/volume", .f(.nan)), "the volume nan is outside -120.0 to 0.0"),
      (OSC.Message("/aurient/volume", .f(1)), "the volume 1.0 is outside -120.0 to 0.0"),
      (OSC.Message("/aurient/volume", .f(0), .f(0)), "more arguments than it takes"),
      (
        OSC.Message("/aurient/beacon/place", .s("C"), .d(91), .d(0)),
        "the latitude 91.0 is outside -90.0 to 90.0"
      ),
      (
        OSC.Message("/aurient/beacon/place", .s(""), .d(1), .d(0)),
        "a beacon's name has 1 to 64 bytes, none of control"
      ),
      (OSC.Message("/aurient/beacon/remove", .s("C")), "no beacon \"C\""),
      (OSC.Message("/aurient/beacon/gain", .s("C"), .i(0)), "no beacon \"C\""),
      (OSC.Message("/aurient/beacon/say", .s("A")), "the text is missing"),
      (OSC.Message("/aurient/beacon/style", .s("C"), .s("wood")), "no beacon \"C\""),
      (OSC.Message("/aurient/beacon/style", .s("A"), .s("sticks")), "there is no style \"sticks\""),
      (
        OSC.Message("/aurient/beacon/style", .s("A"), .s("../wood")),
        "there is no style \"../wood\""
      ),
      (
        OSC.Message("/aurient/beacon/sound", .s("A"), .s("../secret.wav")),
        "there is no sound \"../secret.wav\""
      ),
      (
        OSC.Message("/aurient/beacon/sound", .s("A"), .s("/etc/passwd")),
        "there is no sound \"/etc/passwd\""
      ),
      (
        OSC.Message("/aurient/beacon/sound", .s("A"), .s("link.wav")),
        "there is no sound \"link.wav\""
      ),
      (
        OSC.Message("/aurient/beacon/sound", .s("A"), .s("pipe.wav")),
        "there is no sound \"pipe.wav\""
      ),
      (OSC.Message("/aurient/beacon/sound", .s("A"), .s("wood")), "there is no sound \"wood\""),
      (OSC.Message("/aurient/route", .i(1)), "there is no route"),
      (OSC.Message("/aurient/recenter"), "no head to recentre"),
      (
        OSC.Message("/aurient/subscribe", .i(51)), "the rate 51.0 is outside 0.1 to 50.0"
      ),
      (
        OSC.Message("/aurient/volume", .s(String(repeating: "x", count: 1025))), type
      ),
      (OSC.Message("/location", .f(1)), "the longitude is missing"),
    ]
    for (message, cause) in cases {
      #expect(try service.errors([message]) == [[.s(message.address), .s(cause)]])
    }
    let text = try service.errors([OSC.Message("/aurient/beacon/sound", .s("A"), .s("text.wav"))])
    guard case .s(let cause)? = text.first?.last else { throw OutcomeMissing() }
    #expect(cause.hasPrefix("not a sound file") && !cause.contains("/"))
    let sets = try service.errors([OSC.Message("/aurient/hrtf", .s("nobody"))])
    #expect(sets.first?.first == .s("/aurient/hrtf"))
  }

  private struct OutcomeMissing: Error {}

  /// The head by its dialects, the phone and the data set, on the same port.
  @Test func headPhoneAndDataSet() throws {
    let service = try Service()
    let client = service.client
    client.send("/phone/heading", .f(120), .f(5))
    #expect(client.state("heading").first?.prefix(2) == [.f(120), .s("phone")])
    // In one bundle with something of the service's own.
    client.send(
      OSC.bundle([
        OSC.Message("/head/quaternion", .f(0), .f(0), .f(0), .f(1)), Self.place("A"),
        OSC.Message("/aurient/recenter", .f(33)),
      ]))
    _ = client.sync()
    client.send("/head/quaternion", .f(0), .f(0), .f(0), .f(1))
    #expect(client.state("beacon").count == 1)
    #expect(client.state("heading").first?[2] != .s("unavailable"))
    client.send("/aurient/hrtf", .s("MIT"))
    #expect(
      client.receive(within: 20) == [OSC.Message("/aurient/reply/hrtf", .s("MIT-KEMAR-44100"))])
    #expect(client.state("sound").first?[3] == .s("MIT-KEMAR-44100"))
    client.send("/aurient/hrtf")
    #expect(
      client.receive(within: 20) == [OSC.Message("/aurient/reply/hrtf", .s("SADIE-KU100-48000"))])
    #expect(client.state("beacon").count == 1)
  }

  @Test func bundlesWithTimeTags() throws {
    let service = try Service()
    let client = service.client
    // At their time, whatever order they were sent in; the past is now.
    for (number, delay) in [(3, 0.3), (2, 0.15), (1, -5)] {
      client.send(
        OSC.bundle([OSC.Message("/aurient/sync", .i(Int32(number)))], tag: OSC.tag(in: delay)))
    }
    var start = timespec()
    clock_gettime(CLOCK_MONOTONIC, &start)
    for (number, delay) in [(1, 0), (2, 0.15), (3, 0.3)] {
      #expect(client.receive() == [OSC.Message("/aurient/reply/sync", .i(Int32(number)))])
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      let seconds =
        Double(now.tv_sec - start.tv_sec) + Double(now.tv_nsec - start.tv_nsec) * 1e-9
      #expect(seconds > delay - 0.005 && seconds < delay + 0.1)
    }
    // However deep they lie, up to eight.
    var nested = OSC.bundle([Self.place("deep")])
    for depth in 2...9 {
      nested =
        OSC.string("#bundle") + OSC.bigEndian(UInt64(1)) + OSC.bigEndian(Int32(nested.count))
        + nested
      if depth == 8 { client.send(nested) }
    }
    client.send("/aurient/beacon/remove", .s("deep"))
    #expect(client.sync() == [])
    client.send(nested)
    #expect(client.state("beacon") == [])
    // Bounded in time and number.
    client.send(OSC.bundle([Self.place("A")], tag: OSC.tag(in: 61)))
    #expect(
      client.sync() == [
        OSC.Message(
          "/aurient/error", .s("/aurient/beacon/place"), .s("its time is more than 60 s ahead"))
      ])
    let many = [OSC.Message](repeating: OSC.Message("/aurient/volume", .f(0)), count: 512)
    for _ in 0..<2 { client.send(OSC.bundle(many, tag: OSC.tag(in: 30))) }
    #expect(client.sync() == [])
    client.send(OSC.bundle([Self.place("A")], tag: OSC.tag(in: 1)))
    #expect(
      client.sync() == [
        OSC.Message(
          "/aurient/error", .s("/aurient/beacon/place"),
          .s("1024 messages wait for their time already"))
      ])
    #expect(client.state("beacon") == [])
  }

  @Test func subscriptions() throws {
    let service = try Service()
    let clients = (0..<64).map { _ in OSCClient(port: service.port) }
    for client in clients { client.send("/aurient/subscribe", .f(20), .f(1)) }
    service.client.send("/aurient/subscribe")
    #expect(
      service.client.receive() == [
        OSC.Message(
          "/aurient/error", .s("/aurient/subscribe"), .s("there are 64 subscribers already"))
      ])
    // Each for a second and no longer.
    for client in [clients[0], clients[63]] {
      var count = 0
      while !client.receive(within: 0.5).isEmpty { count += 1 }
      #expect(15...21 ~= count)
    }
    service.client.send("/aurient/subscribe", .f(50))
    #expect(service.client.receive().first?.address == "/aurient/state/heading")
    service.client.send("/aurient/unsubscribe")
    _ = service.client.sync()
    #expect(service.client.receive(within: 0.2).isEmpty)
  }

  /// Packets of which bytes are changed, cut off or added: the service goes on, and counts them.
  @Test func damagedPackets() throws {
    let service = try Service()
    let client = service.client
    let packets = [
      Self.here.bytes, Self.place("A").bytes, OSC.Message("/aurient/volume", .f(-3)).bytes,
      OSC.Message("/aurient/beacon/style", .s("A"), .s("wood")).bytes,
      OSC.Message("/head/quaternion", .f(0), .f(0), .f(0), .f(1)).bytes,
      OSC.bundle([Self.here, Self.place("A"), OSC.Message("/SceneRotator/yaw", .f(10))]),
      OSC.bundle([OSC.Message("/aurient/subscribe", .f(1))], tag: OSC.tag(in: 0.01)),
      OSC.string("#bundle") + OSC.bigEndian(UInt64(1)) + OSC.bigEndian(Int32(48))
        + OSC.bundle([Self.here]),
    ]
    var random = SeededGenerator(seed: 7)
    for round in 0..<10_000 {
      var packet = packets[round % packets.count]
      for _ in 0..<Int.random(in: 1...6, using: &random) where !packet.isEmpty {
        let place = Int.random(in: 0..<packet.count, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: packet.removeLast(packet.count - place)
        case 1: packet.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 2: packet += packet[place...]
        case 3: packet.replaceSubrange(place..<place + 1, with: [0, 0, 0, 0, 255])
        default: packet[place] = UInt8.random(in: 0...255, using: &random)
        }
      }
      client.send(packet)
      if round % 100 == 99 { try #require(client.sync() != nil) }
    }
    client.send("/aurient/unsubscribe")
    guard case .i(let malformed)? = client.state("service").first?[1] else {
      throw OutcomeMissing()
    }
    #expect(malformed > 3000)
    #expect(client.state("sound").first?[0] == .bool(true))
    service.program.terminate()
    #expect(try service.text("error") == "")
  }

  /// A thousand messages a second from many clients that move, add and remove beacons nobody hears, while a
  /// pure tone is played: it goes on without a gap or a click, and all of them are done.
  @Test func manyMessagesLeaveTheSoundIntact() throws {
    let folder = TemporaryFolder()
    // A period of 100 samples.
    let radians = 2 * Double.pi / 100
    let tone = folder.path + "/tone.wav"
    let writer = try SoundFileWriter(
      path: tone, sampleRate: 48_000, channelCount: 1, expectedFrames: 48_000)
    let samples = (0..<48_000).map { Float(0.5 * sin(Double($0) * radians)) }
    try samples.withUnsafeBufferPointer { try writer.write($0) }
    try writer.commit()
    let service = try Service(["--sound", tone])
    let clients = (0..<200).map { _ in OSCClient(port: service.port) }
    #expect(try service.errors([Self.here, Self.place("heard")]) == [])
    usleep(1_000_000)

    /// Samples that are not what the two before make of a sine; of one ear, without what was at the ends.
    func faults(_ recorded: [Float]) -> Int {
      let left = stride(from: 0, to: recorded.count, by: 2).map { Double(recorded[$0]) }
      let factor = 2 * cos(radians)
      return (2..<left.count).count { abs(left[$0] - factor * left[$0 - 1] + left[$0 - 2]) > 1e-4 }
    }

    var (sent, best) = (0, Int.max)
    // A machine that is busy with other things makes gaps now and then; the service would, each time.
    for _ in 0..<3 where best > 0 {
      let recording = try service.sound.record(Self.sink)
      usleep(100_000)
      for step in 0..<300 {
        for _ in 0..<10 {
          let client = clients[sent % clients.count]
          let name = OSC.Argument.s("quiet \(sent / 4 % 50)")
          switch sent % 4 {
          case 0:
            client.send(
              OSC.bundle([
                OSC.Message("/aurient/beacon/place", name, .d(51.47 + Double(step) * 1e-5), .d(0)),
                OSC.Message("/aurient/beacon/mute", name, .bool(true)),
              ]))
          case 1: client.send(Self.here.bytes)
          case 2: client.send("/aurient/beacon/gain", name, .f(-20))
          default:
            if step % 4 == 0 {
              client.send("/aurient/beacon/remove", name)
            } else {
              client.send("/aurient/beacon/style", name, .s(["wood", "drops"][sent / 4 % 2]))
            }
          }
          sent += 1
        }
        usleep(10_000)
      }
      let recorded = recording.stop()
      #expect(recorded.count > 2 * 48_000 * 2 && recorded.map(abs).max() ?? 0 > 0.02)
      best = min(best, faults(recorded))
    }
    #expect(best == 0)
    // One of four had two messages.
    let service1 = try #require(service.client.state("service").first)
    guard case .i(let messages) = service1[0] else { throw OutcomeMissing() }
    #expect(Int(messages) >= sent + sent / 4)
    #expect(service1[3] == .i(0))
  }

  /// What clients have asked for is in the record of the session, sounds of theirs too, and rendered again it is
  /// the sound that was heard.
  @Test func recordsAreRenderedAgain() throws {
    let folder = try Self.folders()
    let record = folder.path + "/record"
    let service = try Service(["--sounds", folder.path + "/sounds", "--record", record])
    let recording = try service.sound.record(Self.sink)
    #expect(
      try service.errors([
        Self.here, Self.place("A"), OSC.Message("/aurient/beacon/style", .s("A"), .s("wood")),
      ]) == [])
    #expect(
      try service.errors([OSC.Message("/aurient/hrtf", .s("MIT"))]).count <= 1)
    usleep(1_500_000)
    service.program.terminate()
    let heard = recording.stop()
    let result = try start("render '\(record)' -o '\(folder.path)/again.wav'")
    #expect(result.code == 0 && result.error == "")
    let again = try Sound(path: folder.path + "/again.wav").samples
    let left = stride(from: 0, to: heard.count - 1, by: 2).map { (heard[$0] + heard[$0 + 1]) / 2 }
    func isSound(_ sample: Float) -> Bool { abs(sample) > 1e-4 }
    let (from, same) = (
      try #require(left.firstIndex(where: isSound)), try #require(again.firstIndex(where: isSound))
    )
    let count = min(left.count - from, again.count - same, 24_000)
    #expect(count == 24_000)
    let worst = (0..<count).map { abs(left[from + $0] - again[same + $0]) }.max() ?? 1
    #expect(worst < 1e-5)
  }

  /// A socket that the process is started with, by the first datagram to it.
  @Test(.enabled(if: access("/usr/bin/systemd-socket-activate", X_OK) == 0))
  func socketActivation() throws {
    convertShippedSets()
    let sound = try NullSinkServer([Self.sink])
    let port = try OSCClient.freePort()
    let environment = Self.environment(sound)
    let variables = environment.flatMap { ["-E", "\($0)=\($1)"] }
    let activator = try ChildProgram(
      ["timeout", "30", "systemd-socket-activate", "-d", "-l", "127.0.0.1:\(port)"] + variables
        + [program, "serve", "--quiet"],
      environment: environment, output: sound.path + "/output", error: sound.path + "/error")
    let client = OSCClient(port: port)
    #expect(waitUntil(20) { client.sync(within: 0.2) != nil })
    activator.kill()
    let output = try InputFile.bytes(path: sound.path + "/output", limit: 1 << 16)
    #expect(output == [])
  }

  @Test func whatCannotBeDone() throws {
    let port = try OSCClient.freePort()
    let folder = TemporaryFolder()
    let sound = try NullSinkServer([Self.sink])
    let before = Self.environment(sound).map { "\($0)='\($1)'" }.joined(separator: " ")
    for (words, code, error) in [
      ("serve", 2, "aurient serve: needs --osc PORT, or a socket from systemd"),
      ("serve --osc 0", 2, "aurient serve: --osc: 0 is outside 1 to 65535"),
      ("serve --osc \(port) --listen here", 1, "aurient: \"here\": is no numeric IP address"),
      (
        "serve --osc \(port) --sounds \(folder.path)/none", 2,
        "aurient: \(folder.path)/none: is no folder"
      ),
      (
        "serve --osc \(port) --gpsd localhost --nmea udp:1", 2,
        "aurient serve: --nmea: there is --gpsd already"
      ),
      ("serve --osc \(port) --track x", 2, "aurient serve: unknown option --track"),
    ] {
      let result = try start(words, before: before)
      #expect(result.code == Int32(code))
      #expect(result.error.hasPrefix(error), "\(result.error)")
      #expect(result.error.count { $0 == "\n" } == 1)
    }
  }
}
