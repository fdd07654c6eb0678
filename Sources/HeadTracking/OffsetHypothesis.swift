import Geometry
import Glibc

/// One account of why the references and the head's yaw differ as they do, with its probability.
///
/// A Kalman filter of four quantities in degrees (the rate in degrees a second): the offset between
/// yaw and heading, the rate at which it drifts, the phone's bias against the body, and how far the
/// head is turned from the body (its deviation). A course measures offset − deviation, a phone's
/// heading offset + bias − deviation. Differences between directions are taken the short way round.
struct OffsetHypothesis: Sendable {
  /// Its probability; of all hypotheses together 1 between updates.
  var weight = 1.0
  /// Whether the head is turned aside and stays there, rather than swaying about the body.
  var isGlancing = false
  /// Whether the receiver's last course was astray, as courses are for seconds when a walk starts.
  var isCourseAstray = false
  /// Offset, drift, phone bias and deviation.
  private(set) var mean = SIMD4<Double>.zero
  /// Rows of their covariance.
  private var covariance = InlineArray<4, SIMD4<Double>>(repeating: .zero)

  /// A place in `mean`.
  enum Quantity: Int { case offset, drift, bias, deviation }

  /// What a course tells: the offset less the deviation.
  static let course = SIMD4<Double>(1, 0, 0, -1)
  /// What a phone's heading tells.
  static let phone = SIMD4<Double>(1, 0, 1, -1)

  /// Nothing is known of the offset.
  ///
  /// - Parameter isPhoneAstray: Whether the phone points anywhere rather than where the body does.
  init(isGlancing: Bool = false, isPhoneAstray: Bool = false) {
    self.isGlancing = isGlancing
    forget(.offset, deviation: CalibrationModel.anyDirection)
    forget(.drift, deviation: CalibrationModel.initialDrift)
    forget(
      .bias, deviation: isPhoneAstray ? CalibrationModel.anyDirection : CalibrationModel.phoneBias)
    forget(.deviation, deviation: isGlancing ? CalibrationModel.glance : CalibrationModel.sway)
  }

  var offset: Double { mean.x }
  /// Standard deviation of the offset.
  var offsetDeviation: Double { covariance[0].x.squareRoot() }

  private var variance: SIMD4<Double> {
    SIMD4(covariance[0].x, covariance[1].y, covariance[2].z, covariance[3].w)
  }

  /// Draws a quantity anew from a normal distribution about 0.
  mutating func forget(_ quantity: Quantity, deviation: Double) {
    let index = quantity.rawValue
    for row in 0..<4 { covariance[row][index] = 0 }
    covariance[index] = .zero
    covariance[index][index] = deviation * deviation
    mean[index] = 0
  }

  /// The same with the head turned elsewhere.
  func turned(toGlance isGlancing: Bool) -> OffsetHypothesis {
    var result = self
    result.isGlancing = isGlancing
    result.forget(
      .deviation, deviation: isGlancing ? CalibrationModel.glance : CalibrationModel.sway)
    return result
  }

  /// Lets time pass.
  mutating func predict(seconds: Double) {
    let drift = exp(-seconds / CalibrationModel.driftTime)
    let sway = isGlancing ? 1 : exp(-seconds / CalibrationModel.swayTime)
    let scale = SIMD4(1, drift, 1, sway)
    covariance[0] += seconds * covariance[1]
    for row in 0..<4 {
      covariance[row].x += seconds * covariance[row].y
      covariance[row] *= scale * scale[row]
    }
    mean.x += seconds * mean.y
    mean *= scale
    covariance[0].x += squared(CalibrationModel.offsetWalk) * seconds
    covariance[1].y += squared(CalibrationModel.drift) * (1 - drift * drift)
    covariance[2].z += squared(CalibrationModel.biasWalk) * seconds
    covariance[3].w +=
      isGlancing
      ? squared(CalibrationModel.glanceWalk) * seconds
      : squared(CalibrationModel.sway) * (1 - sway * sway)
  }

  /// Takes a difference between a reference and the yaw, and weighs the hypothesis by how likely that
  /// was under it.
  mutating func measure(_ difference: Double, of direction: SIMD4<Double>, variance: Double) {
    var shared = SIMD4<Double>.zero
    for row in 0..<4 { shared[row] = (covariance[row] * direction).sum() }
    let expected = (shared * direction).sum() + variance
    let surprise = signedDegrees(difference - (mean * direction).sum())
    weight *= exp(-surprise * surprise / (2 * expected)) / (2 * .pi * expected).squareRoot()
    let gain = shared / expected
    mean += gain * surprise
    for row in 0..<4 { covariance[row] -= shared[row] * gain }
  }

  /// Takes another hypothesis in, if both say much the same, keeping mean and covariance of the two
  /// together.
  ///
  /// - Returns: Whether it did.
  mutating func merge(_ other: OffsetHypothesis) -> Bool {
    guard isGlancing == other.isGlancing, isCourseAstray == other.isCourseAstray else {
      return false
    }
    var way = other.mean - mean
    way.x = signedDegrees(way.x)
    way.z = signedDegrees(way.z)
    let (own, its) = (variance, other.variance)
    let largest = pointwiseMax(own, its)
    let isNear = way * way .< largest
    let isAlike = largest .<= 6 * pointwiseMin(own, its)
    guard isNear[0], isNear[2], isNear[3], isAlike[0], isAlike[2] else { return false }
    let share = other.weight / (weight + other.weight)
    for row in 0..<4 {
      covariance[row] +=
        share * (other.covariance[row] - covariance[row])
        + share * (1 - share) * way[row] * way
    }
    mean += share * way
    weight += other.weight
    return true
  }

  /// How the offset spreads about a direction.
  func spread(about centre: Double) -> Spread {
    Spread(
      weight: weight, way: signedDegrees(offset - centre),
      scale: 1 / (offsetDeviation * 2.0.squareRoot()))
  }

  /// How a hypothesis's offset spreads about a direction.
  struct Spread {
    fileprivate(set) var weight = 0.0
    fileprivate(set) var way = 0.0
    fileprivate(set) var scale = 0.0

    /// The probability of the hypothesis and of an offset within `width` degrees of the direction.
    func probability(within width: Double) -> Double {
      weight * ((erf((width - way) * scale) + erf((width + way) * scale)) / 2)
    }
  }
}
