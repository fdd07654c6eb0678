/// All that one participant answered, in order.
public struct ParticipantSession: Sendable {
  /// The participant's code.
  public var participant: String
  /// The rows, by number.
  public var rows: [ResultRow]
  /// Whether it came to its end.
  public var isComplete: Bool { rows.last?.kind == .end }
  /// Whether a model listener answered, not a person.
  public var isSimulated: Bool { rows.contains { $0.kind == .simulated } }
}

/// Something about the results that their reader has to know, though they can be analysed.
public struct ResultsFlag: Equatable, Sendable {
  /// What it is about.
  public enum Kind: String, Sendable {
    /// The session has no end.
    case partial
    /// Rows stand there more than once.
    case duplicate
    /// The participant's results were left out as asked.
    case excluded
    /// The hidden reference was rated low too often (ITU-R BS.1534-3).
    case postScreened = "post-screened"
    /// The headphone check was not passed at once.
    case headphoneCheck = "headphone-check"
    /// Catch trials were answered wrongly.
    case catchTrials = "catch-trials"
    /// Intervals are of too few participants.
    case fewParticipants = "few-participants"
    /// Answers are a model listener's.
    case simulated
    /// A figure could not be had from the data.
    case notEstimable = "not-estimable"
  }

  /// What it is about.
  public var kind: Kind
  /// Whose results; empty for all.
  public var participant: String
  /// What it is, in one sentence.
  public var text: String
}
