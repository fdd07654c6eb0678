import Files
import HRTF

/// What is had from the results of a listening test.
public struct ResultsAnalysis: Sendable {
  /// What the answers are, which decides how they are analysed.
  public enum Answers: String, Sendable {
    case directions, staircases, ratings, choices
  }

  /// What was read.
  public var collection: ResultsCollection
  /// What it was told.
  public var options: AnalysisOptions
  /// What the answers are.
  public var answers: Answers
  /// The factors that make conditions.
  public var factors: [String]
  /// All figures.
  public var estimates: [Estimate] = []
  /// Conditions and systems in pairs.
  public var comparisons: [PairedComparison] = []
  /// What is to be known of the results.
  public var flags: [ResultsFlag]
  /// The conditions, in order.
  var conditions: [String] = []
  /// Test trials by participant and condition.
  var groups: [Group] = []
  /// The tracks of each participant.
  var staircases: [(participant: String, track: Staircase)] = []
  /// Fitted functions of participants and conditions.
  var functions: [FittedFunction] = []
  /// Participants whose ratings count.
  var ratersThatCount: [String] = []

  /// Test trials of a participant in a condition.
  struct Group: Sendable {
    var participant, condition: String
    var rows: [ResultRow]
  }

  /// A psychometric function and the answers it is of.
  struct FittedFunction: Sendable {
    var participant, condition: String
    var points: [PsychometricFunction.Point]
    var function: PsychometricFunction?
  }

  /// Analyses results.
  ///
  /// - Parameters:
  ///   - downCounts: Of a design's tracks, how many right answers make it harder, by participant and track.
  ///   - progress: Called now and then with the part that is done.
  /// - Throws: `UnknownFactor`, or `FileError` if there are no test trials.
  public init(
    _ collection: ResultsCollection, options: AnalysisOptions = .init(),
    downCounts: [String: [String: Int]] = [:], progress: (Double) -> Void = { _ in }
  ) throws {
    self.collection = collection
    self.options = options
    flags = collection.flags
    let rows = collection.sessions.flatMap(\.rows).filter { $0.kind == .test }
    guard let first = rows.first else {
      throw FileError(
        .unsupported, file: collection.test, "the results hold no test trials, only practice")
    }
    answers =
      switch collection.type {
      case .localisation: .directions
      case .minimumAudibleAngle: .staircases
      case .abx: .choices
      case .preference: .ratings
      case .walk:
        first.response != nil ? .directions : first.rating != nil ? .ratings : .choices
      }
    let naming = try ConditionNaming(rows, factors: options.factors)
    factors = naming.factors
    if let compared = options.comparedFactor {
      _ = try ConditionNaming(rows, factors: [compared])
    }
    for session in collection.sessions {
      let byCondition = Dictionary(
        grouping: session.rows.filter { $0.kind == .test }, by: naming.name)
      for (condition, rows) in byCondition.sorted(by: { $0.key < $1.key }) {
        groups.append(Group(participant: session.participant, condition: condition, rows: rows))
      }
      if byCondition.isEmpty {
        flag(.notEstimable, session.participant, "\(session.participant) has no test trials")
      }
    }
    conditions = Set(groups.map(\.condition)).sorted()
    flagSessions()
    switch answers {
    case .directions: analyseDirections(progress)
    case .staircases: analyseStaircases(downCounts, naming, progress)
    case .ratings: analyseRatings(progress)
    case .choices: analyseChoices()
    }
    // Not every answer has a time.
    estimates.removeAll { $0.metric == .responseTime && $0.value == nil }
    flagMissing()
    flagFewParticipants()
    progress(1)
  }

  mutating func flag(_ kind: ResultsFlag.Kind, _ participant: String, _ text: String) {
    flags.append(.init(kind: kind, participant: participant, text: text))
  }

  /// Names the figures that participants have too few answers for, and those that too few participants have.
  private mutating func flagMissing() {
    for participant in participants.map(Optional.some) + (participants.count > 1 ? [nil] : []) {
      let missing = estimates.filter { $0.participant == participant && $0.value == nil }
      guard !missing.isEmpty else { continue }
      let metrics = Metric.allCases.compactMap { metric -> String? in
        let conditions = missing.filter { $0.metric == metric }.map { $0.condition ?? "all" }
        return conditions.isEmpty
          ? nil : "\(metric.rawValue) (\(conditions.joined(separator: "; ")))"
      }
      let text = metrics.joined(separator: ", ")
      flag(
        .notEstimable, participant ?? "",
        participant.map { "the answers of \($0) don't yield \(text)" }
          ?? "fewer than two participants yield \(text): there is no figure of all")
    }
  }

