import HRTF

/// A level of a factor, as results name it.
enum ConditionValue: Equatable, Sendable {
  case text(String)
  case number(Double)
}

/// One trial of a participant.
struct Trial: Sendable {
  enum Kind: String, Sendable {
    case practice, test
    case attention = "catch"
  }

  /// An item of a preference trial.
  struct Item: Sendable {
    enum Role: String, Sendable { case system, reference, anchor }
    var system: String
    var role: Role
    var stimulus: Int
  }

  /// What is heard, by the numbers of stimuli.
  enum Content: Sendable {
    case localisation(Int, target: SphericalDirection)
    case abx(a: Int, b: Int, isXA: Bool)
    case preference(reference: Int, items: [Item])
    case walk(Int, scene: Int)
    case interval(Track.Step, plane: ListeningDesign.Staircase.Plane, isMinusFirst: Bool)
  }

  var kind = Kind.test
  /// From 1.
  var block = 1
  var condition: [(key: String, value: ConditionValue)]
  var content: Content
}

/// An adaptive track of a participant.
struct Track: Sendable {
  /// A pair of stimuli so many degrees apart.
  struct Step: Sendable {
    var level: Double
    var minus, plus: Int
  }

  var block = 1
  var condition: [(key: String, value: ConditionValue)]
  var steps: [Step]
  /// Of the generator that chooses orders, 1 to 2³² − 1.
  var seed: Int
}

/// All that one participant meets.
struct Session: Sendable {
  var participant: String
  /// Of the page's generator, 1 to 2³² − 1.
  var seed: Int
  var trials: [Trial] = []
  var tracks: [Track] = []
}
