import Glibc

/// The share of right answers as a function of the level: a Weibull function between guessing and lapses, fitted
/// by maximum likelihood (F. A. Wichmann and N. J. Hill, Percept. Psychophys. 63 (2001), 1293).
///
/// p(x) = γ + (1 − γ − λ) (1 − exp(−(x/α)^β)), the guess rate γ being 0.5. The lapse rate λ is fixed: the few
/// trials that a staircase has at easy levels don't tell it (N. Prins, J. Vision 12 (6) 25 (2012)).
struct PsychometricFunction: Equatable, Sendable {
  /// Trials at one level.
  struct Point: Equatable, Sendable {
    /// Degrees.
    var level: Double
    var correct: Int
    var count: Int
  }

  /// Natural logarithms of α (degrees) and β.
  var logScale, logSlope: Double
  var lapseRate: Double

  static let guessRate = 0.5

  /// The exponent β.
  var slope: Double { exp(logSlope) }

  /// The share of right answers at a level.
  func share(at level: Double) -> Double {
    guard level > 0 else { return Self.guessRate }
    let u = exp(slope * (log(level) - logScale))
    return Self.guessRate - (1 - Self.guessRate - lapseRate) * expm1(-u)
  }

  /// The level at which the share of right answers is 0.75.
  var threshold: Double {
    let part = (0.75 - Self.guessRate) / (1 - Self.guessRate - lapseRate)
    return exp(logScale + log(-log1p(-part)) / slope)
  }

  /// Fits points; nil where the likelihood has no maximum within reasonable slopes (0.1 to 20) and scales.
  init?(_ points: [Point], lapseRate: Double) {
    let points = points.filter { $0.level > 0 && $0.count > 0 }
    guard let search = PsychometricSearch(levels: points.map(\.level), lapseRate: lapseRate),
      let best = search.maximum(points)
    else { return nil }
    self = best
  }

  init(logScale: Double, logSlope: Double, lapseRate: Double) {
    (self.logScale, self.logSlope, self.lapseRate) = (logScale, logSlope, lapseRate)
  }

  /// The logarithm of the likelihood of answers.
  func likelihood(_ points: [Point]) -> Double {
    points.reduce(0) { sum, point in
      let p = share(at: point.level)
      return sum + Double(point.correct) * log(p) + Double(point.count - point.correct) * log1p(-p)
    }
  }

  /// Goes up to the maximum by Newton's method (by Fisher's scoring where the likelihood is not curved downwards),
  /// damped where a step would lead down; whether it got there.
  mutating func climb(_ points: [Point]) -> Bool {
    var damping = 1e-3
    var current = likelihood(points)
    for _ in 0..<100 {
      var (scoreA, scoreB, aa, ab, bb) = (0.0, 0.0, 0.0, 0.0, 0.0)
      // What the curvature has besides the expected information.
      var (restAA, restAB, restBB) = (0.0, 0.0, 0.0)
      for point in points {
        let distance = slope * (log(point.level) - logScale)
        let p = share(at: point.level)
        let u = exp(distance)
        let rise = (1 - Self.guessRate - lapseRate) * exp(-u) * u
        let (a, b) = (-rise * slope, rise * distance)
        let variance = p * (1 - p)
        guard variance > 0 else { continue }
        let (n, k) = (Double(point.count), Double(point.correct))
        let residual = (k - n * p) / variance
        scoreA += residual * a
        scoreB += residual * b
        aa += n * a * a / variance
        ab += n * a * b / variance
        bb += n * b * b / variance
        // dresidual/dp is −n / variance − residual (1 − 2 p) / variance.
        let bend = residual * (1 - 2 * p) / variance
        restAA += bend * a * a - residual * rise * (1 - u) * slope * slope
        restAB += bend * a * b - residual * rise * (-(1 - u) * slope * distance - slope)
        restBB += bend * b * b - residual * rise * ((1 - u) * distance * distance + distance)
      }
      if max(abs(scoreA), abs(scoreB)) < 1e-10 * Double(points.reduce(0) { $0 + $1.count }) {
        return true
      }
      let curvature = (aa: aa + restAA, ab: ab + restAB, bb: bb + restBB)
      if curvature.aa > 0, curvature.aa * curvature.bb > curvature.ab * curvature.ab {
        (aa, ab, bb) = curvature
      }
      let (daa, dbb) = (aa * (1 + damping) + 1e-300, bb * (1 + damping) + 1e-300)
      let determinant = daa * dbb - ab * ab
      guard determinant > 0 else { return false }
      var next = self
      next.logScale += max(-1, min(1, (dbb * scoreA - ab * scoreB) / determinant))
      next.logSlope += max(-1, min(1, (daa * scoreB - ab * scoreA) / determinant))
      guard abs(next.logScale) < 50, abs(next.logSlope) < 4 else { return false }
      let value = next.likelihood(points)
      if value >= current - 1e-13 * abs(current) {
        let isStill = next.logScale == logScale && next.logSlope == logSlope
        (self, current) = (next, value)
        damping = max(1e-12, damping * 0.1)
        if isStill { return true }
      } else {
        damping *= 10
        // Nothing nearer to the maximum has a number of its own.
        if damping > 1e12 { return max(abs(scoreA), abs(scoreB)) < 1e-5 }
      }
    }
    return false
  }
}
