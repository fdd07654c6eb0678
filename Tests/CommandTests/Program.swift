import Files
import Glibc
import TestSupport

/// The program as users start it. Its file lies beside the tests' own.
let program: String = {
  guard let resolved = realpath("/proc/self/exe", nil) else { return "aurient" }
  defer { free(resolved) }
  let path = String(cString: resolved)
  return path[...(path.lastIndex(of: "/") ?? path.startIndex)] + "aurient"
}()

/// What a run of the program came to.
struct Outcome {
  /// As a shell reports it: the exit code, or 128 more than the signal that ended the process.
  var code: Int32
  var output: String
  var error: String
}

/// Runs the program in a folder through a shell, which looks for words' files there; `redirection`
/// follows the words, `before` goes before the program.
func start(
  _ words: String, in folder: String = ".", before: String = "", redirection: String = ""
) throws -> Outcome {
  let scratch = TemporaryFolder()
  let (output, error) = (scratch.path + "/out", scratch.path + "/err")
  let status = system(
    "exec </dev/null; cd '\(folder)' && { \(before) '\(program)' \(words) \(redirection); } "
      + ">\(output) 2>\(error)")
  func content(_ path: String) throws -> String {
    String(decoding: try InputFile.bytes(path: path, limit: 1 << 24), as: UTF8.self)
  }
  let signal = status & 0x7F
  let code = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  return Outcome(code: code, output: try content(output), error: try content(error))
}

/// The first seconds of the example walk, in a folder of its own: `walk.gpx`, `head.csv` and
/// `phone.csv` of 16 s, of which the last four are calibrated; the walk
/// goes on to 24 s.
struct ShortWalk: ~Copyable {
  let folder = TemporaryFolder()
  var path: String { folder.path }

  /// Options that render it with a beacon.
  static let all = "--track walk.gpx --head head.csv --phone phone.csv " + beacon
  static let beacon = "--beacon 51.4764,-0.0031,Fountain"

  init() throws {
    let gpx = try text("walk.gpx")
    let points = gpx.split(separator: "</trkpt>", omittingEmptySubsequences: false).prefix(13)
    _ = folder.file("walk.gpx", points.joined(separator: "</trkpt>") + "</trkpt></trkseg></trk></gpx>")
    _ = folder.file("head.csv", lines(try text("head.csv"), 401))
    _ = folder.file("phone.csv", lines(try text("phone.csv"), 201))
    _ = folder.file("Headphone.csv", lines(try text("Headphone.csv"), 401))
    _ = folder.file("Compass.csv", lines(try text("Compass.csv"), 201))
  }

  private func text(_ name: String) throws -> String {
    let bytes = try InputFile.bytes(
      path: "\(projectFolder)/Examples/walk/\(name)", limit: 1 << 24)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func lines(_ text: String, _ count: Int) -> String {
    text.split(whereSeparator: \.isNewline).prefix(count).joined(separator: "\n") + "\n"
  }

  /// The bytes of one of its files.
  func bytes(_ name: String) throws -> [UInt8] {
    try InputFile.bytes(path: "\(path)/\(name)", limit: 1 << 26)
  }

  /// Writes another file into it.
  func write(_ name: String, _ bytes: some Sequence<UInt8>) throws {
    try OutputFile.write(bytes, to: "\(path)/\(name)")
  }

  /// Writes a file that one of its own is after each occurrence of a text is replaced.
  func write(_ name: String, from source: String, replacing old: String, with new: String) throws {
    let text = String(decoding: try bytes(source), as: UTF8.self)
    let parts = text.split(separator: old, omittingEmptySubsequences: false)
    try write(name, parts.joined(separator: new).utf8)
  }
}
