import Geometry
import Glibc

/// The metrics of localisation over some trials. All are functions of sums over trials, so that a resample costs
/// no more than adding up rows.
struct PointingStatistics: Sendable {
  /// What is added up for each trial, `width` numbers a trial.
  private let terms: [Double]
  let count: Int
  /// Whether the responses all lie in the horizontal plane, so that their polar angle is 0 or 180.
  let isHorizontal: Bool

  /// The places of the sums.
  private enum Sum: Int, CaseIterable {
    case trials, lateralError, lateralError2
    case target, target2, response, response2, targetResponse
    case angle, precision, frontBackClass, inCone
    case median, polarError2, quadrantErrors
    case local, localError2, localSine, localCosine
    case polarTarget, polarTarget2, polarResponse, polarResponse2, polarTargetResponse
    case front, frontTarget, frontTarget2, frontResponse, frontResponse2, frontTargetResponse
    case weighable, weightedErrors
    case frontBackTrials, frontBackErrors, upDownTrials, upDownErrors
    case timed, time
  }
  private static let width = Sum.allCases.count

  init(_ trials: [PointingTrial], gate: MedianGate, isHorizontal: Bool) {
    count = trials.count
    self.isHorizontal = isHorizontal
    terms = trials.flatMap { Self.terms($0, gate) }
  }

  private static func terms(_ trial: PointingTrial, _ gate: MedianGate) -> [Double] {
    let (t, r) = (trial.targetAngles, trial.responseAngles)
    let gated = abs(gate == .response ? r.lateral : t.lateral)
    let error = trial.polarError
    let isLocal = gated <= 30 && abs(error) <= 90
    // Unwrapped to the turn of the target, so that a regression sees no jump.
    let polar = t.polar + error
    let weight = 0.5 * cos(2 * radians(degrees: gated)) + 0.5
    var terms = [Double](repeating: 0, count: width)
    func set(_ sum: Sum, _ value: Double, if condition: Bool = true) {
      if condition { terms[sum.rawValue] = value }
    }
    set(.trials, 1)
    set(.lateralError, trial.lateralError)
    set(.lateralError2, trial.lateralError * trial.lateralError)
    set(.target, t.lateral)
    set(.target2, t.lateral * t.lateral)
    set(.response, r.lateral)
    set(.response2, r.lateral * r.lateral)
    set(.targetResponse, t.lateral * r.lateral)
    set(.angle, trial.angle)
    set(.precision, 1, if: trial.errorClass == .precision)
    set(.frontBackClass, 1, if: trial.errorClass == .frontBack)
    set(.inCone, 1, if: trial.errorClass == .inCone)
    set(.median, 1, if: gated <= 30)
    set(.polarError2, error * error, if: gated <= 30)
    set(.quadrantErrors, 1, if: gated <= 30 && abs(error) > 90)
    set(.local, 1, if: isLocal)
    set(.localError2, error * error, if: isLocal)
    set(.localSine, sin(radians(degrees: error)), if: isLocal)
    set(.localCosine, cos(radians(degrees: error)), if: isLocal)
    set(.polarTarget, t.polar, if: isLocal)
    set(.polarTarget2, t.polar * t.polar, if: isLocal)
    set(.polarResponse, polar, if: isLocal)
    set(.polarResponse2, polar * polar, if: isLocal)
    set(.polarTargetResponse, t.polar * polar, if: isLocal)
    let isAhead = isLocal && t.polar <= 90
    set(.front, 1, if: isAhead)
    set(.frontTarget, t.polar, if: isAhead)
    set(.frontTarget2, t.polar * t.polar, if: isAhead)
    set(.frontResponse, polar, if: isAhead)
    set(.frontResponse2, polar * polar, if: isAhead)
    set(.frontTargetResponse, t.polar * polar, if: isAhead)
    set(.weighable, 1, if: gated < 60)
    set(.weightedErrors, 1, if: gated < 60 && abs(error) * weight > 45)
    set(.frontBackTrials, 1, if: trial.canConfuseFrontBack)
    set(.frontBackErrors, 1, if: trial.canConfuseFrontBack && trial.confusesFrontBack)
    set(.upDownTrials, 1, if: trial.canConfuseUpDown)
    set(.upDownErrors, 1, if: trial.canConfuseUpDown && trial.confusesUpDown)
    set(.timed, 1, if: trial.responseTime != nil)
    set(.time, trial.responseTime ?? 0)
    return terms
  }

