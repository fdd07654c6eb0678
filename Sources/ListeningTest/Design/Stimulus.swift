import HRTF

/// What one sound file of a test holds; equal ones are one file.
struct Stimulus: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    /// A sound (number of the design's) heard from a direction through a set, at a distance in metres or
    /// where the set was measured; low-passed, Hz, if it is an anchor.
    case placed(
      source: Int, ears: Int, direction: SphericalDirection, distance: Double?, lowPass: Double?)
    /// A sound as it is, at both ears.
    case diotic(source: Int)
    /// A scene, through a set.
    case walk(Int, ears: Int)
    /// A sound by which headphones are checked.
    case check(HeadphoneCheck)
  }

  var content: Content
  /// Decibels against the target level.
  var rove = 0.0
}

/// What is heard before a test, to see that the headphones sit the right way round and loud enough.
enum HeadphoneCheck: String, CaseIterable, Sendable { case left, right, level }

/// The stimuli of a test, numbered in the order in which they are first needed.
struct StimulusList: Sendable {
  private(set) var stimuli: [Stimulus] = []
  private var numbers: [Stimulus: Int] = [:]

  /// The number of a stimulus, a new one if it is not there yet.
  mutating func number(_ content: Stimulus.Content, rove: Double = 0) -> Int {
    let stimulus = Stimulus(content: content, rove: rove)
    if let number = numbers[stimulus] { return number }
    numbers[stimulus] = stimuli.count
    stimuli.append(stimulus)
    return stimuli.count - 1
  }

  /// The stimuli, and after them those of the headphones' check.
  var all: [Stimulus] { stimuli + HeadphoneCheck.allCases.map { Stimulus(content: .check($0)) } }

  /// The name of a stimulus or check in the test's files; a stimulus's tells nothing of what is heard.
  func name(_ number: Int) -> String {
    guard number < stimuli.count else {
      return "check-\(HeadphoneCheck.allCases[number - stimuli.count].rawValue)"
    }
    return Self.id(number)
  }

  static func id(_ number: Int) -> String {
    let digits = "\(number + 1)"
    return "s" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
