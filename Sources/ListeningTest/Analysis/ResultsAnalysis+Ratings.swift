extension ResultsAnalysis {
  mutating func analyseRatings(_ progress: (Double) -> Void) {
    var counted = participants
    if collection.type == .preference {
      let screenings = collection.sessions.map(PostScreening.init)
      for screening in screenings where !screening.isPassed {
        flag(
          .postScreened, screening.participant,
          "\(screening.participant) rated the hidden reference below 90 in \(screening.low) of "
            + "\(screening.trials) trials, more than 15 %: their ratings stand in the tables but not in the "
            + "figures of all (ITU-R BS.1534-3, 4.1.2)")
      }
      for screening in screenings where screening.trials == 0 {
        flag(
          .notEstimable, screening.participant,
          "\(screening.participant) rated no hidden reference and could not be screened")
      }
      let passed = screenings.filter(\.isPassed).map(\.participant)
      counted = counted.filter(passed.contains)
      if counted.isEmpty {
        flag(
          .notEstimable, "", "no participant passed the post-screening: there are no figures of all"
        )
      }
    }
    ratersThatCount = counted
    let counts = counted
    let systems = Set(groups.flatMap(\.rows).map { $0[.system] }).sorted()
    let bootstrap = options.bootstrap
    let groups = groups
    let names: [String?] = [nil] + (conditions.count > 1 ? conditions.map(Optional.some) : [])
    let cells = names.flatMap { name in systems.map { (condition: name, system: $0) } }
    @Sendable func ratings(_ participant: String, _ condition: String?, _ system: String)
      -> [Double]
    {
      groups.filter {
        $0.participant == participant && (condition == nil || $0.condition == condition)
      }.flatMap(\.rows).filter { $0[.system] == system }.compactMap(\.rating)
    }
    let people = participants
    let own = mapped(cells.count, progress) { index -> [Estimate] in
      let cell = cells[index]
      let byPerson = people.map { (code: $0, ratings: ratings($0, cell.condition, cell.system)) }
      func estimates(
        _ participant: String?, _ count: Int, _ method: Estimate.Method,
        _ statistics: ([Double]) -> [Double]
      ) -> [Estimate] {
        let values = statistics(.init(repeating: 1, count: count))
        let intervals = bootstrap.intervals(count, statistics)
        return zip([Metric.ratingMean, .ratingMedian], zip(values, intervals)).map {
          Estimate(
            participant: participant, condition: cell.condition, system: cell.system, metric: $0,
            value: $1.0, interval: $1.1, count: count, method: method)
        }
      }
      let single = byPerson.filter { !$0.ratings.isEmpty }.flatMap { person in
        estimates(person.code, person.ratings.count, .trials) { weights in
          [
            weightedMean(person.ratings, weights), weightedMedian(person.ratings, weights),
          ]
        }
      }
      let passed = byPerson.filter { counts.contains($0.code) && !$0.ratings.isEmpty }
      guard let first = passed.first else { return single }
      // One of several doesn't stand for all.
      if people.count > 1, passed.count == 1 {
        return [Metric.ratingMean, .ratingMedian].map {
          Estimate(
            participant: nil, condition: cell.condition, system: cell.system, metric: $0,
            value: nil, interval: nil, count: 1, method: .participants)
        } + single
      }
      let all =
        passed.count == 1
        ? single.filter { $0.participant == first.code }.map {
          var estimate = $0
          estimate.participant = nil
          return estimate
        }
        : estimates(nil, passed.count, .participants) { weights in
          let each = zip(passed, weights).flatMap { person, weight in
            person.ratings.map { _ in weight }
          }
          let values = passed.flatMap(\.ratings)
          return [weightedMean(values, each), weightedMedian(values, each)]
        }
      return all + single
    }.flatMap { $0 }
    estimates = own.filter { $0.participant == nil } + own.filter { $0.participant != nil }
    comparisons = compare(factor: "system", values: systems, metrics: [.ratingMean]) {
      participant, system, _ in
      guard counts.contains(participant) else { return nil }
      let own = ratings(participant, nil, system)
      return own.isEmpty ? nil : own.reduce(0, +) / Double(own.count)
    }
  }
}

/// The mean of values, each taken so often.
private func weightedMean(_ values: [Double], _ weights: [Double]) -> Double {
  zip(values, weights).reduce(0) { $0 + $1.0 * $1.1 } / weights.reduce(0, +)
}

/// The median of values, each taken so often.
func weightedMedian(_ values: [Double], _ weights: [Double]) -> Double {
  let order = values.indices.sorted { values[$0] < values[$1] }
  let half = weights.reduce(0, +) / 2
  var sum = 0.0
  for (place, index) in order.enumerated() {
    sum += weights[index]
    if sum > half { return values[index] }
    if sum == half, sum > 0,
      let next = order[(place + 1)...].first(where: { weights[$0] > 0 })
    {
      return (values[index] + values[next]) / 2
    }
  }
  return .nan
}
