/// Whether two conditions differ, by the participants who did both: the differences of each, their signs
/// permuted (R. A. Fisher, "The design of experiments", 1935; P. Good, "Permutation, parametric and bootstrap
/// tests of hypotheses", 2005).
public struct PairedComparison: Equatable, Sendable {
  /// The factor, and the two of its values.
  public var factor, first, second: String
  /// What is compared.
  public var metric: Metric
  /// How many participants did both.
  public var count: Int
  /// Mean difference, second minus first.
  public var difference: Double
  /// Its interval of 95 %, by resampling participants.
  public var interval: ClosedRange<Double>?
  /// The two-sided p value; exact up to 16 participants, else of 20,000 random signs.
  public var p: Double
  /// The p value after Holm's correction for all pairs of this metric (S. Holm, Scand. J. Stat. 6 (1979)).
  public var correctedP: Double

  private static let randomCount = 20_000

  /// Compares pairs; nil for fewer than two.
  init?(
    factor: String, _ first: String, _ second: String, metric: Metric,
    pairs: [(Double, Double)], bootstrap: Bootstrap
  ) {
    let differences = pairs.map { $0.1 - $0.0 }.filter(\.isFinite)
    guard differences.count > 1 else { return nil }
    (self.factor, self.first, self.second, self.metric) = (factor, first, second, metric)
    count = differences.count
    difference = differences.reduce(0, +) / Double(count)
    interval =
      bootstrap.intervals(count) { weights in
        [zip(weights, differences).reduce(0) { $0 + $1.0 * $1.1 } / Double(weights.count)]
      }[0]
    p = Self.p(differences, seed: bootstrap.seed)
    correctedP = p
  }

  private static func p(_ differences: [Double], seed: UInt64) -> Double {
    let observed = abs(differences.reduce(0, +))
    // Sums that are equal but for rounding are equal.
    let limit = observed - 1e-9 * max(1, differences.reduce(0) { $0 + abs($1) })
    func isAsLarge(_ signs: UInt64) -> Bool {
      var sum = 0.0
      for (index, difference) in differences.enumerated() {
        sum += (signs >> UInt64(index % 64)) & 1 == 0 ? difference : -difference
      }
      return abs(sum) >= limit
    }
    if differences.count <= 16 {
      let all = UInt64(1) << UInt64(differences.count)
      return Double((0..<all).count(where: isAsLarge)) / Double(all)
    }
    var generator = SplitMix64(seed: seed)
    var hits = 1
    for _ in 0..<randomCount {
      var sum = 0.0
      var signs: UInt64 = 0
      for (index, difference) in differences.enumerated() {
        if index % 64 == 0 { signs = generator.next() }
        sum += (signs >> UInt64(index % 64)) & 1 == 0 ? difference : -difference
      }
      if abs(sum) >= limit { hits += 1 }
    }
    return Double(hits) / Double(randomCount + 1)
  }

  /// Corrects the p values of comparisons for their number.
  static func corrected(_ comparisons: [PairedComparison]) -> [PairedComparison] {
    let order = comparisons.indices.sorted { comparisons[$0].p < comparisons[$1].p }
    var result = comparisons
    var least = 0.0
    for (rank, index) in order.enumerated() {
      least = max(least, min(1, comparisons[index].p * Double(comparisons.count - rank)))
      result[index].correctedP = least
    }
    return result
  }
}
