/// How a recording of a sink compares with what was played to it.
///
/// A machine that is too slow makes gaps of silence, and the server or the recorder may lose frames. What
/// follows is then found again further on. A change at another frame than expected is not: nothing in the
/// rendering is like it.
public struct RecordingMatch {
  /// Where the first frame of the rendering is in the recording, even if it is silent itself.
  public private(set) var start = 0
  /// Frames that were found.
  public private(set) var frameCount = 0
  /// The largest difference of a sample in them; infinite if a frame was found nowhere.
  public private(set) var worst: Float = 0
  /// The first frame of the rendering at which it went wrong.
  public private(set) var fault: Int?

  /// Compares them up to the end of either.
  ///
  /// - Parameters:
  ///   - recorded: The samples of left and right.
  ///   - rendered: Samples of left and right by turns.
  public init(_ recorded: [[Float]], _ rendered: [Float]) {
    let (left, right) = (recorded[0], recorded[1])
    func difference(_ frame: Int, _ offset: Int) -> Float {
      let index = 2 * (frame - offset)
      guard frame < left.count && index >= 0 && index + 1 < rendered.count else { return .infinity }
      return max(abs(left[frame] - rendered[index]), abs(right[frame] - rendered[index + 1]))
    }
    guard let first = left.indices.first(where: { left[$0] != 0 || right[$0] != 0 }) else { return }
    var offset = first - (rendered.firstIndex { $0 != 0 } ?? 0) / 2
    start = offset
    for frame in first..<left.count where left[frame] != 0 || right[frame] != 0 {
      if frame - offset >= rendered.count / 2 { break }
      if difference(frame, offset) > 1e-5 {
        let found = (offset - 4096...offset + 4096).first { offset in
          (frame..<frame + 16).allSatisfy { difference($0, offset) < 1e-5 }
        }
        guard let found else {
          worst = .infinity
          fault = frame - offset
          break
        }
        offset = found
      }
      frameCount += 1
      worst = max(worst, difference(frame, offset))
    }
  }
}
