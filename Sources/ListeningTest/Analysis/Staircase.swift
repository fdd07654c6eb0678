/// An adaptive track of trials: right answers in a row make it harder, one wrong makes it easier
/// (H. Levitt, J. Acoust. Soc. Am. 49 (1971)).
struct Staircase: Sendable {
  /// The track's name and its condition.
  var name, condition: String
  /// Levels of the trials in order, degrees, and whether the answers were right.
  var levels: [Double]
  var answers: [Bool]
  /// How many right answers at one level make it harder.
  let downCount: Int
  /// The trials at which the direction changed.
  let reversals: [Int]

  /// A track.
  ///
  /// - Parameter downCount: Of the design; nil takes it from the track: the right answers before the level
  ///   first fell.
  init(name: String, condition: String, levels: [Double], answers: [Bool], downCount: Int?) {
    (self.name, self.condition) = (name, condition)
    (self.levels, self.answers) = (levels, answers)
    self.downCount = downCount ?? Self.downCount(levels, answers)
    var reversals: [Int] = []
    var (inRow, direction) = (0, 0)
    for (index, isCorrect) in answers.enumerated() {
      inRow = isCorrect ? inRow + 1 : 0
      let move = !isCorrect ? 1 : inRow == self.downCount ? -1 : 0
      guard move != 0 else { continue }
      // A move that is held back at either end of the steps is one in its direction.
      if direction != 0, move != direction { reversals.append(index) }
      (direction, inRow) = (move, 0)
    }
    self.reversals = reversals
  }

  /// The levels at the reversals after the first few.
  func reversalLevels(after skipped: Int) -> [Double] {
    reversals.dropFirst(skipped).map { levels[$0] }
  }

  private static func downCount(_ levels: [Double], _ answers: [Bool]) -> Int {
    var inRow = 0
    for index in levels.indices.dropLast() {
      inRow = answers[index] ? inRow + 1 : 0
      if levels[index + 1] < levels[index] { return max(1, inRow) }
      if levels[index + 1] > levels[index] { inRow = 0 }
    }
    return 2
  }
}
