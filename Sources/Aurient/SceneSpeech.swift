/// What is said in a scene, one utterance after the other, each from its beacon's place.
struct SceneSpeech {
  /// Where it comes out.
  var outlet: SceneOutlet
  /// What is said, what is to be said after it, and what has been: places that are used again, so that nothing is
  /// allocated or released.
  private var utterances = [Utterance](repeating: Utterance(), count: most + 2)

  private struct Utterance {
    var samples: [Float] = []
    /// The beacon that it comes from; nil once that is gone.
    var beacon: Int?
    /// The frames of the scene from and until which it lasts.
    var frames = Int.min..<Int.min
  }

  /// Utterances that may wait for the one before them.
  private static let most = 16

  init(outlet: SceneOutlet) { self.outlet = outlet }

  /// Whether words last until after a frame.
  func lasts(after frame: Int) -> Bool {
    // Loops, not the library's generic ones, for which its runtime allocates at their first use.
    for index in 0..<utterances.count where frame < utterances[index].frames.upperBound {
      return true
    }
    return false
  }

  /// The beacon from which words come at a frame, or come next.
  func beacon(at frame: Int) -> Int? {
    var (first, beacon) = (Int.max, Int?.none)
    for index in 0..<utterances.count {
      let frames = utterances[index].frames
      guard frame < frames.upperBound, frames.lowerBound < first else { continue }
      (first, beacon) = (frames.lowerBound, utterances[index].beacon)
    }
    return beacon
  }

  /// Adds words after those before, from a frame on at the earliest; false if too many wait already.
  ///
  /// - Parameter samples: gives back ones that are not needed any more.
  mutating func add(_ samples: inout [Float], from beacon: Int, at frame: Int) -> Bool {
    var (waiting, start, ended) = (0, frame, Int?.none)
    for index in 0..<utterances.count {
      let frames = utterances[index].frames
      if frames.lowerBound > frame { waiting += 1 }
      start = max(start, frames.upperBound)
      // What was said last may be heard yet.
      if frames.upperBound <= frame - 2 * SceneAudio.lead { ended = index }
    }
    guard waiting < Self.most, let ended else { return false }
    utterances[ended].beacon = beacon
    utterances[ended].frames = start..<start + samples.count
    swap(&utterances[ended].samples, &samples)
    return true
  }

  /// A beacon has gone, and the numbers of those after it are one less.
  mutating func remove(_ index: Int) {
    for number in utterances.indices {
      guard let beacon = utterances[number].beacon, beacon >= index else { continue }
      utterances[number].beacon = beacon == index ? nil : beacon - 1
    }
  }

  /// Makes the piece from a frame of the scene on.
  mutating func render(into piece: UnsafeMutableBufferPointer<Float>, from frame: Int) {
    piece.update(repeating: 0)
    for index in 0..<utterances.count {
      let frames = utterances[index].frames
      var now = max(frame, frames.lowerBound)
      let end = min(frame + piece.count, frames.upperBound)
      guard now < end else { continue }
      outlet.sounds(until: frames.upperBound)
      while now < end {
        piece[now - frame] = utterances[index].samples[now - frames.lowerBound]
        now += 1
      }
    }
  }
}
