/// The columns of a results file, in its order. `check` follows them in the file.
public enum ResultColumn: String, Sendable, CaseIterable {
  case test
  case testHash = "test_hash"
  case participant, row
  case time = "time_utc"
  case type, trial, kind, block, condition, stimulus
  case targetAzimuth = "target_azimuth_deg"
  case targetElevation = "target_elevation_deg"
  case targetDistance = "target_distance_m"
  case responseAzimuth = "response_azimuth_deg"
  case responseElevation = "response_elevation_deg"
  case track
  case level = "level_deg"
  case order, system, role, rating, expected, response, correct
  case responseTime = "response_time_s"
  case replays

  /// Its place in a row.
  var index: Int { Self.indices[self] ?? 0 }

  private static let indices = Dictionary(
    uniqueKeysWithValues: zip(allCases, allCases.indices))

  /// The first line of a results file.
  static let header = allCases.map(\.rawValue) + ["check"]
}
