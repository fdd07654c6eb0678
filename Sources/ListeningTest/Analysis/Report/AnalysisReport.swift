import Aurient
import Files

/// The report of an analysis: one page of HTML that needs nothing besides itself, for someone who was not there.
struct AnalysisReport {
  private let analysis: ResultsAnalysis
  private let title: String
  private let described: DesignDescription?
  private let figures: [String]

  /// Draws what the report shows.
  ///
  /// - Throws: `FileError` naming the report if gnuplot is not installed or fails.
  init(
    _ analysis: ResultsAnalysis, title: String, described: DesignDescription?, path: String
  ) throws(FileError) {
    self.analysis = analysis
    self.title = title
    self.described = described
    try Gnuplot.check(for: path)
    let plots =
      switch analysis.answers {
      case .directions: analysis.directionPlots()
      case .staircases: analysis.staircasePlots()
      case .ratings: analysis.ratingPlots()
      case .choices: analysis.choicePlots()
      }
    var figures: [String] = []
    for (index, plot) in plots.enumerated() {
      figures.append(try plot.figure(index + 1, path: path))
    }
    self.figures = figures
  }

  /// The page.
  var html: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(htmlText(title)): results</title>
    <style>
    body { font: 1rem/1.5 sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #111; background: #fff; }
    table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
    th, td { border: 1px solid #aaa; padding: .25rem .5rem; text-align: left; }
    td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
    thead th { background: #eee; }
    caption { text-align: left; font-weight: bold; }
    figure { margin: 1.5rem 0; }
    figure svg { max-width: 100%; height: auto; }
    .flag { border-left: .4rem solid #b04000; padding-left: .6rem; }
    </style>
    </head>
    <body>
    <main>
    <h1>\(htmlText(title)): results</h1>
    \(design)
    \(notes)
    \(people)
    <h2>Results over participants</h2>
    <p>Each figure is followed by its 95 % confidence interval\(overAll). Tables of all figures are in figures.csv and
    analysis.json.</p>
    \(table(participant: nil, caption: "Over participants"))
    \(comparisons)
    <h2>Plots</h2>
    \(figures.joined())
    <h2>Each participant</h2>
    \(analysis.participants.map(details).joined(separator: "\n"))
    \(definitions)
    \(method)
    </main>
    </body>
    </html>

    """
  }

  private var overAll: String {
    analysis.answers == .choices
      ? ". Answers of all participants are taken together, as if independent"
      : analysis.participants.count > 1
        ? ", from resampling participants; n is how many participants count"
        : ", from resampling the trials of the one participant"
  }

  private var design: String {
    let what =
      switch analysis.collection.type {
      case .localisation:
        "Participants heard sounds over headphones and pointed to where each seemed to come from."
      case .minimumAudibleAngle:
        "Participants heard two sounds after each other and said in which direction the second lay from the first; "
          + "the angle between them followed staircases."
      case .abx:
        "Participants heard two sounds, A and B, and said which of them a third one, X, was."
      case .preference:
        "Participants rated several renderings against a reference from 0 to 100 (after ITU-R BS.1534), among them "
          + "the reference itself, hidden, and anchors."
      case .walk: "Participants heard rendered walks with head movements and answered about each."
      }
    let trials = analysis.groups.reduce(0) { $0 + $1.rows.count }
    let items = analysis.collection.type == .preference ? "ratings" : "test trials"
    return """
      <p>\(what) \(analysis.collection.sessions.count) participants gave \(trials) answers in \(items).
      Conditions: \(htmlText(analysis.conditions.joined(separator: "; "))).</p>
      <p>Test <code>\(htmlText(analysis.collection.test))</code>, hash <code>\(htmlText(analysis.collection.testHash))</code>.
      The chain of checks over each participant's rows was whole.</p>
      \(designTable)
      """
  }

  private var designTable: String {
    guard let described else { return "" }
    let rows = described.items.map {
      "<tr><th scope=\"row\">\(htmlText($0.term))</th><td>\(htmlText($0.text))</td></tr>"
    }
    return
      "<table><caption>Design</caption><tbody>\n\(rows.joined(separator: "\n"))\n</tbody></table>"
  }

  private var notes: String {
    let items = analysis.flags.map {
      "<li class=\"flag\"><b>\(htmlText($0.kind.rawValue))</b>: \(htmlText($0.text))</li>"
    }
    return "<h2>What to know of these results</h2>\n"
      + (items.isEmpty
        ? "<p>Nothing was flagged: all sessions are complete, nothing was left out.</p>"
        : "<ul>\n\(items.joined(separator: "\n"))\n</ul>")
  }

  private var people: String {
    let rows = analysis.collection.sessions.map { session in
      let tests = session.rows.count { $0.kind == .test }
      let practice = session.rows.count { $0.kind == .practice }
      let catches = session.rows.count { $0.kind == .catch }
      let span = "\(session.rows.first?[.time] ?? "") to \(session.rows.last?[.time] ?? "")"
      return """
        <tr><th scope="row">\(htmlText(session.participant))</th><td class="number">\(tests)</td>\
        <td class="number">\(practice)</td><td class="number">\(catches)</td>\
        <td>\(session.isComplete ? "complete" : "partial")\(session.isSimulated ? ", simulated" : "")</td><td>\(htmlText(span))</td></tr>
        """
    }
    return """
      <h2>Participants</h2>
      <table><thead><tr><th scope="col">participant</th><th scope="col">test rows</th><th scope="col">practice</th>\
      <th scope="col">catch</th><th scope="col">session</th><th scope="col">time (UTC)</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table>
      """
  }

  private func details(_ participant: String) -> String {
    """
    <details><summary>\(htmlText(participant))</summary>
    \(table(participant: participant, caption: participant))
    </details>
    """
  }

  /// Metrics down, conditions and systems across.
  private func table(participant: String?, caption: String) -> String {
    struct Column: Hashable {
      var condition: String?
      var system: String?
      var name: String {
        let parts = [condition ?? "all", system].compactMap { $0 }.filter { !$0.isEmpty }
        return parts.joined(separator: ": ")
      }
    }
    let own = analysis.estimates.filter { $0.participant == participant }
    guard !own.isEmpty else { return "<p>\(htmlText(caption)): no figures.</p>" }
    var columns: [Column] = []
    for estimate in own {
      let column = Column(condition: estimate.condition, system: estimate.system)
      if !columns.contains(column) { columns.append(column) }
    }
    let cells = Dictionary(
      own.map { ([$0.condition ?? "\0", $0.system ?? "\0", $0.metric.rawValue], $0) },
      uniquingKeysWith: { $1 })
    let metrics = Metric.allCases.filter { metric in own.contains { $0.metric == metric } }
    let rows = metrics.map { metric in
      let values = columns.map { column in
        cells[[column.condition ?? "\0", column.system ?? "\0", metric.rawValue]].map(cell)
          ?? "<td></td>"
      }
      return "<tr><th scope=\"row\">\(htmlText(metric.definition.title))\(unit(metric))</th>"
        + values.joined() + "</tr>"
    }
    let heads = columns.map { "<th scope=\"col\">\(htmlText($0.name))</th>" }
    return """
      <table><caption>\(htmlText(caption))</caption>
      <thead><tr><th scope="col">figure</th>\(heads.joined())</tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table>
      """
  }

  private func unit(_ metric: Metric) -> String {
    metric.unit.isEmpty ? "" : " / \(metric.unit)"
  }

  private func cell(_ estimate: Estimate) -> String {
    guard let value = estimate.value else {
      let count = estimate.participant == nil ? "<br>n = \(estimate.count)" : ""
      return "<td class=\"number\">not to be had\(count)</td>"
    }
    let interval = estimate.interval.map {
      " [\(significant($0.lowerBound)), \(significant($0.upperBound))]"
    }
    let text = estimate.metric == .binomialP ? htmlText(pValueText(value)) : significant(value)
    return
      "<td class=\"number\">\(text)\(interval ?? "")<br>n = \(estimate.count)</td>"
  }

  private var comparisons: String {
    guard !analysis.comparisons.isEmpty else { return "" }
    let rows = analysis.comparisons.map { comparison in
      let interval = comparison.interval.map {
        " [\(significant($0.lowerBound)), \(significant($0.upperBound))]"
      }
      return """
        <tr><th scope="row">\(htmlText(comparison.metric.definition.title))\(unit(comparison.metric))</th>\
        <td>\(htmlText(comparison.second)) minus \(htmlText(comparison.first))</td>\
        <td class="number">\(significant(comparison.difference))\(interval ?? "")</td>\
        <td class="number">\(comparison.count)</td><td class="number">\(htmlText(pValueText(comparison.p)))</td>\
        <td class="number">\(htmlText(pValueText(comparison.correctedP)))</td></tr>
        """
    }
    return """
      <h2>Comparisons</h2>
      <p>Differences within participants; p from permuting their signs, two-sided (Fisher 1935), and corrected for the
      number of pairs (Holm 1979). With n participants p is at least 2/2<sup>n</sup>.</p>
      <table><thead><tr><th scope="col">figure</th><th scope="col">\(htmlText(analysis.comparisons[0].factor))</th>\
      <th scope="col">difference</th><th scope="col">participants</th><th scope="col">p</th>\
      <th scope="col">p, Holm</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table>
      """
  }

  private var definitions: String {
    let metrics = Metric.allCases.filter { metric in
      analysis.estimates.contains { $0.metric == metric }
    }
    let items = metrics.map { metric in
      let definition = metric.definition
      let source = definition.source.isEmpty ? "" : " <cite>\(htmlText(definition.source))</cite>."
      return "<dt>\(htmlText(definition.title)) (<code>\(metric.rawValue)</code>)</dt>"
        + "<dd>\(htmlText(definition.text))\(source)</dd>"
    }
    let angles =
      analysis.answers == .directions
      ? """
      <p>Angles are interaural-polar: the lateral angle is measured from the median plane, positive to the left; the polar
      angle around the interaural axis, 0 ahead, 90 above, 180 behind. Whether a trial is within 30° of the median plane is
      decided by the lateral angle of the \(analysis.options.gate.rawValue).</p>
      """ : ""
    return """
      <h2>Definitions</h2>
      \(angles)
      <dl>
      \(items.joined(separator: "\n"))
      </dl>
      """
  }

  private var method: String {
    let staircases =
      analysis.answers == .staircases
      ? " The first \(analysis.options.skippedReversals) reversals of each track do not count; the lapse rate is "
        + "\(analysis.options.lapseRate)."
      : ""
    return """
      <h2>How the intervals were had</h2>
      <p>Percentile bootstrap (Efron and Tibshirani 1993) of \(analysis.options.resamples) resamples, random numbers by
      SplitMix64 from seed \(analysis.options.seed), begun anew for each figure: the same results and seed give the same
      intervals. Over fewer than ten participants they are too narrow: of means of normal numbers they cover the truth in
      48 % of all tests with 2, 75 % with 3, 80 % with 4, 85 % with 6 and 91 % with 10 participants. Practice and catch
      trials count in no figure.\(staircases)</p>
      """
  }
}

/// A number to about three significant digits.
private func significant(_ value: Double) -> String {
  let magnitude = abs(value)
  let digits =
    magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : magnitude >= 0.001 ? 3 : 5
  var scale = 1.0
  for _ in 0..<digits { scale *= 10 }
  return plainNumber((value * scale).rounded() / scale + 0)
}
