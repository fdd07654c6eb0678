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
  private let mix: LoopbackMix
  private let reader: SessionRecordReader
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
    mix = try LoopbackMix(
      sampleRate: sampleRate, dataSets: selection.dataSets, sourceCount: Session.mostBeacons)
    session = try Session(description, on: mix)
    reader = try SessionRecordReader(folder: folder)
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
    while let first = row {
      if start == nil { start = first.time }
      try render(to: first.frame, onSound)
      while let next = row, next.frame == first.frame {
        session.prepare(upTo: next.made)
        do {
          try session.take(next.input, at: next.time)
        } catch is SessionError {
          // It was not carried out when it came either.
        }
        row = try reader.next()
      }
      session.show()
      try onMove(session.scene)
    }
    try mix.checkErrors()
  }

  private func render(
    to frame: Int, _ onSound: (UnsafeBufferPointer<Float>) throws -> Void
  ) throws {
    while mix.frame < frame {
      let count = min(buffer.count / 2, frame - mix.frame)
      session.prepare(upTo: mix.frame + count)
      try buffer.withUnsafeMutableBufferPointer { whole in
        let block = UnsafeMutableBufferPointer(rebasing: whole[..<(2 * count)])
        mix.render(into: block)
        try onSound(UnsafeBufferPointer(block))
      }
    }
  }
}
