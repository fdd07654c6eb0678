import Files

/// A segment that is being rendered, by a renderer; nobody else uses either meanwhile.
final class SegmentWork {
  let renderer: SegmentRenderer
  private let segment: MixSegment
  private let outcome: Outcome
  /// Nil once it has ended, and where there is none.
  private var thread: WorkerThread?

  /// Written by the thread, and read after its end.
  private final class Outcome: @unchecked Sendable {
    var error: EngineError?
  }

  /// Begins it on a thread of its own, or does it at once.
  ///
  /// - Throws: `EngineError` if there is no thread.
  init(
    _ segment: MixSegment, _ renderer: SegmentRenderer, onOwnThread: Bool
  ) throws(EngineError) {
    self.renderer = renderer
    self.segment = segment
    let outcome = Outcome()
    self.outcome = outcome
    nonisolated(unsafe) let (renderer, segment) = (renderer, segment)
    let render = { @Sendable in
      // A context that ends must be no thread's.
      OpenALContext.leavingThreadAsItWas {
        do throws(EngineError) { try renderer.render(segment) } catch { outcome.error = error }
      }
    }
    do {
      if onOwnThread { thread = try WorkerThread(render) } else { render() }
    } catch {
      throw EngineError(.rendering, error.cause)
    }
  }

  deinit { thread?.join() }

  /// Waits for its end; returns the segment with its sound.
  ///
  /// - Throws: `EngineError` if it could not be rendered.
  func end() throws(EngineError) -> MixSegment {
    thread?.join()
    thread = nil
    if let error = outcome.error { throw error }
    return segment
  }
}
