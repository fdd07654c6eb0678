import Aurient
import Glibc

extension ResultsAnalysis {
  /// Of each participant the tracks, and the answers with the fitted functions.
  func staircasePlots() -> [AnalysisPlot] {
    participants.map { participant in
      let tracks = staircases.filter { $0.participant == participant }.map(\.track)
      let fits = functions.filter { $0.participant == participant }
      return plot(participant, tracks, fits)
    }
  }

  private func plot(
    _ participant: String, _ tracks: [Staircase], _ fits: [FittedFunction]
  ) -> AnalysisPlot {
    var script = AnalysisPlot.head(width: 960, height: 440)
    var lines: [String] = []
    for (index, track) in tracks.enumerated() {
      script += AnalysisPlot.data(
        "track\(index)", track.levels.indices.map { "\($0 + 1),\(track.levels[$0])" })
      script += AnalysisPlot.data(
        "reversals\(index)",
        (track.reversals.map { "\($0 + 1),\(track.levels[$0])" }) + ["nan,nan"])
      let colour = AnalysisPlot.colours[index % 6]
      let title = Gnuplot.quoted("\(track.name) \(track.condition)")
      lines.append("$track\(index) with lines linecolor '\(colour)' title \(title) noenhanced")
      lines.append(
        "$reversals\(index) with points pointtype \(4 + index % 6) linecolor '\(colour)' notitle")
    }
    var curves: [String] = []
    for (index, fit) in fits.enumerated() {
      script += AnalysisPlot.data(
        "answers\(index)",
        fit.points.map { "\($0.level),\(Double($0.correct) / Double($0.count)),\($0.count)" })
      let colour = AnalysisPlot.colours[index % 6]
      curves.append(
        "$answers\(index) using 1:2:(0.4 + 0.25 * sqrt($3)) with points pointtype \(6 + index % 2) pointsize "
          + "variable linecolor '\(colour)' title \(Gnuplot.quoted(fit.condition)) noenhanced")
      if let function = fit.function {
        curves.append(
          "(x > 0 ? 0.5 + (0.5 - \(function.lapseRate)) * (1 - exp(-exp(\(function.slope) * (log(x) - "
            + "(\(function.logScale)))))) : 0.5) with lines linewidth 2 linecolor '\(colour)' notitle"
        )
      }
    }
    let highest = fits.flatMap { $0.points.map(\.level) }.max() ?? 1
    script += """
      set multiplot layout 1,2 title \(Gnuplot.quoted(participant)) noenhanced
      set key top right; set xlabel 'trial'; set ylabel 'angle / degrees'; set yrange [0:*]
      plot \(lines.joined(separator: ", "))
      set key bottom right; set xlabel 'angle / degrees'; set ylabel 'share of right answers'
      set xrange [0:\(1.05 * highest)]; set yrange [0:1.05]; set samples 300
      plot \(curves.joined(separator: ", "))
      unset multiplot

      """
    let thresholds = fits.map { fit in
      let threshold = fit.function.map { "\(rounded($0.threshold))°" } ?? "not to be had"
      return "\(fit.condition) \(threshold)"
    }
    return AnalysisPlot(
      title: "Staircases of \(participant)",
      description:
        "Left, the angle of each trial of \(tracks.count) tracks, reversals marked; right, right answers by angle "
        + "and the fitted functions, circles the larger the more trials. Thresholds at 75 %: "
        + "\(thresholds.joined(separator: ", ")).", script: script)
  }
}
