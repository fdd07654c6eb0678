import SpatialAudio

/// A source in the engine, which rests while nothing comes from it: it would cost as much as one that
/// sounds.
struct SceneOutlet {
  let source: any StageSource
  /// The frame at which its loop in OpenAL began.
  private(set) var start = 0
  /// Up to which frame something was made that is no silence.
  private var soundEnd: Int
  private var isResting = false

  /// Frames after which nothing of a sound is left in OpenAL's filters.
  private static let ringing = 1024

  /// An outlet whose silence is to be replaced from a frame on.
  init(_ source: any StageSource, from frame: Int) {
    self.source = source
    soundEnd = frame
  }

  /// Lets its loop begin.
  mutating func begin() { start = source.play() }

  /// A piece was made that sounds, to before a frame.
  mutating func sounds(until frame: Int) {
    soundEnd = frame
    if isResting { source.resume() }
    isResting = false
  }

  /// Lets it rest at a frame if nothing has come for a while.
  mutating func update(at frame: Int) {
    guard !isResting, frame >= soundEnd + Self.ringing else { return }
    isResting = true
    source.rest()
  }

  /// Puts a piece into the loop, of a length, where the scene's frame is played.
  func write(_ piece: UnsafeMutableBufferPointer<Float>, from frame: Int, loopLength: Int) {
    let rest = (frame - start) % loopLength
    let place = rest < 0 ? rest + loopLength : rest
    let count = min(piece.count, loopLength - place)
    source.write(UnsafeBufferPointer(rebasing: piece[..<count]), at: place)
    if count < piece.count { source.write(UnsafeBufferPointer(rebasing: piece[count...]), at: 0) }
  }
}
