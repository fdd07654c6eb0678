import Files
import Glibc
import HeadTracking

/// The events of a live source, each waited for.
final class LiveEvents {
  private var source: NetworkMotionSource

  init(_ source: consuming NetworkMotionSource) { self.source = source }

  var counts: MotionSourceCounts { source.counts }
  func example(_ fault: MotionFault) -> String? { source.example(of: fault) }
  func newestFrame() -> MotionFrame? { source.newestFrame() }

  /// The next event; nil if none comes for so many seconds.
  func event(within seconds: Double = 5) -> MotionEvent? {
    let end = ContinuousClock.now + .seconds(seconds)
    repeat {
      if let event = source.next() { return event }
      usleep(200)
    } while ContinuousClock.now < end
    return nil
  }

  /// The next frame, past other events.
  func frame() -> MotionFrame? {
    while let event = event() { if case .frame(let frame) = event { return frame } }
    return nil
  }

  /// Waits until so much has been dropped for a cause.
  func waitForDropped(_ fault: MotionFault, _ count: Int = 1) -> Bool {
    let end = ContinuousClock.now + .seconds(5)
    while counts.dropped[fault, default: 0] < count {
      guard ContinuousClock.now < end else { return false }
      usleep(200)
    }
    return true
  }
}
