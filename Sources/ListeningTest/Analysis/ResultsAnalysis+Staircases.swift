extension ResultsAnalysis {
  mutating func analyseStaircases(
    _ downCounts: [String: [String: Int]], _ naming: ConditionNaming,
    _ progress: (Double) -> Void
  ) {
    for session in collection.sessions {
      var tracks: [String] = []
      var rows: [String: [ResultRow]] = [:]
      for row in session.rows where row.kind == .test {
        let track = row[.track]
        if rows[track] == nil { tracks.append(track) }
        rows[track, default: []].append(row)
      }
      for name in tracks {
        let own = rows[name] ?? []
        staircases.append(
          (
            session.participant,
            Staircase(
              name: name, condition: own.first.map(naming.name) ?? "",
              levels: own.compactMap(\.level), answers: own.map { $0.isCorrect ?? false },
              downCount: downCounts[session.participant]?[name])
          ))
      }
    }
    let (options, staircases) = (options, staircases)
    let parts = mapped(groups.count, progress) { [groups] index in
      let group = groups[index]
      let levels = staircases.filter {
        $0.participant == group.participant && $0.track.condition == group.condition
      }.flatMap { $0.track.reversalLevels(after: options.skippedReversals) }
      let fitted = FittedFunction(
        participant: group.participant, condition: group.condition, rows: group.rows,
        lapseRate: options.lapseRate)
      return (
        [
          mean(.staircaseThreshold, of: levels, group, options.bootstrap)
        ] + fitted.estimates(options.bootstrap) + [
          mean(
            .percentCorrect, of: group.rows.map { $0.isCorrect == true ? 100 : 0 }, group,
            options.bootstrap),
          mean(
            .responseTime, of: group.rows.compactMap(\.responseTime), group, options.bootstrap),
        ], fitted
      )
    }
    functions = parts.map(\.1)
    let own = parts.flatMap(\.0)
    estimates = overParticipants(own) + own
    guard let (factor, values) = comparedValues() else { return }
    comparisons = compare(factor: factor, values: values, metrics: [.staircaseThreshold]) {
      participant, value, _ in
      let levels = zip(groups, parts).filter { group, _ in
        group.participant == participant && group.rows.first?.value(of: factor) == value
      }.compactMap { $0.1.0[0].value }
      return levels.isEmpty ? nil : levels.reduce(0, +) / Double(levels.count)
    }
  }
}

/// A mean of a participant in a condition.
private func mean(
  _ metric: Metric, of values: [Double], _ group: ResultsAnalysis.Group, _ bootstrap: Bootstrap
) -> Estimate {
  let count = Double(values.count)
  return Estimate(
    participant: group.participant, condition: group.condition, metric: metric,
    value: values.isEmpty ? nil : values.reduce(0, +) / count,
    interval: bootstrap.intervals(values.count) { weights in
      [zip(weights, values).reduce(0) { $0 + $1.0 * $1.1 } / count]
    }[0], count: values.count, method: .trials)
}

extension ResultsAnalysis.FittedFunction {
  init(participant: String, condition: String, rows: [ResultRow], lapseRate: Double) {
    (self.participant, self.condition) = (participant, condition)
    let byLevel = Dictionary(grouping: rows, by: { $0.level ?? 0 })
    points = byLevel.map { level, rows in
      PsychometricFunction.Point(
        level: level, correct: rows.count { $0.isCorrect == true }, count: rows.count)
    }.sorted { $0.level < $1.level }
    function = PsychometricFunction(points, lapseRate: lapseRate)
  }

  /// Threshold and slope, their intervals by drawing answers from the function at the same levels.
  func estimates(_ bootstrap: Bootstrap) -> [Estimate] {
    var samples: [[Double]] = [[], []]
    let answered = points.filter { $0.level > 0 && $0.count > 0 }
    if let function,
      let search = PsychometricSearch(
        levels: answered.map(\.level), lapseRate: function.lapseRate)
    {
      var generator = SplitMix64(seed: bootstrap.seed)
      for _ in 0..<bootstrap.resamples {
        let drawn = answered.map { point in
          let share = function.share(at: point.level)
          return PsychometricFunction.Point(
            level: point.level,
            correct: (0..<point.count).count { _ in generator.uniform() < share },
            count: point.count)
        }
        guard let sample = search.maximum(drawn) else { continue }
        samples[0].append(sample.threshold)
        samples[1].append(sample.slope)
      }
    }
    let count = points.reduce(0) { $0 + $1.count }
    // Where most samples have no maximum, an interval of the others would say too much.
    let isStable = 2 * samples[0].count > bootstrap.resamples
    return zip(
      [Metric.psychometricThreshold, .psychometricSlope],
      [function?.threshold, function?.slope]
    ).enumerated().map { index, pair in
      Estimate(
        participant: participant, condition: condition, metric: pair.0, value: pair.1,
        interval: isStable ? Bootstrap.interval(samples[index]) : nil, count: count,
        method: .parametric)
    }
  }
}
