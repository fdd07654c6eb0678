import Files
import ListeningTest

extension Command {
  /// `aurient listen analyse`.
  static let listenAnalyse = Command(
    name: "analyse",
    summary: "Turns the results of a listening test into figures, tables and a report.",
    operands: [.oneOrMore("RESULTS")],
    options: [
      CommandOption(
        "test", "DIR",
        help: "the test as built: results are checked against it, and the report has its design"),
      CommandOption(
        "by", "FACTORS",
        help: "the factors that make conditions, as in hrtf,sound; else those that vary"),
      CommandOption(
        "compare", "FACTOR", help: "the factor whose values are compared in pairs; else hrtf"),
      CommandOption(
        "exclude", "CODE", repeats: true, help: "leave a participant out, and say so in the report"),
      CommandOption(
        "median-by", "WHICH",
        help:
          "whether the target or the response decides what is near the median plane; else response"),
      CommandOption(
        "skip-reversals", "COUNT", help: "reversals of each staircase that don't count; else 2"),
      CommandOption("lapse", "RATE", help: "lapse rate of psychometric functions; else 0.02"),
      CommandOption(
        "resamples", "COUNT", help: "resamples of a confidence interval; else 2000"),
      CommandOption("seed", "NUMBER", help: "where their random numbers begin; else 1"),
      CommandOption("json", help: "print all figures as JSON"),
      CommandOption("output", short: "o", "DIR", required: true, help: "the folder to write into"),
    ],
    discussion: """
      RESULTS are CSV or JSON files as the participant's page writes them, of one test, of any number of \
      participants. DIR gets report.html, figures.csv, comparisons.csv, analysis.json and, of localisation, \
      trials.csv.

      Rows that were edited, lost or reordered, that contradict each other or are of another test are refused; \
      sessions without an end and rows that stand there twice are taken, once, and flagged on standard error \
      and in the report.
      """,
    examples: ["aurient listen analyse P01.csv P02.json -o report"],
    run: runListenAnalyse)
}

@Sendable private func runListenAnalyse(_ arguments: Arguments) throws {
  var options = AnalysisOptions()
  options.resamples =
    try arguments.wholeNumber("resamples", in: 100...1_000_000) ?? options.resamples
  options.seed = UInt64(try arguments.wholeNumber("seed", in: 0...(.max)) ?? Int(options.seed))
  options.skippedReversals =
    try arguments.wholeNumber("skip-reversals", in: 0...1000) ?? options.skippedReversals
  options.lapseRate = try arguments.number("lapse", in: 0.0001...0.2) ?? options.lapseRate
  options.comparedFactor = arguments.string("compare")
  options.factors = try factors(arguments)
  if let name = arguments.string("median-by") {
    guard let gate = MedianGate(rawValue: name) else {
      throw arguments.bad("median-by", "\"\(name)\" is neither target nor response")
    }
    options.gate = gate
  }
  let folder = try arguments.required("output")
  let test = try arguments.string("test").map { try TestFolder($0) }
  let design = try test.flatMap { try DesignDescription($0) }
  let files = try arguments.operands.map { try ResultsFile(path: $0) }
  var collection = try ResultsCollection(files, excluding: arguments.strings("exclude"))
  if let test { collection.flags += try test.check(collection) }
  let progress = ProgressBar()
  let analysis: ResultsAnalysis
  do {
    analysis = try ResultsAnalysis(
      collection, options: options, downCounts: test?.downCounts ?? [:],
      progress: { progress.update($0) })
  } catch let error as UnknownFactor {
    throw arguments.bad(options.comparedFactor == error.name ? "compare" : "by", "\(error)")
  }
  for flag in analysis.flags { printError("aurient: \(flag.kind.rawValue): \(flag.text)") }
  try analysis.write(to: folder, title: test?.title, design: design)
  try printOut(arguments.flag("json") ? analysis.json : summary(analysis))
}

/// The factors of `--by`, each named once.
private func factors(_ arguments: Arguments) throws(UsageError) -> [String]? {
  guard let text = arguments.string("by") else { return nil }
  let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  for (index, name) in names.enumerated() {
    guard !name.isEmpty else { throw arguments.bad("by", "\"\(text)\" has an empty name") }
    guard !names[..<index].contains(name) else {
      throw arguments.bad("by", "\"\(name)\" stands there twice")
    }
  }
  return names
}

/// The figures of all participants.
private func summary(_ analysis: ResultsAnalysis) -> String {
  var text =
    "\(analysis.collection.sessions.count) participants, test \(analysis.collection.test)\n"
  for estimate in analysis.estimates where estimate.participant == nil {
    guard let value = estimate.value else { continue }
    let name = [estimate.condition ?? "all", estimate.system].compactMap { $0 }.joined(
      separator: ": ")
    let interval = estimate.interval.map {
      "  [\(hundredths($0.lowerBound)), \(hundredths($0.upperBound))]"
    }
    let metric = estimate.metric.rawValue
    let padding = String(repeating: " ", count: max(2, 34 - metric.count))
    let figure = estimate.metric == .binomialP ? pValueText(value) : hundredths(value)
    text += "\(metric)\(padding)\(figure)\(interval ?? "")  \(name)\n"
  }
  return text
}