  /// Says of intervals over few participants how little they cover. Coverage is of means of numbers from a normal
  /// distribution.
  private mutating func flagFewParticipants() {
    let count =
      estimates.filter { $0.participant == nil && $0.method == .participants && $0.value != nil }
      .map(\.count).max() ?? comparisons.map(\.count).max() ?? 0
    guard (2..<10).contains(count) else { return }
    flag(
      .fewParticipants, "",
      "intervals over \(count) participants are too narrow: resampling 2 covers the truth in 48 % of all tests, "
        + "3 in 75 %, 4 in 80 %, 6 in 85 %, 10 in 91 %, not in 95 %")
  }

  /// Participants with test trials, in order.
  var participants: [String] {
    groups.reduce(into: []) { if $0.last != $1.participant { $0.append($1.participant) } }
  }

  private mutating func flagSessions() {
    let simulated = collection.sessions.filter(\.isSimulated).map(\.participant)
    if !simulated.isEmpty {
      flag(
        .simulated, "",
        "the answers of \(simulated.count) of \(collection.sessions.count) participants are a model listener's, "
          + "not people's: \(simulated.joined(separator: ", "))")
    }
    for session in collection.sessions {
      let code = session.participant
      let catches = session.rows.filter { $0.kind == .catch && $0.isCorrect != nil }
      let wrong = catches.count { $0.isCorrect == false }
      if wrong > 0 {
        flag(.catchTrials, code, "\(code) missed \(wrong) of \(catches.count) catch trials")
      }
      let pointed = session.rows.filter { $0.kind == .catch }.compactMap(PointingTrial.init)
      let astray = pointed.count { $0.angle > 45 }
      if astray > 0 {
        flag(
          .catchTrials, code,
          "\(code) pointed more than 45° astray in \(astray) of \(pointed.count) catch trials")
      }
      for row in session.rows where row.kind == .headphoneCheck {
        if let mistakes = Int(row[.response]), mistakes > 0 {
          flag(.headphoneCheck, code, "\(code) made \(mistakes) mistakes in the headphone check")
        }
      }
    }
  }

  /// Figures of participants, those of all are the means of.
  ///
  /// - Parameter own: Estimates of participants, each in a condition, or each over all.
  func overParticipants(_ own: [Estimate]) -> [Estimate] {
    struct Key: Hashable {
      var condition: String?
      var system: String?
      var metric: Metric
    }
    var order: [Key] = []
    var byKey: [Key: [Estimate]] = [:]
    for estimate in own {
      let key = Key(
        condition: estimate.condition, system: estimate.system, metric: estimate.metric)
      if byKey[key] == nil { order.append(key) }
      byKey[key, default: []].append(estimate)
    }
    return order.map { key in
      let all = byKey[key] ?? []
      let values = all.compactMap(\.value)
      var result = all[0]
      result.participant = nil
      // Of one participant the interval is that of the trials.
      if participants.count == 1 { return result }
      result.count = values.count
      result.method = .participants
      // One of several doesn't stand for all.
      guard values.count > 1 else {
        (result.value, result.interval) = (nil, nil)
        return result
      }
      result.value = values.reduce(0, +) / Double(values.count)
      result.interval =
        options.bootstrap.intervals(values.count) { weights in
          [zip(weights, values).reduce(0) { $0 + $1.0 * $1.1 } / Double(values.count)]
        }[0]
      return result
    }
  }

  /// Maps numbers below a count on all cores, telling of progress between batches.
  func mapped<Result: Sendable>(
    _ count: Int, _ progress: (Double) -> Void, _ body: @Sendable (Int) -> Result
  ) -> [Result] {
    var results: [Result] = []
    let batch = 32
    for first in stride(from: 0, to: count, by: batch) {
      progress(Double(first) / Double(count))
      results += parallelMap(min(batch, count - first), worker: { 0 }) { _, index in
        body(first + index)
      }
    }
    return results
  }

  /// Compares values of the compared factor in pairs by the figures that participants have for each.
  func compare(
    factor: String, values: [String], metrics: [Metric],
    figure: (_ participant: String, _ value: String, _ metric: Metric) -> Double?
  ) -> [PairedComparison] {
    metrics.flatMap { metric in
      var family: [PairedComparison] = []
      for (index, first) in values.enumerated() {
        for second in values[(index + 1)...] {
          let pairs = participants.compactMap { participant -> (Double, Double)? in
            guard let a = figure(participant, first, metric),
              let b = figure(participant, second, metric)
            else { return nil }
            return (a, b)
          }
          let comparison = PairedComparison(
            factor: factor, first, second, metric: metric, pairs: pairs,
            bootstrap: options.bootstrap)
          if let comparison { family.append(comparison) }
        }
      }
      return PairedComparison.corrected(family)
    }
  }

  /// The factor that is compared and its values; nil where it has fewer than two.
  func comparedValues() -> (factor: String, values: [String])? {
    let factor = options.comparedFactor ?? "hrtf"
    let values = Set(groups.flatMap(\.rows).compactMap { $0.value(of: factor) }).sorted()
    return values.count > 1 ? (factor, values) : nil
  }
}

extension ResultRow {
  /// The value of a factor.
  func value(of factor: String) -> String? { condition.first { $0.key == factor }?.value }
}
