internal import CSndFile
public import Files
import Glibc

/// Writes sound to a WAV, FLAC or Ogg Vorbis file, which appears whole when `commit` is called.
///
/// The same samples give the same bytes: nothing of the day or of chance goes into the file.
public final class SoundFileWriter {
  /// The form of the samples in a file, by the ending of its name.
  enum Format: Equatable {
    /// 32-bit floats, as rendered.
    case wav
    /// 24 bits.
    case flac
    /// Vorbis, about 110 kbit/s for two channels.
    case ogg

    init(path: String) throws(FileError) {
      switch path.split(separator: ".").last?.lowercased() {
      case "wav": self = .wav
      case "flac": self = .flac
      case "ogg", "oga": self = .ogg
      default:
        throw FileError(.unsupported, file: path, "the name of a sound ends in .wav, .flac or .ogg")
      }
    }
  }

  private let format: Format
  private let output: OutputFile
  private let channelCount: Int
  private var file: OpaquePointer?
  private var frameCount = 0
  /// Samples of a WAV file that wait until they are worth a call of the system.
  private var pending: [Float] = []
  private static let pendingLength = 16_384
  /// Samples beyond full scale so far, which a FLAC file cannot hold.
  public private(set) var clippedCount = 0

  /// Makes the file.
  ///
  /// - Parameters:
  ///   - path: Its name, which ends in .wav, .flac, .ogg or .oga.
  ///   - expectedFrames: About how many frames will come; WAV files of over 4 GiB become RF64.
  /// - Throws: `FileError` if the ending is none of these or the file cannot be made.
  public init(
    path: String, sampleRate: Int, channelCount: Int, expectedFrames: Int
  ) throws(FileError) {
    format = try Format(path: path)
    output = try OutputFile(path: path)
    guard output.temporaryPath != path else {
      throw FileError(.unwritable, file: path, "is no regular file, which a sound needs")
    }
    self.channelCount = channelCount
    let isHuge = expectedFrames * channelCount * 4 > 4_000_000_000
    var info = SF_INFO()
    info.samplerate = Int32(sampleRate)
    info.channels = Int32(channelCount)
    info.format =
      switch format {
      case .wav: Int32((isHuge ? SF_FORMAT_RF64 : SF_FORMAT_WAV) | SF_FORMAT_FLOAT)
      case .flac: Int32(SF_FORMAT_FLAC | SF_FORMAT_PCM_24)
      case .ogg: Int32(SF_FORMAT_OGG | SF_FORMAT_VORBIS)
      }
    file = sf_open(output.temporaryPath, Int32(SFM_WRITE), &info)
    guard let file else {
      throw FileError(.unwritable, file: path, String(cString: sf_strerror(nil)))
    }
    // That chunk holds the time of day.
    sf_command(file, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, 0)
    sf_command(file, Int32(SFC_SET_CLIPPING), nil, 1)
  }

  deinit { if let file { sf_close(file) } }

  /// Appends frames, channel after channel.
  ///
  /// - Throws: `FileError` if the disk does not take them.
  public func write(_ samples: UnsafeBufferPointer<Float>) throws(FileError) {
    if format == .flac { clippedCount += samples.count { abs($0) > 1 } }
    guard format == .wav else { return try writeNow(samples) }
    pending += samples
    if pending.count >= Self.pendingLength { try writePending() }
  }

  private func writePending() throws(FileError) {
    defer { pending.removeAll(keepingCapacity: true) }
    try pending.withUnsafeBufferPointer { samples throws(FileError) in try writeNow(samples) }
  }

  private func writeNow(_ samples: UnsafeBufferPointer<Float>) throws(FileError) {
    let frames = samples.count / channelCount
    guard frames > 0 else { return }
    errno = 0
    guard sf_writef_float(file, samples.baseAddress, Int64(frames)) == frames else {
      throw FileError(.unwritable, file: output.path, cause)
    }
    frameCount += frames
  }

  /// Finishes the file and moves it to its place.
  ///
  /// - Throws: `FileError` if the disk does not take it.
  public func commit() throws(FileError) {
    try writePending()
    errno = 0
    sf_write_sync(file)
    let status = sf_close(file)
    file = nil
    let fault = errno
    guard status == 0, isWhole else {
      errno = fault
      throw FileError(.unwritable, file: output.path, cause)
    }
    if format == .ogg {
      try OggSerialNumber.fix(path: output.temporaryPath, shownAs: output.path)
    }
    try output.commit()
  }

  /// Whether all frames can be read back: of the last ones, which a FLAC file gets when it is closed,
  /// libsndfile does not say that they found no room.
  private var isWhole: Bool {
    guard frameCount > 0 else { return true }
    var info = SF_INFO()
    guard let written = sf_open(output.temporaryPath, Int32(SFM_READ), &info) else { return false }
    defer { sf_close(written) }
    let last = sf_count_t(frameCount - 1)
    var frame = [Float](repeating: 0, count: channelCount)
    return info.frames == frameCount && sf_seek(written, last, SEEK_SET) == last
      && sf_readf_float(written, &frame, 1) == 1
  }

  private var cause: String {
    errno != 0 ? String(cString: strerror(errno)) : "libsndfile cannot write it; is the disk full?"
  }
}
