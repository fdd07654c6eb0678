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

  /// What each design asks for, by the reader's defaults where it says nothing.
  @Test(arguments: [
    (
      Designs.localisation,
      [
        "kind: localisation", "HRTF sets: KEMAR (MIT-KEMAR-44100)",
        "sounds: pink (pink-burst.flac)", "30° 0°; 330° 0°", "repetitions: 1",
      ]
    ),
    (Designs.angle, ["staircase: 2-down-1-up, horizontal, steps 2° 10°"]),
    (Designs.abx, ["pairs: A against B", "B (MIT-KEMAR-44100, equalised: diffuse-field)"]),
    (Designs.preference, ["reference: A", "level: "]),
    (Designs.walk, ["walks: start (scene.json, from 20 s, 2 s)", "answers: choice, left, right"]),
  ])
  func describesTheDesign(design: String, texts: [String]) throws {
    let described = DesignDescription(try Designs.design(design))
    let lines = described.items.map { "\($0.term): \($0.text)" }.joined(separator: "\n")
    for text in texts { #expect(lines.contains(text), "\(text) in \(lines)") }
  }

  /// The report has the design of the manifest beside the test.
  @Test func describesTheDesignOfAManifest() throws {
    let folder = TemporaryFolder()
    _ = folder.file(
      "test.json",
      """
      {"format": "aurient-listening-test", "version": 1, "id": "t", "hash": "0", "type": "localisation",
      "stimuli": {}, "participants": []}
      """)
    let test = try TestFolder(folder.path)
    #expect(try DesignDescription(test) == nil)
    let text = jsonText(Designs.text(Designs.localisation))
    _ = folder.file("manifest.json", "{\"header\": {\"design\": \(text)}}")
    try MadeUpResults.analysis("localisation").write(
      to: folder.path, design: try DesignDescription(test))
    let page = String(
      decoding: try InputFile.bytes(path: folder.path + "/report.html", limit: 1 << 26),
      as: UTF8.self)
    #expect(page.contains("<th scope=\"row\">sounds</th><td>pink (pink-burst.flac)</td>"))
    _ = folder.file("manifest.json", "{\"header\": {\"design\": \"{}\"}}")
    #expect(throws: FileError.self) { try DesignDescription(test) }
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
