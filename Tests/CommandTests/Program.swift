import Files
import Glibc
import TestSupport
import Testing

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
  return Outcome(code: code(status), output: try content(output), error: try content(error))
}

/// A process's end as a shell reports it.
private func code(_ status: Int32) -> Int32 {
  let signal = status & 0x7F
  return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
}

/// Waits for a process; its end as a shell reports it.
func end(of process: pid_t) -> Int32 {
  var status: Int32 = 0
  waitpid(process, &status, 0)
  return code(status)
}

/// A process of the program, started without a shell, whose signals are those of a terminal's job.
func spawn(_ words: [String], output: Int32 = STDOUT_FILENO, error: Int32 = STDERR_FILENO) throws
  -> pid_t
{
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var all = sigset_t()
  sigfillset(&all)
  posix_spawnattr_setsigdefault(&attributes, &all)
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
  posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO)
  var arguments = ([program] + words).map { strdup($0) } + [nil]
  defer { for argument in arguments { free(argument) } }
  var process: pid_t = 0
  try #require(posix_spawn(&process, program, &actions, &attributes, &arguments, environ) == 0)
  return process
}

/// The first seconds of the example walk, in a folder of its own: `walk.gpx`, `head.csv` and
/// `phone.csv` of 16 s, of which the last four (ten, with the adaptive
/// calibrator) are calibrated; the walk goes on to 24 s.
struct ShortWalk: ~Copyable {
  let folder = TemporaryFolder()
  var path: String { folder.path }

  /// Options that render it with a beacon.
  static let all = "--track walk.gpx --head head.csv --phone phone.csv " + beacon
  static let beacon = "--beacon 51.4764,-0.0031,Fountain"

  init() throws {
    convertShippedSets()
    for (name, count) in [
      ("head.csv", 401), ("Headphone.csv", 401), ("phone.csv", 201), ("Compass.csv", 201),
    ] {
      try write(name, example(name, upTo: "\n", count: count))
    }
    let points = try example("walk.gpx", upTo: "</trkpt>", count: 13)
    try write("walk.gpx", points + Array("</trkseg></trk></gpx>".utf8))
  }

  /// A file of the example up to and with the `count`th end.
  private func example(_ name: String, upTo end: String, count: Int) throws -> ArraySlice<UInt8> {
    let bytes = try InputFile.bytes(path: "\(projectFolder)/Examples/walk/\(name)", limit: 1 << 24)
    let end = Array(end.utf8)
    var (index, left) = (0, count)
    while left > 0 {
      if bytes[index] == end[0], bytes[index...].starts(with: end) { left -= 1 }
      index += 1
    }
    return bytes[..<(index + end.count - 1)]
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
