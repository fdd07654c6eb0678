public import Files
import Glibc

extension ResultsAnalysis {
  /// Writes all tables and the report into a folder, which is made if need be; files of the same names are
  /// replaced, and `trials.csv` of an earlier analysis is removed where there are no such trials now.
  ///
  /// - Parameters:
  ///   - title: The test's title, for people; nil takes its name.
  ///   - design: What the report says of the design.
  /// - Throws: `FileError` if something cannot be written, or gnuplot is not installed.
  public func write(
    to folder: String, title: String? = nil, design: DesignDescription? = nil
  ) throws(FileError) {
    if mkdir(folder, 0o777) != 0, errno != EEXIST {
      throw .system(.unwritable, file: folder, errno: errno)
    }
    let report = try AnalysisReport(
      self, title: title ?? collection.test, described: design, path: "\(folder)/report.html")
    try writeFigures("\(folder)/figures.csv")
    try writeComparisons("\(folder)/comparisons.csv")
    let trials = "\(folder)/trials.csv"
    if answers == .directions {
      try writeTrials(trials)
    } else if unlink(trials) != 0, errno != ENOENT {
      throw .system(.unwritable, file: trials, errno: errno)
    }
    try OutputFile.write(json.utf8, to: "\(folder)/analysis.json")
    try OutputFile.write(report.html.utf8, to: "\(folder)/report.html")
  }
}
