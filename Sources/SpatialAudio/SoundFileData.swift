internal import CSndFile
public import Files
import Glibc

/// Sound files of 24 bits made in memory: quick, for many short ones.
///
/// The same samples give the same bytes.
public enum SoundFileData {
  /// The form of the file.
  public enum Format: String, Sendable { case wav, flac }

  /// The bytes of a file.
  ///
  /// - Parameters:
  ///   - samples: Channel after channel by turns, full scale ±1; what is beyond is clipped.
  ///   - path: The file that it is made for, for errors.
  /// - Throws: `FileError` if libsndfile refuses rate or channels.
  public static func bytes(
    _ samples: [Float], sampleRate: Int, channelCount: Int, format: Format, for path: String
  ) throws(FileError) -> [UInt8] {
    let memory = Memory(capacity: samples.count * 3 + 4096)
    var info = SF_INFO()
    info.samplerate = Int32(sampleRate)
    info.channels = Int32(channelCount)
    info.format = Int32((format == .wav ? SF_FORMAT_WAV : SF_FORMAT_FLAC) | SF_FORMAT_PCM_24)
    var calls = Memory.calls
    guard
      let file = sf_open_virtual(
        &calls, Int32(SFM_WRITE), &info, Unmanaged.passUnretained(memory).toOpaque())
    else { throw FileError(.unwritable, file: path, String(cString: sf_strerror(nil))) }
    sf_command(file, Int32(SFC_SET_CLIPPING), nil, 1)
    // Noise shrinks hardly more at higher levels, which take several times as long.
    var level = 0.0
    sf_command(
      file, Int32(SFC_SET_COMPRESSION_LEVEL), &level, Int32(MemoryLayout<Double>.size))
    let frames = Int64(samples.count / channelCount)
    let written = sf_writef_float(file, samples, frames)
    guard sf_close(file) == 0, written == frames else {
      throw FileError(.unwritable, file: path, "libsndfile cannot write it")
    }
    return memory.bytes
  }
}

/// A file in memory, which libsndfile writes and seeks in.
private final class Memory {
  private(set) var bytes: [UInt8] = []
  private var position = 0

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  private static func of(_ context: UnsafeMutableRawPointer?) -> Memory? {
    context.map { Unmanaged<Memory>.fromOpaque($0).takeUnretainedValue() }
  }

  private func write(_ source: UnsafeRawBufferPointer) {
    let overlap = min(source.count, bytes.count - position)
    if overlap > 0 {
      bytes.replaceSubrange(position..<position + overlap, with: source.prefix(overlap))
    }
    bytes.append(contentsOf: source.dropFirst(max(0, overlap)))
    position += source.count
  }

  private func read(_ target: UnsafeMutableRawBufferPointer) -> Int {
    let count = max(0, min(target.count, bytes.count - position))
    if count > 0 { target.copyBytes(from: bytes[position..<position + count]) }
    position += count
    return count
  }

  /// What libsndfile calls.
  static var calls: SF_VIRTUAL_IO {
    SF_VIRTUAL_IO(
      get_filelen: { Int64(Memory.of($0)?.bytes.count ?? 0) },
      seek: { offset, whence, context in
        guard let memory = Memory.of(context) else { return -1 }
        let start =
          whence == SEEK_SET ? 0 : whence == SEEK_CUR ? memory.position : memory.bytes.count
        // Nothing seeks beyond the end.
        memory.position = max(0, min(memory.bytes.count, start + Int(offset)))
        return Int64(memory.position)
      },
      read: { target, count, context in
        Int64(
          Memory.of(context)?.read(UnsafeMutableRawBufferPointer(start: target, count: Int(count)))
            ?? 0)
      },
      write: { source, count, context in
        Memory.of(context)?.write(UnsafeRawBufferPointer(start: source, count: Int(count)))
        return count
      },
      tell: { Int64(Memory.of($0)?.position ?? 0) })
  }
}
