package import Files
import Glibc

/// Runs gnuplot.
package enum Gnuplot {
  /// Checks that it is there, before any long work whose result it is to draw.
  ///
  /// - Throws: `FileError` naming the drawing if gnuplot is not installed.
  package static func check(for path: String) throws(FileError) {
    guard system("command -v gnuplot >/dev/null 2>&1") == 0 else {
      throw FileError(.unwritable, file: path, "gnuplot, which draws it, is not installed")
    }
  }

  /// Appends to `output` what a script draws.
  ///
  /// gnuplot itself does not notice a full disk, so it draws into a pipe.
  ///
  /// - Throws: `FileError` naming the drawing if gnuplot fails.
  static func draw(_ script: String, to output: TextWriter, path: String) throws(FileError) {
    try drawn(script, path: path).withUnsafeBytes { output.append($0) }
  }

  /// What a script draws.
  ///
  /// - Throws: `FileError` naming the file that it is for if gnuplot fails.
  package static func drawn(_ script: String, path: String) throws(FileError) -> [UInt8] {
    guard let file = tmpfile() else { throw .system(.unwritable, file: path, errno: errno) }
    defer { fclose(file) }
    guard fputs(script, file) >= 0, fflush(file) == 0 else {
      throw .system(.unwritable, file: path, errno: errno)
    }
    // Numbers in the script have points, whatever the user's locale.
    let command = "LC_ALL=C.UTF-8 exec gnuplot /dev/fd/\(fileno(file)) 2>/dev/null"
    guard let pipe = popen(command, "r") else {
      throw .system(.unwritable, file: path, errno: errno)
    }
    var drawing: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
      drawing += buffer[..<count]
    }
    guard pclose(pipe) == 0 else {
      throw FileError(.unwritable, file: path, "gnuplot failed to draw it")
    }
    return drawing
  }

  /// A text as a literal of gnuplot's, taken as it is but on one line.
  ///
  /// In single quotes gnuplot 5.4 cannot read a text that begins with one; in double quotes it runs
  /// what stands in backquotes.
  package static func quoted(_ text: String) -> String {
    var literal = "\""
    for scalar in text.onOneLine.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\042"
      case "\\": literal += "\\134"
      case "`": literal += "\\140"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }
}

/// A drawing that gnuplot makes, a file that appears whole or not at all.
struct Drawing {
  private let path: String
  private let output: TextWriter

  /// A drawing that is yet to come.
  ///
  /// - Throws: `FileError` if the file cannot be made or gnuplot is not installed.
  init(path: String) throws(FileError) {
    try Gnuplot.check(for: path)
    self.path = path
    output = try TextWriter(path: path)
  }

  /// Draws what a script says, so that `commit` has only to move the file.
  ///
  /// - Throws: `FileError` if gnuplot fails, or the file cannot be written.
  func draw(_ script: String) throws(FileError) {
    try Gnuplot.draw(script, to: output, path: path)
    try output.finish()
  }

  /// Moves the file to its place.
  ///
  /// - Throws: `FileError` if it cannot be moved.
  func commit() throws(FileError) { try output.commit() }
}
