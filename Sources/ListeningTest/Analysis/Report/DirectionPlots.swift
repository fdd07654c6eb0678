import Aurient
import Geometry
import Glibc

extension ResultsAnalysis {
  /// Responses against targets, error by direction, and confusions of regions.
  func directionPlots() -> [AnalysisPlot] {
    let all = groups.flatMap(\.rows).compactMap(PointingTrial.init)
    let responses = conditions.prefix(8).map { condition in
      let trials = groups.filter { $0.condition == condition }.flatMap(\.rows)
        .compactMap(PointingTrial.init)
      return responsePlot(trials, condition: condition)
    }
    return responses + [errorPlot(all), confusionPlot(all)]
  }

  private func responsePlot(_ trials: [PointingTrial], condition: String) -> AnalysisPlot {
    // Circles whose area says how many: a plot stays small however many trials there are.
    func counted(_ pairs: [(Double, Double)]) -> [String] {
      var counts: [[Int]: Int] = [:]
      for pair in pairs {
        counts[[Int((pair.0 / 5).rounded()), Int((pair.1 / 5).rounded())], default: 0] += 1
      }
      let most = Double(counts.values.max() ?? 1)
      return counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { place, count in
        "\(place[0] * 5),\(place[1] * 5),\(0.3 + 1.2 * (Double(count) / most).squareRoot())"
      }
    }
    let gated = trials.filter {
      abs((options.gate == .response ? $0.responseAngles : $0.targetAngles).lateral) <= 30
    }
    let script =
      AnalysisPlot.head(width: 960, height: 500)
      + AnalysisPlot.data(
        "lateral", counted(trials.map { ($0.targetAngles.lateral, $0.responseAngles.lateral) }))
      + AnalysisPlot.data(
        "polar",
        counted(gated.map { ($0.targetAngles.polar, $0.responseAngles.polar) }) + ["nan,nan,nan"])
        + """
        set multiplot layout 1,2 title \(Gnuplot.quoted(condition)) noenhanced
        set size square; unset key
        set xrange [-95:95]; set yrange [-95:95]; set xtics 30; set ytics 30
        set xlabel 'target lateral angle / degrees (left is positive)'; set ylabel 'response'
        plot x with lines linecolor '#999999', \
        $lateral using 1:2:3 with points pointtype 7 pointsize variable linecolor '#0072B2'
        set xrange [-95:275]; set yrange [-95:275]; set xtics 90; set ytics 90
        set xlabel 'target polar angle / degrees (0 ahead, 90 above, 180 behind)'
        plot x with lines linecolor '#999999', x + 90 with lines dashtype 3 linecolor '#999999', \
        x - 90 with lines dashtype 3 linecolor '#999999', \
        $polar using 1:2:3 with points pointtype 7 pointsize variable linecolor '#D55E00'
        unset multiplot

        """
    return AnalysisPlot(
      title: "Responses against targets, \(condition)",
      description:
        "Left, lateral angles of \(trials.count) trials; right, polar angles of the \(gated.count) within 30° of "
        + "the median plane. On the line response and target agree; beyond the dotted lines are quadrant errors. "
        + "The larger a circle, the more responses.", script: script)
  }

