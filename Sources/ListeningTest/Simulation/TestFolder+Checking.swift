public import Files
import Geometry
import HRTF

extension TestFolder {
  /// Checks that results are of this test: its hash, its participants, their trials and the targets.
  ///
  /// - Returns: What is missing.
  /// - Throws: `FileError` naming what the test does not have, or has otherwise.
  public func check(_ results: ResultsCollection) throws(FileError) -> [ResultsFlag] {
    let path = folder + "/test.json"
    guard results.testHash == hash, results.test == id else {
      throw FileError(
        .unsupported, file: path,
        "the results are of another test: \(results.test) with hash \(results.testHash), not \(id) with "
          + hash)
    }
    var flags: [ResultsFlag] = []
    for session in results.sessions {
      guard let participant = participants.first(where: { $0.id == session.participant }) else {
        throw FileError(
          .unsupported, file: path, "has no participant \"\(session.participant)\"")
      }
      try check(session, participant, path: path)
      let trials = (participant.trials ?? []).filter { $0.kind == "test" }
      let done = Set(session.rows.filter { $0.kind == .test }.map { $0[.trial] })
      let tracks = Set(session.rows.map { $0[.track] })
      let missing =
        trials.count { !done.contains($0.id) }
        + (participant.tracks ?? []).count { !tracks.contains($0.id) }
      if missing > 0 {
        flags.append(
          .init(
            kind: .partial, participant: session.participant,
            text: "\(missing) trials or tracks of \(session.participant)'s list have no answer"))
      }
    }
    return flags
  }

  private func check(
    _ session: ParticipantSession, _ participant: Participant, path: String
  ) throws(FileError) {
    let trials = Dictionary(
      (participant.trials ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let tracks = Set((participant.tracks ?? []).map(\.id))
    for row in session.rows where [.test, .practice, .catch].contains(row.kind) {
      func fault(_ cause: String) -> FileError {
        FileError(
          .unsupported, file: path, place: "\(session.participant), row \(row.number)", cause)
      }
      if !row[.track].isEmpty {
        guard tracks.contains(row[.track]) else { throw fault("no track \"\(row[.track])\"") }
        continue
      }
      guard let trial = trials[row[.trial]] else { throw fault("no trial \"\(row[.trial])\"") }
      guard trial.kind == row.kind.rawValue else {
        throw fault("the trial \(trial.id) is \(trial.kind), not \(row.kind.rawValue)")
      }
      if let target = trial.target {
        guard let stated = row.target,
          abs(signedDegrees(stated.azimuth - target.azimuth_deg)) < 0.11,
          abs(stated.elevation - target.elevation_deg) < 0.11
        else { throw fault("the target of trial \(trial.id) is another one") }
      }
    }
  }
}
