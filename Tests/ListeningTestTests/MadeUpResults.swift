import Files
import FoundationEssentials
import TestSupport

@testable import ListeningTest

/// Results of made-up listeners and what numpy and scipy make of them, by Tests/Fixtures/make_listener.py.
enum MadeUpResults {
  static let folder = projectFolder + "/Tests/Fixtures/listening"

  static func path(_ name: String) -> String { "\(folder)/\(name).csv" }

  /// The lines of a results file.
  static func lines(_ name: String) throws -> [String] {
    let bytes = try InputFile.bytes(path: path(name), limit: 1 << 24)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// What a made-up listener of localisation is like.
  struct Listener: Decodable {
    var lateral_gain, lateral_bias, polar_gain, polar_bias, front_back: Double
  }

  /// The values by participant, condition, system and metric, each with its interval's ends where there are any.
  struct Expected: Decodable {
    var listener: Listener
    var resamples: Int
    var seed: UInt64
    var localisation, staircases, abx, preference: [String: [Double?]]
    var localisation_comparisons, preference_comparisons: [String: [Double]]
  }

  static func expected() throws -> Expected {
    let bytes = try InputFile.bytes(path: folder + "/expected.json", limit: 1 << 24)
    return try JSONDecoder().decode(Expected.self, from: Data(bytes))
  }

  static func collection(_ name: String) throws -> ResultsCollection {
    try ResultsCollection([ResultsFile(path: path(name))])
  }

  /// The analysis with the numbers that the expected values are of.
  static func analysis(
    _ name: String, _ change: (inout AnalysisOptions) -> Void = { _ in }
  ) throws -> ResultsAnalysis {
    let expected = try expected()
    var options = AnalysisOptions()
    options.resamples = expected.resamples
    options.seed = expected.seed
    change(&options)
    return try ResultsAnalysis(collection(name), options: options)
  }
}
