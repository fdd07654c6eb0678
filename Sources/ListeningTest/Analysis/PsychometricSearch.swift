import Glibc

/// Where the likelihood of a psychometric function is greatest, of answers at the same levels.
///
/// The likelihood can have several maxima, and plateaus where the function is a step. So it is worked out over a
/// grid of scales and slopes first; from the best places of the grid the climb begins, and what is found counts only
/// where it lies above all of the grid's edge: else the likelihood has no maximum within.
struct PsychometricSearch: Sendable {
  private let levels: [Double]
  private let lapseRate: Double
  /// Logarithms of α and β.
  private let scales, slopes: [Double]
  /// Logarithms of the shares of right and wrong answers, by scale, slope and level.
  private let right, wrong: [Double]

  /// How far the scales reach beyond the levels, as logarithms.
  private static let margin = 3.0
  /// The slopes that are reasonable.
  private static let slopeRange = 0.1...20.0

  /// Prepares the search; nil for levels that are not positive, or fewer than two.
  init?(levels: [Double], lapseRate: Double) {
    guard let lowest = levels.min(), let highest = levels.max(), 0 < lowest, lowest < highest
    else { return nil }
    func grid(_ low: Double, _ high: Double, _ count: Int) -> [Double] {
      (0..<count).map { low + (high - low) * Double($0) / Double(count - 1) }
    }
    let scales = grid(log(lowest) - Self.margin, log(highest) + Self.margin, 41)
    let slopes = grid(log(Self.slopeRange.lowerBound), log(Self.slopeRange.upperBound), 25)
    let shares = scales.flatMap { scale in
      slopes.flatMap { slope in
        let function = PsychometricFunction(
          logScale: scale, logSlope: slope, lapseRate: lapseRate)
        return levels.map(function.share)
      }
    }
    (self.levels, self.lapseRate) = (levels, lapseRate)
    (self.scales, self.slopes) = (scales, slopes)
    right = shares.map { log($0) }
    wrong = shares.map { log1p(-$0) }
  }

  /// The function of the greatest likelihood; nil where the likelihood has no maximum within the grid.
  ///
  /// - Parameter points: At the levels, in their order.
  func maximum(_ points: [PsychometricFunction.Point]) -> PsychometricFunction? {
    let heights = heights(points)
    func height(_ scale: Int, _ slope: Int) -> Double { heights[scale * slopes.count + slope] }
    var edge = -Double.infinity
    var steepest = 0
    var peaks: [(height: Double, start: PsychometricFunction)] = []
    for scale in scales.indices {
      for slope in slopes.indices {
        let own = height(scale, slope)
        let isInside =
          (1..<scales.count - 1).contains(scale) && (1..<slopes.count - 1).contains(slope)
        guard isInside else {
          edge = max(edge, own)
          continue
        }
        let isPeak = (-1...1).allSatisfy { a in
          (-1...1).allSatisfy { b in height(scale + a, slope + b) <= own }
        }
        if isPeak {
          peaks.append(
            (
              own,
              PsychometricFunction(
                logScale: scales[scale], logSlope: slopes[slope], lapseRate: lapseRate)
            ))
        }
      }
      if height(scale, slopes.count - 1) > height(steepest, slopes.count - 1) { steepest = scale }
    }
    let found = peaks.sorted { $0.height > $1.height }.prefix(3).compactMap {
      peak -> (height: Double, function: PsychometricFunction)? in
      var function = peak.start
      guard function.climb(points), contains(function) else { return nil }
      return (function.likelihood(points), function)
    }.max { $0.height < $1.height }
    // Of the steepest functions a small change of scale counts much.
    guard let found, found.height > edge + 1e-6,
      found.height > greatestAtSteepest(near: steepest, points) + 1e-6
    else { return nil }
    return found.function
  }

  private func contains(_ function: PsychometricFunction) -> Bool {
    scales[0] < function.logScale && function.logScale < scales[scales.count - 1]
      && slopes[0] < function.logSlope && function.logSlope < slopes[slopes.count - 1]
  }

  private func heights(_ points: [PsychometricFunction.Point]) -> [Double] {
    let correct = points.map { Double($0.correct) }
    let missed = points.map { Double($0.count - $0.correct) }
    return (0..<scales.count * slopes.count).map { node in
      let first = node * levels.count
      return levels.indices.reduce(0.0) { sum, level in
        sum + correct[level] * right[first + level] + missed[level] * wrong[first + level]
      }
    }
  }

  /// The greatest likelihood at the steepest slope, between the neighbours of a scale of the grid.
  private func greatestAtSteepest(
    near index: Int, _ points: [PsychometricFunction.Point]
  ) -> Double {
    func height(_ scale: Double) -> Double {
      PsychometricFunction(
        logScale: scale, logSlope: slopes[slopes.count - 1], lapseRate: lapseRate
      ).likelihood(points)
    }
    let (low, high) = (scales[max(0, index - 1)], scales[min(scales.count - 1, index + 1)])
    let step = (high - low) / 32
    let best = (0...32).map { low + Double($0) * step }.max { height($0) < height($1) } ?? low
    // Between its neighbours the likelihood has one maximum: thirds of the rest are left out until it is narrow.
    var (left, right) = (best - step, best + step)
    for _ in 0..<30 {
      let third = (right - left) / 3
      if height(left + third) < height(right - third) { left += third } else { right -= third }
    }
    return max(height(best), height(0.5 * (left + right)))
  }
}
