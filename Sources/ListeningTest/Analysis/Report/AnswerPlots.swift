import Aurient

extension ResultsAnalysis {
  /// Ratings of each system as boxes, in all conditions and in each.
  func ratingPlots() -> [AnalysisPlot] {
    let rows = groups.filter { ratersThatCount.contains($0.participant) }
    guard !rows.isEmpty else { return [] }
    let names: [String?] =
      [nil] + (conditions.count > 1 ? conditions.prefix(8).map(Optional.some) : [])
    return names.map { name in
      boxes(
        rows.filter { name == nil || $0.condition == name }.flatMap(\.rows),
        title: name ?? "all conditions")
    }
  }

  private func boxes(_ rows: [ResultRow], title: String) -> AnalysisPlot {
    let bySystem = Dictionary(grouping: rows, by: { $0[.system] }).sorted { $0.key < $1.key }
    var script = AnalysisPlot.head(width: 900, height: 440)
    var plots: [String] = []
    var words: [String] = []
    for (index, (system, rows)) in bySystem.enumerated() {
      let ratings = rows.compactMap(\.rating)
      script += AnalysisPlot.data("system\(index)", ratings.map { "\($0)" })
      plots.append("$system\(index) using (\(index + 1)):1 notitle")
      let median = weightedMedian(ratings, ratings.map { _ in 1 })
      words.append("\(system.isEmpty ? "rating" : system) \(rounded(median))")
    }
    let tics = bySystem.enumerated().map { "\(Gnuplot.quoted($1.key)) \($0 + 1)" }
    script += """
      unset key; set style data boxplot; set style boxplot outliers pointtype 7
      set style fill solid 0.25 border linecolor '#0072B2'; set boxwidth 0.5; set pointsize 0.5
      set xrange [0.4:\(Double(bySystem.count) + 0.6)]; set yrange [-3:103]; set ytics 20
      set xtics (\(tics.joined(separator: ", "))) noenhanced
      set ylabel 'rating'; set title \(Gnuplot.quoted(title)) noenhanced
      plot \(plots.map { $0.replacing(" notitle", with: " linecolor '#0072B2' notitle") }.joined(separator: ", "))

      """
    return AnalysisPlot(
      title: "Ratings, \(title)",
      description:
        "Boxes from the first to the third quartile with the median, whiskers to the farthest within 1.5 box "
        + "heights, dots beyond. Medians: \(words.joined(separator: ", ")).", script: script)
  }

  /// Right answers of each participant with their intervals.
  func choicePlots() -> [AnalysisPlot] {
    let own = estimates.filter {
      $0.metric == .percentCorrect && $0.participant != nil
        && ($0.condition != nil || conditions.count == 1)
    }
    guard !own.isEmpty else { return [] }
    let people = participants
    var script = AnalysisPlot.head(width: 900, height: 440)
    var plots: [String] = []
    for (index, condition) in conditions.enumerated() {
      let rows = own.filter { ($0.condition ?? condition) == condition }.compactMap {
        estimate -> String? in
        guard let person = people.firstIndex(of: estimate.participant ?? ""),
          let value = estimate.value, let interval = estimate.interval
        else { return nil }
        let offset = 0.6 * (Double(index) + 0.5) / Double(conditions.count) - 0.3
        return
          "\(Double(person + 1) + offset),\(value),\(interval.lowerBound),\(interval.upperBound)"
      }
      script += AnalysisPlot.data("answers\(index)", rows)
      plots.append(
        "$answers\(index) using 1:2:3:4 with yerrorbars pointtype \(4 + index % 6) linecolor "
          + "'\(AnalysisPlot.colours[index % 6])' title \(Gnuplot.quoted(condition)) noenhanced")
    }
    let tics = people.enumerated().map { "\(Gnuplot.quoted($1)) \($0 + 1)" }
    script += """
      set key outside top center horizontal
      set xrange [0.4:\(Double(people.count) + 0.6)]; set yrange [0:103]
      set xtics (\(tics.joined(separator: ", "))) rotate by -45 noenhanced
      set ylabel 'right answers / %'
      plot 50 with lines dashtype 2 linecolor '#555555' title 'guessing', \(plots.joined(separator: ", "))

      """
    return [
      AnalysisPlot(
        title: "Right answers",
        description:
          "Share of right answers of each of \(people.count) participants, with exact intervals of 95 %. The "
          + "dashed line is guessing between two.", script: script)
    ]
  }
}
