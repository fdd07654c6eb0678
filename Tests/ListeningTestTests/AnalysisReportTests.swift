import Files
import TestSupport
import Testing

@testable import ListeningTest

@Suite struct AnalysisReportTests {
  @Test(arguments: ["localisation", "staircases", "abx", "preference"])
  func isAPageOfItsOwn(name: String) throws {
    let folder = TemporaryFolder()
    try MadeUpResults.analysis(name).write(
      to: folder.path + "/report", title: "A <test> & \"more\"")
    func text(_ file: String) throws -> String {
      String(
        decoding: try InputFile.bytes(path: "\(folder.path)/report/\(file)", limit: 1 << 26),
        as: UTF8.self)
    }
    let page = try text("report.html")
    #expect(page.contains("<h1>A &lt;test&gt; &amp; &quot;more&quot;: results</h1>"))
    // Nothing is loaded from elsewhere.
    for outside in ["src=", "<link", "@import", "<script", "href=\"http", "url(http"] {
      #expect(!page.contains(outside), "\(outside)")
    }
    // Each drawing is named by its caption, and no name stands there twice.
    let drawings = page.split(separator: "<svg role=\"img\" aria-labelledby=").count - 1
    let captions = page.split(separator: "<figcaption id=").count - 1
    #expect(drawings > 0 && drawings == captions)
    let names = page.split(separator: " id=").dropFirst().map { part in
      part.dropFirst().prefix { $0 != "\"" && $0 != "'" }
    }
    #expect(Set(names).count == names.count)
    #expect(page.contains("<h2>Definitions</h2>"))
    let figures = try text("figures.csv").split(separator: "\n")
    #expect(figures.count > 6)
    let width = try CSVReader(path: "\(folder.path)/report/figures.csv")
    while try width.next() {}
    #expect(try text("analysis.json").hasPrefix("{\"format\": \"aurient-listening-analysis\""))
    #expect(folder.names() == ["report"])
  }

  /// A folder of an earlier analysis holds what the new one is of, and what others put there.
  @Test func leavesNothingOfAnEarlierAnalysis() throws {
    let folder = TemporaryFolder()
    _ = folder.file("notes.txt", "mine")
    try MadeUpResults.analysis("localisation").write(to: folder.path)
    #expect(folder.names().contains("trials.csv"))
    try MadeUpResults.analysis("abx").write(to: folder.path)
    #expect(
      folder.names().sorted() == [
        "analysis.json", "comparisons.csv", "figures.csv", "notes.txt", "report.html",
      ])
  }

  @Test func saysWhatWasLeftOut() throws {
    let folder = TemporaryFolder()
    let file = try ResultsFile(path: MadeUpResults.path("localisation"))
    var options = AnalysisOptions()
    options.resamples = 100
    let analysis = try ResultsAnalysis(
      ResultsCollection([file], excluding: ["P3"]), options: options)
    try analysis.write(to: folder.path)
    let page = String(
      decoding: try InputFile.bytes(path: folder.path + "/report.html", limit: 1 << 26),
      as: UTF8.self)
    #expect(page.contains("P3 was left out as asked"))
  }
}
