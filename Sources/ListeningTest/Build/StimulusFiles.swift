import Aurient
import Dispatch
import Files
import Glibc
import HRTF
import SpatialAudio
import Synchronization

/// The sound files of a build, made on several threads, each of which takes the next one that is not done.
final class StimulusFiles: Sendable {
  private let material: StimulusMaterial
  private let list: StimulusList
  private let all: [Stimulus]
  private let numbers: [Int]
  private let path: String
  private let progress: @Sendable (Double) -> Void
  private let references = ReferenceLevels()
  private let next = Atomic(0)
  private let state: Mutex<State>

  private struct State: ~Copyable {
    // A class, which the lock guards.
    let folder: BuildFolder
    var records: [StimulusRecord?]
    var doneCount = 0
    var renderedCount = 0
    var failure: (any Error)?
    /// The stimuli beyond full scale, and by how many decibels.
    var clipped: [(number: Int, excess: Double)] = []
  }

  init(
    _ material: StimulusMaterial, _ list: StimulusList, folder: sending BuildFolder,
    numbers: [Int], progress: @escaping @Sendable (Double) -> Void
  ) {
    self.material = material
    self.list = list
    all = list.all
    self.numbers = numbers
    path = folder.path
    self.progress = progress
    state = Mutex(State(folder: folder, records: numbers.map { folder.records[list.name($0)] }))
  }

  /// Makes those that are missing.
  ///
  /// - Throws: What the first that failed threw; `FileError` for stimuli that would clip, once all are known.
  func build(jobs: Int, catalogue: HRTFCatalogue) throws {
    DispatchQueue.concurrentPerform(iterations: max(1, min(jobs, numbers.count))) { _ in
      let renderer = StimulusRenderer(
        material, all, references: references, catalogue: catalogue)
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < numbers.count, state.withLock({ $0.failure == nil }) else { return }
        do {
          try make(index, renderer)
        } catch {
          state.withLock { $0.failure = $0.failure ?? error }
        }
      }
    }
    let (failure, clipped) = state.withLock { ($0.failure, $0.clipped) }
    if let failure { throw failure }
    if !clipped.isEmpty { throw clipping(clipped) }
  }

  /// What is known of the files, in their order.
  var records: [StimulusRecord] { state.withLock { $0.records.compactMap(\.self) } }

  /// Ends the build: what tells of it is written.
  func finish() { state.withLock { $0.folder.finish() } }

  /// Takes away what was made, if inputs are at fault; see `BuildFolder`.
  func removeRefused(_ error: any Error) { state.withLock { $0.folder.removeRefused(error) } }

  /// How many were made now.
  var renderedCount: Int { state.withLock { $0.renderedCount } }

  private func file(_ number: Int) -> String {
    "\(path)/stimuli/\(list.name(number)).\(material.design.soundFormat.rawValue)"
  }

  private func make(_ index: Int, _ renderer: StimulusRenderer) throws {
    let number = numbers[index]
    let known = state.withLock { $0.records[index] }
    if let known, (try? contentHash(ofFile: file(number))) == known.hash {
      note { $0.doneCount += 1 }
      return
    }
    let stimulus = try renderer.render(number)
    guard stimulus.peak <= 0 else {
      note {
        $0.records[index] = nil
        $0.clipped.append((number, stimulus.peak))
        $0.doneCount += 1
      }
      return
    }
    let bytes = try SoundFileData.bytes(
      stimulus.samples, sampleRate: material.sampleRate, channelCount: 2,
      format: material.design.soundFormat == .wav ? .wav : .flac, for: file(number))
    try OutputFile.write(bytes, to: file(number))
    let record = StimulusRecord(
      name: list.name(number), hash: contentHash(bytes), frameCount: stimulus.samples.count / 2,
      gain: stimulus.gain, level: stimulus.level, peak: stimulus.peak, target: stimulus.target,
      measured: material.measured(all[number].content))
    try state.withLock { state in
      try state.folder.append(record)
      state.records[index] = record
    }
    note {
      $0.doneCount += 1
      $0.renderedCount += 1
    }
  }

  /// Notes that a file has been dealt with.
  private func note(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      progress(Double(state.doneCount) / Double(numbers.count))
    }
  }

  private func clipping(_ clipped: [(number: Int, excess: Double)]) -> FileError {
    let worst = clipped.max { ($0.excess, $1.number) < ($1.excess, $0.number) } ?? clipped[0]
    let level = material.design.level
    let (key, value) =
      switch level.alignment {
      case .loudness: ("target_lufs", level.target)
      case .rms: ("target_dbfs", level.target)
      case .none: ("gain_db", level.gain)
      }
    // Down to a tenth that fits.
    let fitting = ((value - worst.excess) * 10).rounded(.down) / 10
    return FileError(
      .unsupported, file: material.design.path, place: "level.\(key)",
      "\(clipped.count) of \(numbers.count) sounds would clip, most of all "
        + "\(material.words(all[worst.number].content)), by \(thousandths(worst.excess)) dB; "
        + "\(key) \(short(fitting)) would fit")
  }
}

extension StimulusMaterial {
  /// The measured direction that is nearest to a stimulus's own.
  fileprivate func measured(_ content: Stimulus.Content) -> SphericalDirection? {
    guard case .placed(_, let ears, let direction, let distance, _) = content else { return nil }
    return grids[ears].nearest(to: place(direction, distance: distance, ears: ears))
  }
}
