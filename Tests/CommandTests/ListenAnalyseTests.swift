import TestSupport
import Testing

/// `aurient listen analyse` and `simulate` as users start them.
@Suite struct ListenAnalyseTests {
  private static let results = projectFolder + "/Tests/Fixtures/listening"

  @Test func analyses() throws {
    let folder = TemporaryFolder()
    let outcome = try start(
      "listen analyse '\(Self.results)/localisation.csv' --resamples 100 -o report", in: folder.path
    )
    #expect(outcome.code == 0)
    #expect(
      outcome.error.hasPrefix(
        "aurient: few-participants: intervals over 4 participants are too narrow"))
    #expect(outcome.error.split(separator: "\n").count == 1)
    #expect(outcome.output.hasPrefix("4 participants, test made-up\nangular_error_deg"))
    #expect(
      names(in: folder.path + "/report").sorted() == [
        "analysis.json", "comparisons.csv", "figures.csv", "report.html", "trials.csv",
      ])
    let again = try start(
      "listen analyse '\(Self.results)/localisation.csv' --resamples 100 --json -o report",
      in: folder.path)
    #expect(
      again.code == 0 && again.output.hasPrefix("{\"format\": \"aurient-listening-analysis\""))
  }

  @Test(arguments: [
    ("localisation.csv abx.csv", 2, "is of another test: test_hash"),
    ("nowhere.csv", 2, "nowhere.csv: no such file"),
    ("localisation.csv --by room", 2, "--by: no trial has a factor \"room\"; there are hrtf"),
    ("localisation.csv --by ''", 2, "--by: \"\" has an empty name"),
    ("localisation.csv --by hrtf,", 2, "--by: \"hrtf,\" has an empty name"),
    ("localisation.csv --by hrtf,hrtf", 2, "--by: \"hrtf\" stands there twice"),
    ("localisation.csv --compare room", 2, "--compare: no trial has a factor \"room\""),
    ("localisation.csv --median-by ear", 2, "neither target nor response"),
    ("localisation.csv --exclude P9", 2, "there is no participant \"P9\""),
    ("localisation.csv --resamples 3", 2, "--resamples: 3 is outside"),
    ("localisation.csv --test nowhere", 2, "nowhere/test.json: no such file"),
  ])
  func refuses(words: String, code: Int, message: String) throws {
    let folder = TemporaryFolder()
    let outcome = try start(
      "listen analyse \(words) -o '\(folder.path)/report'", in: Self.results)
    #expect(outcome.code == Int32(code))
    #expect(outcome.error.contains(message), "\(outcome.error)")
    #expect(outcome.error.split(separator: "\n").count == 1)
    #expect(folder.names().isEmpty)
  }

  @Test func flagsOnStandardError() throws {
    let folder = TemporaryFolder()
    let outcome = try start(
      "listen analyse preference.csv --resamples 100 -o '\(folder.path)/report'", in: Self.results)
    #expect(outcome.code == 0)
    #expect(
      outcome.error.hasPrefix("aurient: post-screened: P4 rated the hidden reference below 90"))
  }

  @Test func simulatesNoMoreThanThereAre() throws {
    let folder = TemporaryFolder()
    _ = folder.file(
      "test.json",
      """
      {"format": "aurient-listening-test", "version": 1, "id": "t", "hash": "0", "type": "localisation",
      "stimuli": {}, "participants": [{"id": "P1"}, {"id": "P2"}, {"id": "P3"}]}
      """)
    let outcome = try start("listen simulate . --participants 99", in: folder.path)
    #expect(outcome.code == 2)
    #expect(outcome.error.contains("--participants: 99 is more than the test has: 3"))
    #expect(folder.names() == ["test.json"])
  }

  @Test func simulationNeedsATest() throws {
    let folder = TemporaryFolder()
    let outcome = try start("listen simulate nowhere", in: folder.path)
    #expect(outcome.code == 2 && outcome.error.contains("nowhere/test.json: no such file"))
  }
}
