import Glibc

/// Watches a recording grow, for the time at which its first frame was heard.
public final class RecordingClock: Sendable {
  private let task: Task<Double, Never>

  /// Begins to watch.
  public init(_ recording: NullSinkServer.Recording, _ sink: NullSinkServer.Sink) {
    task = Task.detached {
      // A frame comes late by what the recorder and this watch take, never early.
      var earliest = Double.infinity
      while !Task.isCancelled {
        let frames = recording.byteCount / 4 / sink.channelCount
        let time = Double(monotonicNanoseconds()) * 1e-9
        if frames > 0 { earliest = min(earliest, time - Double(frames) / Double(sink.sampleRate)) }
        try? await Task.sleep(for: .microseconds(500))
      }
      return earliest
    }
  }

  /// Ends it; the time, s of the monotonic clock.
  public func stop() async -> Double {
    task.cancel()
    return await task.value
  }
}

/// Monotonic time, ns.
public func monotonicNanoseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