  private func errorPlot(_ trials: [PointingTrial]) -> AnalysisPlot {
    struct Place: Hashable {
      var azimuth, elevation: Double
    }
    func places(step: Double) -> [Place: [PointingTrial]] {
      Dictionary(grouping: trials) { trial in
        let target = trial.target
        func rounded(_ angle: Double) -> Double {
          (degrees(radians: angle) / step).rounded() * step + 0
        }
        return Place(
          azimuth: rounded(atan2(target.y, target.x)),
          elevation: rounded(asin(max(-1, min(1, target.z)))))
      }
    }
    var byPlace = places(step: 0.1)
    // Of targets that never come again, those of 5° by 5° are taken together.
    if byPlace.count > 1000 { byPlace = places(step: 5) }
    let means = byPlace.map { place, trials in
      (place: place, error: trials.reduce(0) { $0 + $1.angle } / Double(trials.count))
    }.sorted { ($0.place.azimuth, $0.place.elevation) < ($1.place.azimuth, $1.place.elevation) }
    let worst = means.max { $0.error < $1.error }
    let isPlanar = means.allSatisfy { abs($0.place.elevation) < 0.5 }
    let script =
      AnalysisPlot.head(width: 960, height: 420)
      + AnalysisPlot.data(
        "errors", means.map { "\($0.place.azimuth),\($0.place.elevation),\($0.error)" })
        + """
        unset key; set xrange [185:-185]; set xtics 45
        set xlabel 'target azimuth / degrees (left is positive)'

        """
      + (isPlanar
        ? """
        set ylabel 'mean angular error / degrees'; set yrange [0:*]
        plot $errors using 1:3 with linespoints pointtype 7 linecolor '#0072B2'

        """
        : """
        set ylabel 'target elevation / degrees'; set yrange [-95:95]; set ytics 30
        set cblabel 'mean angular error / degrees'; set cbrange [0:*]
        set palette defined (0 '#fff7bc', 1 '#fe9929', 2 '#993404', 3 '#401000')
        plot $errors using 1:2:3 with points pointtype 7 pointsize 1.6 palette

        """)
    return AnalysisPlot(
      title: "Error by direction",
      description: "Mean angular error over all participants at each of \(means.count) targets. "
        + (worst.map {
          "It is greatest, \(rounded($0.error))°, at azimuth \(rounded($0.place.azimuth))°, elevation "
            + "\(rounded($0.place.elevation))°."
        } ?? ""), script: script)
  }

  private static let regions: [(name: String, axis: Vector3)] = [
    ("front", [1, 0, 0]), ("back", [-1, 0, 0]), ("left", [0, 1, 0]), ("right", [0, -1, 0]),
    ("above", [0, 0, 1]), ("below", [0, 0, -1]),
  ]

  private func confusionPlot(_ trials: [PointingTrial]) -> AnalysisPlot {
    func region(_ vector: Vector3) -> Int {
      Self.regions.indices.max {
        Self.regions[$0].axis.dot(vector) < Self.regions[$1].axis.dot(vector)
      }
        ?? 0
    }
    var counts = [[Int]](repeating: [0, 0, 0, 0, 0, 0], count: 6)
    for trial in trials { counts[region(trial.target)][region(trial.response)] += 1 }
    let used = counts.indices.filter { counts[$0].contains { $0 > 0 } }
    var rows: [String] = []
    for (row, target) in used.enumerated() {
      let total = counts[target].reduce(0, +)
      for response in 0..<6 {
        let percent = 100 * Double(counts[target][response]) / Double(total)
        rows.append("\(response),\(row),\(percent),\(Int(percent.rounded()))")
      }
    }
    let names = Self.regions.map(\.name)
    let script =
      AnalysisPlot.head(width: 720, height: 420) + AnalysisPlot.data("shares", rows)
        + """
        unset key; unset grid
        set xrange [-0.5:5.5]; set yrange [\(Double(used.count) - 0.5):-0.5]
        set xtics (\(names.enumerated().map { "'\($1)' \($0)" }.joined(separator: ", ")))
        set ytics (\(used.enumerated().map { "'\(names[$1])' \($0)" }.joined(separator: ", ")))
        set xlabel 'region of the response'; set ylabel 'region of the target'
        set cbrange [0:100]; set cblabel 'share of the responses / %'
        set palette defined (0 '#ffffff', 1 '#56B4E9', 2 '#00406a')
        plot $shares using 1:2:3 with image pixels, \
        $shares using 1:2:4:($3 > 60 ? 0xffffff : 0x000000) with labels textcolor rgb variable

        """
    let words = used.map { target in
      let total = counts[target].reduce(0, +)
      let kept = 100 * counts[target][target] / max(1, total)
      return "\(names[target]) \(kept) %"
    }
    return AnalysisPlot(
      title: "Confusions",
      description:
        "Share of the responses to targets of each region that fell into each region; a direction belongs to the "
        + "axis that it is nearest to. Responses in the target's own region: \(words.joined(separator: ", ")).",
      script: script)
  }
}

/// A number to one decimal place.
func rounded(_ value: Double) -> String { plainNumber((value * 10).rounded() / 10 + 0) }
