import Glibc

/// Confidence intervals of 95 % by resampling: percentiles of what is had from samples of the same size drawn
/// with replacement (B. Efron and R. J. Tibshirani, "An introduction to the bootstrap", 1993, chapter 13).
struct Bootstrap: Sendable {
  /// How many samples are drawn.
  var resamples = 2000
  /// Where the numbers begin; those of each group begin anew.
  var seed: UInt64 = 1

  /// The interval of each statistic.
  ///
  /// - Parameters:
  ///   - count: How many things are drawn from.
  ///   - statistics: What is had from how often each of them was drawn. What is not a number for a sample
  ///     leaves that sample out.
  func intervals(
    _ count: Int, _ statistics: ([Double]) -> [Double]
  ) -> [ClosedRange<Double>?] {
    guard count > 1, resamples > 0 else {
      return statistics(.init(repeating: 1, count: count)).map { _ in nil }
    }
    var generator = SplitMix64(seed: seed)
    var values: [[Double]] = []
    var weights = [Double](repeating: 0, count: count)
    for _ in 0..<resamples {
      for index in weights.indices { weights[index] = 0 }
      for _ in 0..<count { weights[generator.index(below: count)] += 1 }
      let sample = statistics(weights)
      if values.isEmpty { values = sample.map { _ in [] } }
      for (index, value) in sample.enumerated() where value.isFinite { values[index].append(value) }
    }
    return values.map(Self.interval)
  }

  /// From the 2.5th to the 97.5th percentile; nil where there are fewer than two values.
  static func interval(_ values: [Double]) -> ClosedRange<Double>? {
    guard values.count > 1 else { return nil }
    let sorted = values.sorted()
    return quantile(sorted, 0.025)...quantile(sorted, 0.975)
  }

  /// A quantile of sorted values, between two of them in proportion (definition 7 of R. J. Hyndman and Y. Fan,
  /// Am. Stat. 50 (1996)).
  static func quantile(_ sorted: [Double], _ part: Double) -> Double {
    guard let last = sorted.indices.last else { return .nan }
    let place = part * Double(last)
    let below = min(last, Int(place))
    let fraction = place - Double(below)
    return fraction == 0
      ? sorted[below] : sorted[below] + fraction * (sorted[below + 1] - sorted[below])
  }
}
