extension ResultsAnalysis {
  mutating func analyseChoices() {
    let names: [String?] = [nil] + (conditions.count > 1 ? conditions.map(Optional.some) : [])
    for participant in [nil] + participants.map(Optional.some) {
      for condition in names {
        let rows = groups.filter {
          (participant == nil || $0.participant == participant)
            && (condition == nil || $0.condition == condition)
        }.flatMap(\.rows)
        if !rows.isEmpty { estimates += choices(rows, participant, condition) }
      }
    }
    guard let (factor, values) = comparedValues() else { return }
    comparisons = compare(factor: factor, values: values, metrics: [.percentCorrect]) {
      participant, value, _ in
      let answers = groups.filter { $0.participant == participant }.flatMap(\.rows)
        .filter { $0.value(of: factor) == value }.compactMap(\.isCorrect)
      return answers.isEmpty
        ? nil : 100 * Double(answers.count { $0 }) / Double(answers.count)
    }
  }

  private func choices(
    _ rows: [ResultRow], _ participant: String?, _ condition: String?
  ) -> [Estimate] {
    func estimate(
      _ metric: Metric, _ value: Double, system: String? = nil,
      interval: ClosedRange<Double>? = nil,
      count: Int, _ method: Estimate.Method
    ) -> Estimate {
      Estimate(
        participant: participant, condition: condition, system: system, metric: metric,
        value: value, interval: interval, count: count, method: method)
    }
    func share(_ metric: Metric, _ test: BinomialTest, system: String? = nil) -> Estimate {
      let interval = test.interval
      return estimate(
        metric, 100 * Double(test.correct) / Double(test.count), system: system,
        interval: 100 * interval.lowerBound...100 * interval.upperBound, count: test.count, .exact)
    }
    let answers = rows.compactMap(\.isCorrect)
    var result: [Estimate] = []
    if answers.isEmpty {
      for option in Set(rows.map { $0[.response] }).sorted() {
        let chosen = rows.count { $0[.response] == option }
        result.append(
          share(.choiceShare, BinomialTest(correct: chosen, count: rows.count), system: option))
      }
    } else {
      let test = BinomialTest(correct: answers.count { $0 }, count: answers.count)
      result.append(share(.percentCorrect, test))
      if collection.type == .abx {
        result.append(estimate(.binomialP, test.p, count: answers.count, .none))
        result.append(estimate(.sensitivity, test.sensitivity, count: answers.count, .none))
      }
    }
    let times = rows.compactMap(\.responseTime)
    if !times.isEmpty {
      let count = Double(times.count)
      result.append(
        estimate(
          .responseTime, times.reduce(0, +) / count,
          interval: options.bootstrap.intervals(times.count) { weights in
            [zip(weights, times).reduce(0) { $0 + $1.0 * $1.1 } / count]
          }[0], count: times.count, .trials))
    }
    return result
  }
}
