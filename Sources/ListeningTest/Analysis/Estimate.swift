/// A figure with its confidence interval, of a participant or of all.
public struct Estimate: Equatable, Sendable {
  /// How the interval came about.
  public enum Method: String, Sendable {
    /// By resampling the trials of one participant (of a staircase, its reversals).
    case trials = "bootstrap over trials"
    /// By resampling participants.
    case participants = "bootstrap over participants"
    /// By drawing answers from the fitted function.
    case parametric = "parametric bootstrap"
    /// Exact, of the binomial distribution (C. J. Clopper and E. S. Pearson, Biometrika 26 (1934)).
    case exact = "Clopper-Pearson"
    case none = ""
  }

  /// Whose; nil for all participants.
  public var participant: String?
  /// Which condition; nil for all of them.
  public var condition: String?
  /// Which system or option, where there are any.
  public var system: String?
  /// What it is.
  public var metric: Metric
  /// The figure; nil where the data don't yield it.
  public var value: Double?
  /// The interval of 95 %.
  public var interval: ClosedRange<Double>?
  /// How many trials or reversals it is of; over participants, how many of them count.
  public var count: Int
  /// How the interval came about.
  public var method: Method
}
