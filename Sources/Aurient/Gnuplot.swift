import Files
import Glibc

/// Runs gnuplot.
enum Gnuplot {
  /// Whether it is installed.
  static var isInstalled: Bool { system("command -v gnuplot >/dev/null 2>&1") == 0 }

  /// Appends to `output` what a script draws.
  ///
  /// gnuplot itself does not notice a full disk, so it draws into a pipe.
  ///
  /// - Throws: `FileError` naming the drawing if gnuplot fails.
  static func draw(_ script: String, to output: TextWriter, path: String) throws(FileError) {
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
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
      buffer.withUnsafeBytes { output.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
    guard pclose(pipe) == 0 else {
      throw FileError(.unwritable, file: path, "gnuplot failed to draw it")
    }
  }

  /// A text as a literal of gnuplot's, taken as it is but on one line.
  ///
  /// In single quotes gnuplot 5.4 cannot read a text that begins with one; in double quotes it runs
  /// what stands in backquotes.
  static func quoted(_ text: String) -> String {
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
