public import Files
import Glibc
import HRTF
import SpatialAudio

/// Renders a recorded session into memory: the very samples that the device was given.
public final class SessionRenderer {
  /// The scene at the last input.
  public var scene: BeaconScene { session.scene }
  /// Frames of sound a second.
  public let sampleRate: Int
  /// What people call the data set.
  public let dataSetTitle: String
  /// When the first input came.
  public private(set) var start: Timestamp?

  private let session: Session
  /// How much has been rendered, 0 to 1.
  public var progress: Double { reader.fractionRead }

  private let dataSets: [DistanceDataSet]
  private var mix: LoopbackMix
  private var reader: SessionRecordReader
  /// Frames of sound for one of the device's: another than 1 once it has come back at another rate.
  private var scale = 1.0
  private var buffer = [Float](repeating: 0, count: 2 * 2048)

  /// Whether a path is that of a recorded session.
  public static func isRecord(_ path: String) -> Bool {
    Folder.isThere(path) && access(path + SessionRecorder.inputsName, F_OK) == 0
  }

  /// Opens a record.
  ///
  /// - Parameter folder: What `SessionRecorder` has made.
  /// - Throws: `FileError`, `EngineError` for what cannot be used.
  public init(folder: String, catalogue: HRTFCatalogue = HRTFCatalogue()) throws {
    let description = try Scene(path: folder + SessionRecorder.sceneName)
    let selection = try catalogue.select(
      description.hrtf, sampleRate: description.sampleRate, fitting: description.fitting)
    sampleRate = description.sampleRate ?? selection.sampleRate ?? 48_000
    dataSetTitle = selection.title
    dataSets = selection.dataSets
    mix = try LoopbackMix(
      sampleRate: sampleRate, dataSets: dataSets, sourceCount: Session.mostBeacons + 1)
    session = try Session(description, on: mix)
    reader = try SessionRecordReader(folder: folder, sampleRate: sampleRate)
  }

  /// Renders the session.
  ///
  /// - Parameters:
  ///   - onMove: Called after each batch of inputs.
  ///   - onSound: Called with the next samples, left and right by turns.
  /// - Throws: What the calls throw, and `FileError` for a fault in the record.
  public func render(
    onMove: (BeaconScene) throws -> Void,
    onSound: (UnsafeBufferPointer<Float>) throws -> Void
  ) throws {
    var row = try reader.next()
    var soundEnd = row?.time
    while let first = row {
      if start == nil { start = first.time }
      if case .device(let rate) = first.event {
        try changeDevice(
          sampleRate: rate, afterSilence: first.time.seconds(since: soundEnd ?? first.time), onSound
        )
        try render(to: scaled(first.frame), onSound)
        session.show()
        soundEnd = first.time
        row = try reader.next()
        continue
      }
      try render(to: scaled(first.frame), onSound)
      soundEnd = first.time
      while let next = row, next.frame == first.frame, case .input(let input) = next.event {
        // Where sound had been made, the scene had begun with the batch before.
        if next.made > 0, session.madeFrames == 0 { session.show() }
        session.prepare(upTo: scaled(next.made))
        do {
          try session.take(input, at: next.time)
        } catch is SessionError {
          // It was not carried out when it came either.
        }
        // Ends a batch; those without it are as one.
        if case .turn = input { session.show() }
        row = try reader.next()
      }
      session.show()
      try onMove(session.scene)
    }
    try mix.checkErrors()
  }

  private func scaled(_ frame: Int) -> Int {
    scale == 1 ? frame : Int((Double(frame) * scale).rounded())
  }

  /// Goes on as the session did when its device had been opened anew.
  private func changeDevice(
    sampleRate deviceRate: Int, afterSilence seconds: Double,
    _ onSound: (UnsafeBufferPointer<Float>) throws -> Void
  ) throws {
    let silence = [Float](repeating: 0, count: buffer.count)
    var left = 2 * Int((max(0, seconds) * Double(sampleRate)).rounded())
    while left > 0 {
      let count = min(left, silence.count)
      try silence.withUnsafeBufferPointer {
        try onSound(UnsafeBufferPointer(rebasing: $0[..<count]))
      }
      left -= count
    }
    try mix.checkErrors()
    mix = try LoopbackMix(
      sampleRate: sampleRate, dataSets: dataSets, sourceCount: Session.mostBeacons + 1)
    try session.move(to: mix)
    scale = Double(sampleRate) / Double(deviceRate)
  }

  private func render(
    to frame: Int, _ onSound: (UnsafeBufferPointer<Float>) throws -> Void
  ) throws {
    while mix.frame < frame {
      let length = dataSets.count > 1 ? PlayedMix.blockLength : buffer.count / 2
      let count = min(length, frame - mix.frame)
      session.prepare(upTo: mix.frame + count)
      try buffer.withUnsafeMutableBufferPointer { whole in
        let block = UnsafeMutableBufferPointer(rebasing: whole[..<(2 * count)])
        mix.render(into: block)
        try onSound(UnsafeBufferPointer(block))
      }
    }
  }
}
