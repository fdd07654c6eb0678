public import Files
internal import Aurient

/// A test as built: what `test.json` says of its trials.
public struct TestFolder: Sendable, Decodable {
  /// The folder it is in.
  public private(set) var folder = ""
  private(set) var type = ListeningTestKind.localisation
  let format: String
  let version: Int
  /// Its name, and the hash over design and stimuli.
  public let id, hash: String
  /// Its title, for people.
  public let title: String?
  private let typeName: String
  let check: Check?
  let response: Response?
  let stimuli: [String: Stimulus]
  let participants: [Participant]

  private enum CodingKeys: String, CodingKey {
    case format, version, id, hash, title, check, response, stimuli, participants
    case typeName = "type"
  }

  /// The headphone check; that there is one is all that counts here.
  struct Check: Sendable, Decodable {}

  /// How participants answer.
  struct Response: Sendable, Decodable {
    var kind: String
    var options: [String]?
    /// The ends of a scale of ratings; else 0 and 100.
    var minimum, maximum: Double?
  }

  struct Stimulus: Sendable, Decodable {
    /// Relative to the test's folder.
    var file: String
  }

  struct Participant: Sendable, Decodable {
    var id: String
    var seed: Int?
    var trials: [Trial]?
    var tracks: [Track]?
  }

  struct Target: Sendable, Decodable {
    var azimuth_deg: Double
    var elevation_deg: Double
    var distance_m: Double?
  }

  struct Item: Sendable, Decodable {
    var system: String
    var stimulus: String
    var role: String?
  }

  struct Trial: Sendable, Decodable {
    var id: String
    var kind: String
    var block: Int?
    var condition: [String: Value]?
    var stimulus: String?
    var target: Target?
    var a, b, x: String?
    var reference: String?
    var items: [Item]?
    var minus, plus: String?
    var level_deg: Double?
    var order: String?
    var plane: String?
    var expected: String?
  }

  struct Step: Sendable, Decodable {
    var level_deg: Double
    var minus, plus: String
  }

  struct Track: Sendable, Decodable {
    var id: String
    var block: Int?
    var condition: [String: Value]?
    var plane: String
    var rule: String
    var start_step: Int
    var step_change: [Int]
    var stop_reversals: Int
    var max_trials: Int
    var seed: Int
    var steps: [Step]

    /// How many right answers in a row make it harder.
    var downCount: Int { Int(rule.prefix { $0 != "-" }) ?? 0 }
  }

  /// The value of a factor, a text or a number.
  enum Value: Sendable, Decodable {
    case text(String)
    case number(Double)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }

    /// The value as it stands in results.
    var text: String {
      switch self {
      case .text(let text): text
      case .number(let number): plainNumber(number)
      }
    }
  }

  /// Reads the test in a folder.
  ///
  /// - Throws: `FileError` naming the key that is missing or of the wrong kind.
  public init(_ folder: String) throws(FileError) {
    let path = folder + "/test.json"
    self = try decodeJSON(path: path, as: "a listening test", limit: 1 << 30)
    self.folder = folder
    guard format == "aurient-listening-test", version == 1 else {
      throw FileError(
        .unsupported, file: path,
        "is of format \"\(format)\", version \(version), not \"aurient-listening-test\", version 1")
    }
    guard let type = ListeningTestKind(rawValue: typeName) else {
      throw FileError(
        .unsupported, file: path, place: "type", "\"\(typeName)\" is not a kind of test")
    }
    self.type = type
    for participant in participants {
      for track in participant.tracks ?? [] {
        guard track.downCount > 0, track.steps.indices.contains(track.start_step),
          !track.step_change.isEmpty, track.stop_reversals > 0, track.max_trials > 0,
          track.seed > 0
        else {
          throw FileError(
            .malformed, file: path, place: "\(participant.id), track \(track.id)",
            "rule, steps or ends of the staircase cannot be followed")
        }
      }
    }
  }

  /// How many participants it has.
  public var participantCount: Int { participants.count }

  /// Of each participant's tracks, how many right answers in a row make them harder.
  public var downCounts: [String: [String: Int]] {
    Dictionary(
      participants.map { participant in
        (
          participant.id,
          Dictionary(
            (participant.tracks ?? []).map { ($0.id, $0.downCount) }, uniquingKeysWith: { $1 })
        )
      }, uniquingKeysWith: { $1 })
  }
}

/// A number without the `.0` of a whole one, as JavaScript writes it.
func plainNumber(_ number: Double) -> String {
  Int(exactly: number).map(String.init) ?? number.description
}
