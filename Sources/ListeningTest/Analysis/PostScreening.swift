/// Assessors whose ratings don't count: those who rate the hidden reference below 90 in more than 15 % of their
/// trials (ITU-R BS.1534-3, 4.1.2).
struct PostScreening: Sendable {
  /// The participant.
  var participant: String
  /// Trials in which the hidden reference was rated, and those where it was rated below 90.
  var trials, low: Int

  init(_ session: ParticipantSession) {
    participant = session.participant
    let references = session.rows.filter { $0.kind == .test && $0[.role] == "reference" }
    trials = references.count
    low = references.count { ($0.rating ?? 0) < 90 }
  }

  /// Whether the participant's ratings count.
  var isPassed: Bool { Double(low) <= 0.15 * Double(trials) }
}
