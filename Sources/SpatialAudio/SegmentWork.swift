import Files

/// A segment's sound, left and right by turns; its first frames are the end of the segment before.
struct SegmentSound: Sendable {
  var samples: [Float]
  let knownCount: Int
}

/// A segment that is being rendered, by a renderer that nobody else uses meanwhile.
final class SegmentWork {
  let renderer: SegmentRenderer
  private let result: Result
  /// Nil once it has ended, and where there is none.
  private var thread: WorkerThread?

  /// Written by the thread, and read after its end.
  private final class Result: @unchecked Sendable {
    var value: Swift.Result<SegmentSound, EngineError>?
  }

  /// Begins it on a thread of its own, or does it at once.
  ///
  /// - Throws: `EngineError` if there is no thread.
  init(
    _ segment: MixSegment, _ renderer: SegmentRenderer, onOwnThread: Bool
  ) throws(EngineError) {
    self.renderer = renderer
    let result = Result()
    self.result = result
    nonisolated(unsafe) let renderer = renderer
    let render = { @Sendable in
      // A context that ends must be no thread's.
      result.value = OpenALContext.leavingThreadAsItWas {
        Swift.Result { () throws(EngineError) in
          SegmentSound(samples: try renderer.render(segment), knownCount: segment.knownCount)
        }
      }
    }
    do {
      if onOwnThread { thread = try WorkerThread(render) } else { render() }
    } catch {
      throw EngineError(.rendering, error.cause)
    }
  }

  deinit { thread?.join() }

  /// Waits for the sound.
  ///
  /// - Throws: `EngineError` if it could not be rendered.
  func sound() throws(EngineError) -> SegmentSound {
    thread?.join()
    thread = nil
    guard let value = result.value else { preconditionFailure("a thread without a result") }
    return try value.get()
  }
}
