/// What an analysis may be told.
public struct AnalysisOptions: Sendable {
  /// How many resamples a confidence interval is of.
  public var resamples = 2000
  /// Where their random numbers begin.
  public var seed: UInt64 = 1
  /// The factors whose values make conditions; nil takes those that vary, besides places.
  public var factors: [String]?
  /// Which lateral angle decides whether a trial is near the median plane.
  public var gate = MedianGate.response
  /// How many reversals of a track come before those that count.
  public var skippedReversals = 2
  /// The lapse rate of psychometric functions.
  public var lapseRate = 0.02
  /// The factor whose values are compared in pairs; nil takes `hrtf`, of ratings the systems.
  public var comparedFactor: String?

  /// The defaults.
  public init() {}

  var bootstrap: Bootstrap { Bootstrap(resamples: resamples, seed: seed) }
}
