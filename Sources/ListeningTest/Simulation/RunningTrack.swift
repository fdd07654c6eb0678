/// A staircase under way, by the rules of the participant's page.
struct RunningTrack {
  let track: TestFolder.Track
  /// The step that comes next.
  private(set) var step: Int
  /// Trials so far.
  private(set) var count = 0
  private var reversals = 0
  private var inRow = 0
  private var direction = 0
  private var orders: XorShift32

  init(_ track: TestFolder.Track) {
    self.track = track
    step = track.start_step
    orders = XorShift32(seed: track.seed)
  }

  var isFinished: Bool { reversals >= track.stop_reversals || count >= track.max_trials }

  /// The order of the next trial's two sounds.
  mutating func order() -> String { orders.next() & 1 == 1 ? "minus-plus" : "plus-minus" }

  /// Takes an answer and moves on.
  mutating func take(_ isCorrect: Bool) {
    count += 1
    inRow = isCorrect ? inRow + 1 : 0
    let move = !isCorrect ? 1 : inRow == track.downCount ? -1 : 0
    guard move != 0 else { return }
    if direction != 0, move != direction { reversals += 1 }
    (direction, inRow) = (move, 0)
    let change = track.step_change[min(reversals, track.step_change.count - 1)]
    step = max(0, min(track.steps.count - 1, step + move * change))
  }
}

/// The generator of the participant's page (G. Marsaglia, "Xorshift RNGs", J. Stat. Softw. 8 (14), 2003).
struct XorShift32 {
  private var state: UInt32

  init(seed: Int) { state = UInt32(truncatingIfNeeded: seed == 0 ? 1 : seed) }

  mutating func next() -> UInt32 {
    state ^= state << 13
    state ^= state >> 17
    state ^= state << 5
    return state
  }

  mutating func index(below count: Int) -> Int { Int(next() >> 8) % count }
}
