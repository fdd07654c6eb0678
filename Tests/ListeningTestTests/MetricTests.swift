import Files
import HRTF
import TestSupport
import Testing

@testable import ListeningTest

/// Right answers at 1, 2, 4, 8, 16 and 32°, and of how many; threshold and slope of the greatest likelihood by
/// scipy 1.17.1: `scipy.optimize.minimize(loss, start, method="Nelder-Mead", options=dict(xatol=1e-11,
/// fatol=1e-14))` of `loss` as in Tests/Fixtures/make_listener.py, from a grid of 10 by 10 starts within log α from
/// −3 to log 32 + 3 and β from 0.1 to 20; nil where that box's edge is as likely or likelier.
private let fits: [(correct: [Int], count: [Int], expected: [Double]?)] = [
  ([8, 17, 18, 6, 6, 6], [11, 21, 18, 6, 6, 6], [1.4827765242065678, 1.805011597712379]),
  ([6, 7, 9, 10, 10, 10], [10, 10, 10, 10, 10, 10], [2.3259016529958383, 1.7028608036243527]),
  ([4, 6, 8, 7, 9, 10], [8, 10, 12, 8, 10, 10], [5.845568141222425, 1.1389805611474675]),
  ([9, 8, 10, 9, 10, 10], [12, 11, 12, 10, 10, 11], [1.3390834716143163, 0.4560789648424875]),
  ([17, 9, 3, 5, 15, 6], [19, 9, 3, 8, 15, 6], nil),
  ([5, 5, 10, 10, 10, 10], [10, 10, 10, 10, 10, 10], nil),
  ([23, 10, 2, 2, 0, 0], [27, 10, 2, 2, 0, 0], nil),
  ([5, 5, 5, 5, 10, 10], [10, 10, 10, 10, 10, 10], nil),
]

@Suite struct MetricTests {
  /// Lateral and polar angles by hand from lateral = asin(sin az cos el), polar = atan2(sin el, cos az cos el).
  @Test(arguments: [
    (0.0, 0.0, 0.0, 0.0), (90, 0, 90, 0), (-90, 0, -90, 0), (180, 0, 0, 180), (0, 90, 0, 90),
    (0, -90, 0, -90), (45, 0, 45, 0), (135, 0, 45, 180), (180, 45, 0, 135), (180, -45, 0, 225),
    (30, 45, 20.7048, 49.1066), (-150, -45, -20.7048, 229.1066),
  ])
  func interauralPolar(azimuth: Double, elevation: Double, lateral: Double, polar: Double) {
    let direction = SphericalDirection(azimuth: azimuth, elevation: elevation)
    let angles = InterauralPolar(direction.unitVector)
    #expect(abs(angles.lateral - lateral) < 1e-4)
    #expect(abs(angles.polar - polar) < 1e-4)
  }

  @Test(arguments: [
    (0.0, 0.0, 40.0, 0.0, ErrorClass.precision), (0, 0, 180, 0, .frontBack),
    (30, 0, 150, 10, .frontBack), (0, 0, 0, 90, .inCone), (30, 0, -60, 0, .offCone),
    (90, 0, 90, 60, .offCone), (60, 0, 60, 50, .inCone),
  ])
  func errorClasses(
    azimuth: Double, elevation: Double, azimuth2: Double, elevation2: Double, expected: ErrorClass
  ) {
    let trial = PointingTrial(
      target: SphericalDirection(azimuth: azimuth, elevation: elevation),
      response: SphericalDirection(azimuth: azimuth2, elevation: elevation2))
    #expect(trial.errorClass == expected)
  }

