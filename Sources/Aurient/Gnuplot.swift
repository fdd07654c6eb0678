import Files
import Glibc

/// Runs gnuplot.
enum Gnuplot {
  /// Runs a script.
  ///
  /// - Throws: `FileError` naming the drawing if gnuplot is not there or fails.
  static func run(_ script: String, for path: String) throws(FileError) {
    // Numbers in the script have points, whatever the user's locale.
    guard let pipe = popen("LC_ALL=C.UTF-8 exec gnuplot -", "w") else {
      throw FileError(.unwritable, file: path, "gnuplot cannot be started")
    }
    let written = fputs(script, pipe)
    let status = pclose(pipe)
    guard status == 0, written >= 0 else {
      throw FileError(
        .unwritable, file: path,
        status >> 8 == 127 ? "gnuplot is not installed" : "gnuplot failed to draw it")
    }
  }

  /// A text as a literal of gnuplot's, taken as it is.
  static func quoted(_ text: String) -> String {
    let plain = text.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "''")
    return "'" + plain.filter { !$0.isNewline } + "'"
  }
}
