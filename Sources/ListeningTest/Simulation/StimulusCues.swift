import Files
import Glibc
import HRTF
import SpatialAudio

/// The cues of a test's stimuli, read from their files.
struct StimulusCues: Sendable {
  /// What a file holds, whole and at its end.
  struct Entry: Sendable {
    var whole, end: AuditoryCues
  }

  let entries: [String: Entry]

  /// Seconds of a walk's end that the listener goes by.
  private static let endLength = 0.25

  /// Reads stimuli, on all cores.
  ///
  /// - Throws: `FileError` for a file that cannot be read, has no two channels, or is silent.
  init(
    _ test: TestFolder, bands: AuditoryBands, progress: (Double) -> Void
  ) throws(FileError) {
    let stimuli = test.stimuli.sorted { $0.key < $1.key }
    let needsEnd = test.type == .walk
    var entries: [String: Entry] = [:]
    let batch = 64
    for first in stride(from: 0, to: stimuli.count, by: batch) {
      progress(Double(first) / Double(stimuli.count))
      let results = parallelMap(min(batch, stimuli.count - first), worker: { 0 }) { _, index in
        Self.entry(
          test.folder + "/" + stimuli[first + index].value.file, bands, needsEnd: needsEnd)
      }
      for (index, result) in results.enumerated() {
        entries[stimuli[first + index].key] = try result.get()
      }
    }
    self.entries = entries
  }

  /// The sampling rate of a test's first stimulus, Hz.
  static func sampleRate(_ test: TestFolder) throws(FileError) -> Double {
    guard let first = test.stimuli.min(by: { $0.key < $1.key }) else {
      throw FileError(.malformed, file: test.folder + "/test.json", "there are no stimuli")
    }
    return Double(try Sound.frames(path: test.folder + "/" + first.value.file).sampleRate)
  }

  private static func entry(
    _ path: String, _ bands: AuditoryBands, needsEnd: Bool
  ) -> Result<Entry, FileError> {
    Result { () throws(FileError) in
      let sound = try Sound.frames(path: path)
      guard sound.channelCount == 2 else {
        throw FileError(
          .unsupported, file: path, "has \(sound.channelCount) channels instead of two")
      }
      let rate = Double(sound.sampleRate)
      let peak = sound.samples.reduce(0) { max($0, abs($1)) }
      guard peak > 0 else { throw FileError(.unsupported, file: path, "is silent") }
      let fft = RealFFT(size: EarSpectra.size(sampleRate: rate))
      func cues(_ frames: Range<Int>) -> AuditoryCues {
        let ears = (0...1).map { ear in frames.map { sound.samples[2 * $0 + ear] } }
        return AuditoryCues(
          EarSpectra((ears[0], ears[1]), sampleRate: rate, fft: fft), bands: bands)
      }
      let count = sound.samples.count / 2
      let whole = cues(0..<count)
      guard needsEnd else { return Entry(whole: whole, end: whole) }
      let last = (sound.samples.lastIndex { abs($0) > 1e-3 * peak } ?? 0) / 2 + 1
      return Entry(whole: whole, end: cues(max(0, last - Int(endLength * rate))..<last))
    }
  }
}