  /// The metrics of the made-up listeners and their intervals, worked out apart.
  @Test(arguments: ["localisation", "staircases", "abx", "preference"])
  func isWhatScipySays(name: String) throws {
    let expected = try MadeUpResults.expected()
    let (values, comparisons): ([String: [Double?]], [String: [Double]]) =
      switch name {
      case "localisation": (expected.localisation, expected.localisation_comparisons)
      case "staircases": (expected.staircases, [:])
      case "abx": (expected.abx, [:])
      default: (expected.preference, expected.preference_comparisons)
      }
    let analysis = try MadeUpResults.analysis(name)
    var found: [String: Estimate] = [:]
    for estimate in analysis.estimates {
      let condition = estimate.condition ?? ""
      found[
        "\(estimate.participant ?? "")|\(condition)|\(estimate.system ?? "")|\(estimate.metric.rawValue)"
      ] = estimate
    }
    #expect(values.count >= 8)
    for (key, value) in values {
      let estimate = try #require(found[key], "\(key)")
      let own = [estimate.value, estimate.interval?.lowerBound, estimate.interval?.upperBound]
      for (own, value) in zip(own, value) {
        guard let value else {
          #expect(own == nil, "\(key)")
          continue
        }
        #expect(abs((own ?? .infinity) - value) <= 1e-6, "\(key): \(own ?? .nan), not \(value)")
      }
    }
    for (key, value) in comparisons {
      let comparison = try #require(
        analysis.comparisons.first { "\($0.first)|\($0.second)|\($0.metric.rawValue)" == key })
      #expect(abs(comparison.difference - value[0]) < 1e-9 && abs(comparison.p - value[1]) < 1e-9)
    }
    #expect(analysis.comparisons.count == comparisons.count)
  }

  /// What the made-up listeners are like comes out, within about three standard errors of 480 trials.
  @Test func recoversTheListener() throws {
    let listener = try MadeUpResults.expected().listener
    let analysis = try MadeUpResults.analysis("localisation")
    func value(_ metric: Metric) throws -> Double {
      try #require(
        analysis.estimates.first {
          $0.participant == nil && $0.condition == nil && $0.metric == metric
        }?.value)
    }
    #expect(abs(try value(.lateralGain) - listener.lateral_gain) < 0.05)
    #expect(abs(try value(.lateralIntercept) - listener.lateral_bias) < 1.5)
    #expect(abs(try value(.polarGainFront) - listener.polar_gain) < 0.15)
    // Confused in 12 % of the trials with A, 1.6 times as often with B; noise adds a little.
    #expect(abs(try value(.frontBackConfusion) - 100 * 1.3 * listener.front_back) < 5)
    // Front-back confusions beyond 45° either way are those of the classes, too.
    #expect(try value(.frontBackClass) <= value(.frontBackConfusion))
    for (metric, sum) in [(Metric.precisionClass, 100.0)] {
      let others = try value(.frontBackClass) + value(.inConeClass) + value(.offConeClass)
      #expect(abs(try value(metric) + others - sum) < 1e-9)
    }
  }

  /// The psychometric function's α is 4 and 6, β 2; thresholds at 75 % by the formula are 3.45 and 5.17.
  @Test func recoversThresholds() throws {
    let analysis = try MadeUpResults.analysis("staircases")
    for (participant, threshold) in [("P1", 3.45), ("P2", 5.17)] {
      let estimate = try #require(
        analysis.estimates.first {
          $0.participant == participant && $0.metric == .psychometricThreshold
        })
      let value = try #require(estimate.value)
      #expect(abs(value - threshold) < 0.35 * threshold)
      #expect(estimate.interval?.contains(value) == true)
    }
  }

  /// P1 of the made-up staircases has a threshold, P9 answers of one level alone: P1's is not the figure of both.
  @Test func oneOfSeveralIsNotAll() throws {
    var collection = try MadeUpResults.collection("staircases")
    let rows = collection.sessions[0].rows
    let level = try #require(rows.first { $0.kind == .test }?.level)
    collection.sessions[1] = ParticipantSession(
      participant: "P9", rows: rows.filter { $0.level == level })
    var options = AnalysisOptions()
    options.resamples = 100
    let analysis = try ResultsAnalysis(collection, options: options)
    func estimate(_ participant: String?, _ metric: Metric) throws -> Estimate {
      try #require(
        analysis.estimates.first { $0.participant == participant && $0.metric == metric })
    }
    #expect(try estimate("P1", .psychometricThreshold).value != nil)
    #expect(try estimate("P9", .psychometricThreshold).value == nil)
    let all = try estimate(nil, .psychometricThreshold)
    #expect(all.value == nil && all.interval == nil && all.count == 1)
    #expect(try estimate(nil, .percentCorrect).count == 2)
    #expect(
      analysis.flags.contains {
        $0.kind == .notEstimable && $0.participant == ""
          && $0.text.hasPrefix("fewer than two participants yield")
          && $0.text.contains("psychometric_threshold_deg")
      })
  }

  /// Three raters passed; answers of ABX are taken together, with exact intervals.
  @Test(arguments: [
    ("localisation", "over 4 participants"), ("staircases", "over 2"), ("preference", "over 3"),
    ("abx", nil),
  ])
  func saysWhatFewParticipantsAreWorth(name: String, text: String?) throws {
    let flags = try MadeUpResults.analysis(name).flags.filter { $0.kind == .fewParticipants }
    #expect(flags.count == (text == nil ? 0 : 1))
    if let text { #expect(flags[0].text.hasPrefix("intervals \(text)")) }
  }

  @Test func optionsCount() throws {
    let byTarget = try MadeUpResults.analysis("localisation") { $0.gate = .target }
    let byResponse = try MadeUpResults.analysis("localisation")
    func quadrantErrors(_ analysis: ResultsAnalysis) -> Double? {
      analysis.estimates.first { $0.metric == .quadrantError }?.value
    }
    #expect(quadrantErrors(byTarget) != quadrantErrors(byResponse))
    let together = try MadeUpResults.analysis("localisation") { $0.factors = [] }
    #expect(together.conditions == ["all"])
    #expect(throws: UnknownFactor(name: "room", known: ["hrtf"])) {
      try MadeUpResults.analysis("localisation") { $0.factors = ["room"] }
    }
    #expect(throws: UnknownFactor(name: "room", known: ["hrtf"])) {
      try MadeUpResults.analysis("localisation") { $0.comparedFactor = "room" }
    }
    let again = try MadeUpResults.analysis("localisation")
    #expect(again.json == byResponse.json)
    let otherwise = try MadeUpResults.analysis("localisation") { $0.seed = 8 }
    #expect(otherwise.json != byResponse.json)
  }

  @Test func screensRaters() throws {
    let analysis = try MadeUpResults.analysis("preference")
    #expect(analysis.flags.map(\.kind) == [.postScreened, .fewParticipants])
    #expect(analysis.flags[0].participant == "P4")
    // Still in the tables.
    #expect(analysis.estimates.contains { $0.participant == "P4" })
    #expect(analysis.estimates.first { $0.participant == nil }?.count == 3)
  }

  /// By hand: 2 down, 1 up. Right, right (down), wrong (up: reversal), right, right (down: reversal), right,
  /// wrong (up: reversal).
  @Test func reversals() {
    let track = Staircase(
      name: "k", condition: "", levels: [8, 8, 4, 8, 8, 4, 4],
      answers: [true, true, false, true, true, true, false], downCount: nil)
    #expect(track.downCount == 2)
    #expect(track.reversals == [2, 4, 6])
    #expect(track.reversalLevels(after: 1) == [8, 4])
  }

  /// One answer has an error, but no spread.
  @Test func oneTrialHasNoPrecision() throws {
    let trial = PointingTrial(
      target: .init(azimuth: 0, elevation: 0), response: .init(azimuth: 10, elevation: 20))
    let statistics = PointingStatistics([trial], gate: .response, isHorizontal: false)
    let values = Dictionary(
      uniqueKeysWithValues: zip(statistics.metrics, statistics.values([1])))
    #expect(values[.lateralPrecision]?.isNaN == true && values[.polarPrecision]?.isNaN == true)
    #expect(values[.angularError]?.isFinite == true && values[.lateralBias]?.isFinite == true)
    let two = PointingStatistics([trial, trial], gate: .response, isHorizontal: false)
    #expect(
      zip(two.metrics, two.values([1, 1])).contains { $0 == .lateralPrecision && abs($1) < 1e-6 })
  }

  /// Answers that don't rise with the level have no threshold.
  @Test func noFunctionWithoutARise() {
    let flat = [1.0, 2, 4].map { PsychometricFunction.Point(level: $0, correct: 5, count: 10) }
    #expect(PsychometricFunction(flat, lapseRate: 0.02) == nil)
    let single = [PsychometricFunction.Point(level: 2, correct: 8, count: 10)]
    #expect(PsychometricFunction(single, lapseRate: 0.02) == nil)
  }

  @Test(arguments: fits)
  func findsTheGreatestLikelihood(correct: [Int], count: [Int], expected: [Double]?) throws {
    let points = correct.indices.map {
      PsychometricFunction.Point(
        level: Double(1 << $0), correct: correct[$0], count: count[$0])
    }
    let found = PsychometricFunction(points, lapseRate: 0.02)
    guard let expected else {
      #expect(found == nil)
      return
    }
    let function = try #require(found)
    #expect(abs(function.threshold - expected[0]) < 1e-6)
    #expect(abs(function.slope - expected[1]) < 1e-6)
  }

  /// scipy.stats.binomtest(k, n, 0.5, alternative='greater').pvalue and .proportion_ci(0.95, 'exact') of the
  /// two-sided test, scipy 1.17.1.
  @Test(arguments: [
    (0, 10, 1.0, 0.0, 0.30849710781876083), (10, 10, 0.0009765625, 0.6915028921812392, 1.0),
    (12, 16, 0.0384063720703125, 0.4762291801038724, 0.9273379617471178),
  ])
  func binomial(correct: Int, count: Int, p: Double, low: Double, high: Double) {
    let test = BinomialTest(correct: correct, count: count)
    #expect(abs(test.p - p) < 1e-12)
    #expect(abs(test.interval.lowerBound - low) < 1e-9)
    #expect(abs(test.interval.upperBound - high) < 1e-9)
  }

  /// 36 of 36: p is 2⁻³⁶, 1.46·10⁻¹¹.
  @Test(arguments: [
    (1.0 / Double(1 << 36), "<0.001"), (0.00099, "<0.001"), (0.001, "0.001"), (0.0384063, "0.038"),
    (0.5, "0.5"), (1, "1"),
  ])
  func isNeverAPValueOfNought(p: Double, text: String) { #expect(pValueText(p) == text) }

  @Test func everyMetricIsDocumented() throws {
    let page = String(
      decoding: try InputFile.bytes(
        path: projectFolder + "/docs/listening-analysis.md", limit: 1 << 24), as: UTF8.self)
    for metric in Metric.allCases {
      #expect(page.contains("`\(metric.rawValue)`"), "\(metric.rawValue)")
      #expect(!metric.definition.title.isEmpty && metric.definition.text.hasSuffix("."))
    }
  }
}
