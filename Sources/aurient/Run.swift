import Files
import Glibc
import SpatialAudio

/// The version that `--version` prints.
let version = "0.1.0"

/// The day of that version, as in CHANGELOG.md.
let versionDate = "2026-11-30"

/// Does what the words of a command line ask for and returns the process's exit code.
func run(_ words: [String]) -> Int32 {
  // A file that may not grow further is an error of the write then.
  signal(SIGXFSZ, SIG_IGN)
  do {
    switch words.first {
    case Command.completionRequest:
      try printOut(Command.aurient.completion(of: Array(words.dropFirst())).lines)
      return 0
    case Command.manualRequest where words.count == 2:
      try Command.aurient.writeManual(to: words[1])
      return 0
    default: break
    }
    switch try Command.aurient.invocation(words) {
    case .text(let text): try printOut(text)
    case .work(let work, let arguments): try work(arguments)
    }
    return 0
  } catch {
    printError(errorLine(error))
    return exitCode(error)
  }
}

/// 2 where the command line or an input is wrong, 1 where the work could not be done.
func exitCode(_ error: any Error) -> Int32 {
  switch error {
  case is UsageError: 2
  case let error as FileError: error.code == .unwritable ? 1 : 2
  case let error as EngineError: error.code == .hrtf ? 2 : 1
  default: 1
  }
}

/// The one line that a user sees of an error.
func errorLine(_ error: any Error) -> String {
  (error is UsageError ? "\(error)" : "aurient: \(error)").onOneLine
}

/// Writes text to standard output at once.
///
/// - Throws: `FileError` if it cannot be written. If its reader has gone, as `head` does, the process
///   ends by SIGPIPE instead, without a word.
func printOut(_ text: String) throws(FileError) {
  guard let number = writeAll(text, to: STDOUT_FILENO) else { return }
  if number == EPIPE {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
  }
  throw FileError(.unwritable, file: "standard output", String(cString: strerror(number)))
}

/// Writes a line to standard error; where that cannot be done nobody is left to be told.
func printError(_ line: String) { _ = writeAll(line + "\n", to: STDERR_FILENO) }

/// Tells what of a file was left out: the first of it, and how much more there is.
func printWarnings(_ warnings: [FileError]) {
  guard let first = warnings.first else { return }
  let others = warnings.count > 1 ? "; \(warnings.count - 1) more like it" : ""
  printError(errorLine(first) + others)
}

/// Writes all of the text; returns the `errno` of a failure.
private func writeAll(_ text: String, to descriptor: Int32) -> Int32? {
  var text = text
  return text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)
    while !rest.isEmpty {
      let count = write(descriptor, rest.baseAddress, rest.count)
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}
