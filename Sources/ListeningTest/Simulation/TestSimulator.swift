public import Files
import Geometry
import HRTF

/// Has model listeners take a test, so that its design can be tried through before people are asked.
public struct TestSimulator: Sendable {
  let test: TestFolder
  let cues: StimulusCues
  let listeners: TestListeners
  let seed: UInt64

  /// Reads stimuli and sets.
  ///
  /// - Parameters:
  ///   - own: Name or SOFA file of the set that all listen with; nil has each sound heard with its own.
  ///   - progress: Called now and then with the part that is done.
  /// - Throws: `FileError` or `EngineError` for what cannot be read.
  public init(
    _ test: TestFolder, own: String? = nil, seed: UInt64 = 1, progress: (Double) -> Void = { _ in }
  ) throws {
    self.test = test
    self.seed = seed
    listeners = try TestListeners(test, own: own)
    cues = try StimulusCues(test, bands: listeners.bands, progress: { progress(0.8 * $0) })
  }

  /// Writes the answers of the first participants, or of all, to a CSV file.
  ///
  /// - Returns: How many participants and rows were written.
  /// - Throws: `FileError` naming a trial that cannot be answered, or if the file cannot be written.
  public func write(
    to path: String, participants limit: Int? = nil, progress: (Double) -> Void = { _ in }
  ) throws(FileError) -> (participants: Int, rows: Int) {
    var writer = try ResultsWriter(path: path)
    let count = min(limit ?? .max, test.participants.count)
    guard count > 0 else {
      throw FileError(
        .unsupported, file: test.folder + "/test.json", "there are no participants")
    }
    var rows = 0
    let batch = 8
    for first in stride(from: 0, to: count, by: batch) {
      let sessions = parallelMap(min(batch, count - first), worker: { 0 }) { _, index in
        Result { () throws(FileError) in
          try SimulatedSession(self, participant: first + index).rows
        }
      }
      for session in sessions {
        writer.beginSession(testHash: test.hash)
        for row in try session.get() {
          writer.append(row)
          rows += 1
        }
      }
      progress(0.8 + 0.2 * Double(min(count, first + batch)) / Double(count))
    }
    try writer.commit()
    return (count, rows)
  }
}
