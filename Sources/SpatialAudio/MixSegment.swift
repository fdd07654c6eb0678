import Geometry

/// A source as it stands between two mixes.
struct SourceState: Sendable {
  /// Its sound as it was last written.
  var samples: [Float]
  let isLooping: Bool
  var place: Vector3?
  var gain: Float = 1
  /// The frame at which it began; nil while it does not play.
  var begin: Int?
  var isResting = false
}

/// A part of a mix's sound: how all stood when it began, and what was done since. All that a mix needs to know to render
/// this part without those before.
struct MixSegment: Sendable {
  /// What is done between two mixes, or a mix.
  enum Command: Sendable {
    case listener(ahead: Vector3, up: Vector3)
    case make(Int, SourceState)
    case play(Int)
    case stop(Int)
    case rest(Int)
    case resume(Int)
    case place(Int, Vector3)
    case gain(Int, Float)
    /// Samples of the segment, for a source's frames from one on.
    case write(Int, at: Int, Range<Int>)
    /// A number of frames, at once.
    case render(Int)
  }

  /// The mix's frame at its beginning.
  let start: Int
  let sources: [SourceState]
  let listener: (ahead: Vector3, up: Vector3)?
  private(set) var commands: [Command] = []
  private(set) var samples: [Float] = []
  /// How many frames, and mixes, it has.
  private(set) var (frameCount, mixCount) = (0, 0)
  /// Frames at its beginning that are the end of the segment before, and are rendered only for the filters to know
  /// them.
  var knownCount = 0

  /// An empty segment, with room for as much as an earlier one holds.
  init(
    start: Int, sources: [SourceState], listener: (ahead: Vector3, up: Vector3)?,
    after earlier: MixSegment? = nil
  ) {
    self.start = start
    self.sources = sources
    self.listener = listener
    guard let earlier else { return }
    commands.reserveCapacity(earlier.commands.count * 9 / 8)
    samples.reserveCapacity(earlier.samples.count * 9 / 8)
  }

  /// Adds a command that is no writing.
  mutating func append(_ command: Command) {
    commands.append(command)
    if case .render(let count) = command {
      frameCount += count
      mixCount += 1
    }
  }

  /// Adds the writing of samples.
  mutating func append(_ samples: UnsafeBufferPointer<Float>, of source: Int, at frame: Int) {
    let first = self.samples.count
    self.samples += samples
    commands.append(.write(source, at: frame, first..<self.samples.count))
  }
}
