import Files
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// `aurient play` as users start it, playing to a daemon's sink.
final class PlayedSession {
  /// A line of `--json`.
  struct State: Decodable {
    struct Ages: Decodable {
      var location, course, phone, head: Double?
    }
    struct Beacon: Decodable {
      var name: String
      var bearing_deg, distance_m, relative_deg: Double?
    }

    var time_s: Double
    var heading_deg: Double?
    var heading_source: String?
    var dimmed: Bool
    var latitude, longitude: Double?
    var ages_s: Ages
    var location_stale, playing: Bool
    var location_trouble: String?
    var reopenings: Int
    var peak: Double
    var listener_delay_s: Double?
    var beacons: [Beacon]
  }

  private let child: ChildProgram
  private let folder = TemporaryFolder()

  /// Starts it; the words are parted by spaces.
  init(_ words: String, on server: NullSinkServer) throws {
    convertShippedSets()
    child = try ChildProgram(
      [program, "play"] + words.split(separator: " ").map(String.init),
      environment: Self.environment(server), output: folder.path + "/out",
      error: folder.path + "/err")
  }

  /// The daemon's, and the data sets that other tests have converted.
  static func environment(_ server: NullSinkServer) -> [String: String] {
    func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    let cache = variable("XDG_CACHE_HOME") ?? (variable("HOME") ?? "") + "/.cache"
    return server.environment.merging(["XDG_CACHE_HOME": cache]) { $1 }
  }

  private func text(_ name: String) -> String {
    let bytes = try? InputFile.bytes(path: folder.path + name, limit: 1 << 24)
    return String(decoding: bytes ?? [], as: UTF8.self)
  }

  /// What it has written to standard output.
  var output: String { text("/out") }
  /// What it has written to standard error.
  var error: String { text("/err") }

  /// The newest state of `--json`.
  var state: State? {
    let text = output
    guard let end = text.lastIndex(of: "\n") else { return nil }
    let line = text[..<end].split(separator: "\n").last ?? ""
    return try? JSONDecoder().decode(State.self, from: Data(line.utf8))
  }

  /// All states of `--json`.
  func states() throws -> [State] {
    try output.split(separator: "\n").map {
      try JSONDecoder().decode(State.self, from: Data($0.utf8))
    }
  }

  /// Waits at most so many seconds for a state, doing something each 10 ms.
  func waits(
    _ seconds: Double, for holds: (State) -> Bool, doing work: (Int) -> Void = { _ in }
  ) -> Bool {
    for step in 0..<Int(seconds * 100) {
      work(step)
      if step % 5 == 0, let state, holds(state) { return true }
      usleep(10_000)
    }
    return false
  }

  /// Ends it as Ctrl-C does; its exit code.
  func end() -> Int32? {
    child.terminate()
    return child.wait()
  }

  /// Waits for its own end; its exit code.
  func wait() -> Int32? { child.wait() }
}

/// A loop of noise in a folder, never silent, at -12 dB.
func noiseFile(in folder: String) throws -> String {
  var generator = SeededGenerator(seed: 1)
  let samples = (0..<48_000).map { _ in Int16.random(in: -8192...8192, using: &generator) | 1 }
  return try waveFile(samples, in: folder + "/noise.wav")
}

/// A loop of a tone of 200 Hz, at -6 dB.
func toneFile(in folder: String) throws -> String {
  let samples = (0..<48_000).map { frame in
    Int16(16_384 * sin(2 * Double.pi * 200 * Double(frame) / 48_000))
  }
  return try waveFile(samples, in: folder + "/tone.wav")
}

/// One channel at 48 kHz as RIFF has it.
private func waveFile(_ samples: [Int16], in path: String) throws -> String {
  func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
  let size = UInt32(2 * samples.count)
  let format =
    bytes(UInt16(1)) + bytes(UInt16(1)) + bytes(UInt32(48_000)) + bytes(UInt32(96_000))
    + bytes(UInt16(2)) + bytes(UInt16(16))
  let file =
    Array("RIFF".utf8) + bytes(36 + size) + Array("WAVEfmt ".utf8) + bytes(UInt32(16)) + format
    + Array("data".utf8) + bytes(size) + samples.flatMap { bytes($0) }
  try OutputFile.write(file, to: path)
  return path
}

/// The samples of a file of floats that the program has rendered, of left and right by turns.
func renderedSamples(_ path: String) throws -> [Float] {
  let bytes = try InputFile.bytes(path: path, limit: 1 << 26)
  let name = Array("data".utf8)
  let start = try #require(bytes.indices.first { bytes[$0...].starts(with: name) }) + 8
  return bytes[start...].withUnsafeBytes { data in
    (0..<data.count / 4).map { data.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
  }
}

/// The samples of left and right.
func channels(_ samples: [Float]) -> [[Float]] {
  (0..<2).map { channel in stride(from: channel, to: samples.count, by: 2).map { samples[$0] } }
}

/// RMC with its checksum: a place 5130 N by so many minutes west, and a course.
func recommendedMinimum(_ seconds: Int, minutesWest: Double = 0, course: Double?) -> [UInt8] {
  let west = decimals(minutesWest)
  let way = course.map { "2.72,\($0)" } ?? ","
  let body =
    "GPRMC,1200\(seconds < 10 ? "0" : "")\(seconds).00,A,5130.0000,N,0000\(west),W,\(way),210926,,,A"
  let checksum = body.utf8.reduce(0, ^)
  let digits = String(checksum, radix: 16, uppercase: true)
  return Array("$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n".utf8)
}

private func decimals(_ minutes: Double) -> String {
  let whole = Int((minutes * 1000).rounded())
  let rest = String(whole % 1000)
  return "\(whole / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
}
