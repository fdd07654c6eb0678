import Geometry

/// A source as it stands between two mixes.
struct SourceState {
  /// Its sound as it was last written.
  var samples: [Float]
  let isLooping: Bool
  var place: Vector3?
  var gain: Float = 1
  /// The frame at which it began; nil while it does not play.
  var begin: Int?
  var isResting = false
}

/// A part of a mix: how all stood when it began, what was done since, and the sound that comes of it. All that a mix
/// needs to know to render this part without those before.
///
/// An object, since it goes from thread to thread, is used again, and keeps its memory then.
final class MixSegment {
  /// What is done between two mixes, or a mix.
  enum Command {
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
  private(set) var start = 0
  private(set) var sources: [SourceState] = []
  private(set) var listener: (ahead: Vector3, up: Vector3)?
  private(set) var commands: [Command] = []
  private(set) var samples: [Float] = []
  /// How many frames, and mixes, it has.
  private(set) var (frameCount, mixCount) = (0, 0)
  /// Frames at its beginning that are the end of the segment before, and are rendered only for the filters to know
  /// them.
  var knownCount = 0
  /// What was rendered, left and right by turns; room for it before.
  var sound: [Float] = []

  /// An empty segment, with room for samples.
  init(room: Int = 0) { samples.reserveCapacity(room) }

  /// Forgets what it was, and begins.
  func begin(
    at frame: Int, sources: [SourceState], listener: (ahead: Vector3, up: Vector3)?
  ) {
    start = frame
    self.sources = sources
    self.listener = listener
    commands.removeAll(keepingCapacity: true)
    samples.removeAll(keepingCapacity: true)
    (frameCount, mixCount, knownCount) = (0, 0, 0)
  }

  /// Adds a command that is no writing.
  func append(_ command: Command) {
    commands.append(command)
    if case .render(let count) = command {
      frameCount += count
      mixCount += 1
    }
  }

  /// Adds the writing of samples.
  func append(_ samples: UnsafeBufferPointer<Float>, of source: Int, at frame: Int) {
    let first = self.samples.count
    self.samples += samples
    commands.append(.write(source, at: frame, first..<self.samples.count))
  }
}
