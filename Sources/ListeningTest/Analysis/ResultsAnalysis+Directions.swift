extension ResultsAnalysis {
  /// Trials of a participant, in a condition or in all of them.
  private struct Pointing: Sendable {
    var participant: String
    var condition: String?
    var trials: [PointingTrial]
  }

  mutating func analyseDirections(_ progress: (Double) -> Void) {
    var parts: [Pointing] = []
    for participant in participants {
      let own = groups.filter { $0.participant == participant }
      let trials = own.map { $0.rows.compactMap(PointingTrial.init) }
      let lacking = own.reduce(0) { $0 + $1.rows.count } - trials.reduce(0) { $0 + $1.count }
      if lacking > 0 {
        flag(
          .notEstimable, participant,
          "\(lacking) trials of \(participant) have no target and count in no figure")
      }
      for (group, trials) in zip(own, trials) where conditions.count > 1 {
        parts.append(
          Pointing(participant: participant, condition: group.condition, trials: trials))
      }
      parts.append(
        Pointing(participant: participant, condition: nil, trials: trials.flatMap { $0 }))
    }
    parts.removeAll(where: \.trials.isEmpty)
    let (bootstrap, gate) = (options.bootstrap, options.gate)
    let isHorizontal = parts.allSatisfy { $0.trials.allSatisfy { abs($0.response.z) < 1e-9 } }
    let own = mapped(parts.count, progress) { [parts] index -> [Estimate] in
      let part = parts[index]
      let statistics = PointingStatistics(part.trials, gate: gate, isHorizontal: isHorizontal)
      let values = statistics.values(.init(repeating: 1, count: statistics.count))
      let intervals = bootstrap.intervals(statistics.count, statistics.values)
      return statistics.metrics.indices.map { metric in
        Estimate(
          participant: part.participant, condition: part.condition,
          metric: statistics.metrics[metric],
          value: values[metric].isFinite ? values[metric] : nil, interval: intervals[metric],
          count: statistics.count, method: .trials)
      }
    }.flatMap { $0 }
    estimates =
      overParticipants(own.filter { $0.condition == nil })
      + overParticipants(own.filter { $0.condition != nil }) + own
    guard let (factor, values) = comparedValues() else { return }
    let figures = participants.map { participant -> [[Double]] in
      values.map { value in
        let rows = groups.filter { $0.participant == participant }.flatMap(\.rows)
        let trials = rows.filter { $0.value(of: factor) == value }.compactMap(PointingTrial.init)
        guard !trials.isEmpty else { return [] }
        let statistics = PointingStatistics(trials, gate: gate, isHorizontal: isHorizontal)
        let all = statistics.values(.init(repeating: 1, count: trials.count))
        return Metric.localisation.map { metric in
          statistics.metrics.firstIndex(of: metric).map { all[$0] } ?? .nan
        }
      }
    }
    comparisons = compare(
      factor: factor, values: values,
      metrics: [
        .angularError, .lateralRMSError, .polarRMSErrorLocal, .quadrantError, .frontBackConfusion,
        .responseTime,
      ]
    ) { participant, value, metric in
      guard let person = participants.firstIndex(of: participant),
        let place = values.firstIndex(of: value),
        let column = Metric.localisation.firstIndex(of: metric), !figures[person][place].isEmpty,
        figures[person][place][column].isFinite
      else { return nil }
      return figures[person][place][column]
    }
  }
}
