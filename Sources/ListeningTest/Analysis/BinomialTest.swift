import Glibc

/// A p value for people: to three digits after the point, `<0.001` below them.
public func pValueText(_ p: Double) -> String {
  p < 0.001 ? "<0.001" : plainNumber((p * 1000).rounded() / 1000)
}

/// Answers that are right or wrong, against guessing.
struct BinomialTest: Sendable {
  /// How many answers were right.
  var correct: Int
  /// Of how many.
  var count: Int

  /// The chance of so many right answers, or more, by guessing at `chance` (exact, one-sided).
  func probability(ofAtLeast correct: Int, chance: Double) -> Double {
    guard correct > 0 else { return 1 }
    guard chance > 0 else { return 0 }
    guard chance < 1 else { return 1 }
    let sum = (correct...max(correct, count)).reduce(0.0) { sum, k in
      k > count ? sum : sum + exp(logTerm(k, chance))
    }
    return min(1, sum)
  }

  /// The p value against guessing one of two.
  var p: Double { probability(ofAtLeast: correct, chance: 0.5) }

  /// The share of right answers, and its interval of 95 % after Clopper and Pearson, as parts of 1.
  var interval: ClosedRange<Double> {
    let low =
      correct == 0 ? 0 : bisect { probability(ofAtLeast: correct, chance: $0) - 0.025 }
    let high =
      correct == count
      ? 1 : bisect { probability(ofAtLeast: correct + 1, chance: $0) - 0.975 }
    return low...max(low, high)
  }

  /// The sensitivity d′ of an ABX listener who compares independent observations (N. A. Macmillan and
  /// C. D. Creelman, "Detection theory", 2nd edition, 2005, section 9: p = Φ(d′/√2) Φ(d′/2) + Φ(−d′/√2) Φ(−d′/2)).
  /// All right counts as half an answer wrong; no better than guessing is 0.
  var sensitivity: Double {
    guard count > 0 else { return .nan }
    let share = min(Double(correct), Double(count) - 0.5) / Double(count)
    guard share > 0.5 else { return 0 }
    func phi(_ x: Double) -> Double { 0.5 * erfc(-x / 2.0.squareRoot()) }
    return bisect(upTo: 20) { d in
      let (a, b) = (d / 2.0.squareRoot(), d / 2)
      return phi(a) * phi(b) + phi(-a) * phi(-b) - share
    }
  }

  private func logTerm(_ k: Int, _ chance: Double) -> Double {
    lgamma(Double(count + 1)) - lgamma(Double(k + 1)) - lgamma(Double(count - k + 1))
      + Double(k) * log(chance) + Double(count - k) * log1p(-chance)
  }

  /// Where a rising function is 0.
  private func bisect(upTo high: Double = 1, _ function: (Double) -> Double) -> Double {
    var (low, high) = (0.0, high)
    for _ in 0..<200 {
      let middle = 0.5 * (low + high)
      if function(middle) < 0 { low = middle } else { high = middle }
    }
    return 0.5 * (low + high)
  }
}