  /// The metrics that are had, in the order of `values`.
  var metrics: [Metric] {
    Metric.localisation.filter { !isHorizontal || !Metric.polar.contains($0) }
  }

  /// The metrics of the trials, each taken so often; not a number where none of the trials counts.
  func values(_ weights: [Double]) -> [Double] {
    let values = all(weights)
    return isHorizontal
      ? zip(Metric.localisation, values).filter { !Metric.polar.contains($0.0) }.map(\.1) : values
  }

  private func all(_ weights: [Double]) -> [Double] {
    var sums = [Double](repeating: 0, count: Self.width)
    terms.withUnsafeBufferPointer { terms in
      sums.withUnsafeMutableBufferPointer { sums in
        for (trial, weight) in weights.enumerated() where weight != 0 {
          let first = trial * Self.width
          for index in 0..<Self.width { sums[index] += weight * terms[first + index] }
        }
      }
    }
    func sum(_ sum: Sum) -> Double { sums[sum.rawValue] }
    func mean(_ part: Sum, of whole: Sum = .trials) -> Double { sum(part) / sum(whole) }
    func percent(_ part: Sum, of whole: Sum = .trials) -> Double { 100 * mean(part, of: whole) }
    let lateral = Regression(
      count: sum(.trials), x: sum(.target), xx: sum(.target2), y: sum(.response),
      yy: sum(.response2), xy: sum(.targetResponse))
    let polar = Regression(
      count: sum(.local), x: sum(.polarTarget), xx: sum(.polarTarget2), y: sum(.polarResponse),
      yy: sum(.polarResponse2), xy: sum(.polarTargetResponse))
    let front = Regression(
      count: sum(.front), x: sum(.frontTarget), xx: sum(.frontTarget2), y: sum(.frontResponse),
      yy: sum(.frontResponse2), xy: sum(.frontTargetResponse))
    let rear = Regression(
      count: sum(.local) - sum(.front), x: sum(.polarTarget) - sum(.frontTarget),
      xx: sum(.polarTarget2) - sum(.frontTarget2), y: sum(.polarResponse) - sum(.frontResponse),
      yy: sum(.polarResponse2) - sum(.frontResponse2),
      xy: sum(.polarTargetResponse) - sum(.frontTargetResponse))
    let bias = mean(.lateralError)
    let resultant = hypot(sum(.localSine), sum(.localCosine)) / sum(.local)
    let offCone =
      sum(.trials) - sum(.precision) - sum(.frontBackClass) - sum(.inCone)
    // In the order of Metric.localisation.
    return [
      mean(.angle), mean(.lateralError2).squareRoot(), bias,
      // One answer has no spread.
      sum(.trials) > 1.5 ? max(0, mean(.lateralError2) - bias * bias).squareRoot() : .nan,
      lateral.slope, lateral.intercept, lateral.correlation,
      mean(.localError2, of: .local).squareRoot(), mean(.polarError2, of: .median).squareRoot(),
      sum(.local) > 0
        ? degrees(radians: atan2(sum(.localSine), sum(.localCosine))) : .nan,
      sum(.local) > 1.5
        ? degrees(radians: max(0, -2 * log(min(1, resultant))).squareRoot()) : .nan,
      polar.slope, polar.intercept, polar.correlation, front.slope, rear.slope,
      percent(.quadrantErrors, of: .median), percent(.weightedErrors, of: .weighable),
      percent(.frontBackErrors, of: .frontBackTrials), percent(.upDownErrors, of: .upDownTrials),
      percent(.precision), percent(.frontBackClass), percent(.inCone),
      100 * offCone / sum(.trials), mean(.time, of: .timed),
    ]
  }
}

/// A straight line through points by least squares, of their sums.
private struct Regression {
  var slope, intercept, correlation: Double

  init(count: Double, x: Double, xx: Double, y: Double, yy: Double, xy: Double) {
    let (varianceX, varianceY) = (xx - x * x / count, yy - y * y / count)
    let covariance = xy - x * y / count
    // Points all above one another have no slope, nor has a single one.
    guard count > 1.5, varianceX > 1e-9 * max(1, xx) else {
      (slope, intercept, correlation) = (.nan, .nan, .nan)
      return
    }
    slope = covariance / varianceX
    intercept = (y - slope * x) / count
    correlation =
      varianceY > 1e-9 * max(1, yy) ? covariance / (varianceX * varianceY).squareRoot() : .nan
  }
}
