/// A figure that is had from results.
public enum Metric: String, Sendable, CaseIterable {
  case angularError = "angular_error_deg"
  case lateralRMSError = "lateral_rms_error_deg"
  case lateralBias = "lateral_bias_deg"
  case lateralPrecision = "lateral_precision_deg"
  case lateralGain = "lateral_gain"
  case lateralIntercept = "lateral_intercept_deg"
  case lateralCorrelation = "lateral_correlation"
  case polarRMSErrorLocal = "polar_rms_error_local_deg"
  case polarRMSError = "polar_rms_error_deg"
  case polarBias = "polar_bias_deg"
  case polarPrecision = "polar_precision_deg"
  case polarGain = "polar_gain"
  case polarIntercept = "polar_intercept_deg"
  case polarCorrelation = "polar_correlation"
  case polarGainFront = "polar_gain_front"
  case polarGainRear = "polar_gain_rear"
  case quadrantError = "quadrant_error_percent"
  case weightedQuadrantError = "weighted_quadrant_error_percent"
  case frontBackConfusion = "front_back_confusion_percent"
  case upDownConfusion = "up_down_confusion_percent"
  case precisionClass = "class_precision_percent"
  case frontBackClass = "class_front_back_percent"
  case inConeClass = "class_in_cone_percent"
  case offConeClass = "class_off_cone_percent"
  case responseTime = "response_time_s"
  case staircaseThreshold = "staircase_threshold_deg"
  case psychometricThreshold = "psychometric_threshold_deg"
  case psychometricSlope = "psychometric_slope"
  case percentCorrect = "correct_percent"
  case binomialP = "binomial_p"
  case sensitivity = "d_prime"
  case ratingMean = "rating_mean"
  case ratingMedian = "rating_median"
  case choiceShare = "choice_percent"

  /// Those of localisation, in the order of `PointingStatistics.values`.
  static let localisation = Array(allCases[...(allCases.firstIndex(of: .responseTime) ?? 0)])
  /// Those that mean nothing where all responses lie in the horizontal plane.
  static let polar: Set<Metric> = [
    .polarRMSErrorLocal, .polarRMSError, .polarBias, .polarPrecision, .polarGain, .polarIntercept,
    .polarCorrelation, .polarGainFront, .polarGainRear, .upDownConfusion,
  ]

  /// Its unit, empty for plain numbers.
  public var unit: String {
    rawValue.hasSuffix("_deg")
      ? "°"
      : rawValue.hasSuffix("_percent") ? "%" : rawValue.hasSuffix("_s") ? "s" : ""
  }
}
