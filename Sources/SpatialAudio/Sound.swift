internal import CSndFile
public import Files

/// One channel of sound in memory.
public struct Sound: Equatable, Sendable {
  /// Frames a second.
  public var sampleRate: Int
  /// Samples; full scale is ±1.
  public var samples: [Float]
  /// Channels of the file that it was read from; more than one have been averaged, since OpenAL
  /// places only single channels.
  public var fileChannelCount = 1

  /// A sound of these samples.
  public init(sampleRate: Int, samples: [Float]) {
    self.sampleRate = sampleRate
    self.samples = samples
  }

  /// Longest sound that is read, samples: an hour and a half at 48 kHz.
  private static let longest = 1 << 28
  /// Hz; libsamplerate converts by factors up to 256.
  private static let sampleRates = 4000...768_000

  /// Reads whatever libsndfile reads.
  ///
  /// - Throws: `FileError` if it is no sound, empty, too long, truncated, or holds samples that are
  ///   not finite.
  public init(path: String) throws(FileError) {
    let (rate, channels, frames) = try Self.frames(path: path)
    samples = (0..<frames.count / channels).map { frame in
      (0..<channels).reduce(0) { $0 + frames[frame * channels + $1] } / Float(channels)
    }
    sampleRate = rate
    fileChannelCount = channels
  }

  /// All channels of what libsndfile reads, interleaved.
  ///
  /// - Throws: `FileError` as `init(path:)` does.
  package static func frames(
    path: String
  ) throws(FileError) -> (sampleRate: Int, channelCount: Int, samples: [Float]) {
    // Opened first by hand, for the plain errors of the system.
    _ = try InputFile.firstByte(path: path)
    var info = SF_INFO()
    guard let file = sf_open(path, Int32(SFM_READ), &info) else {
      throw FileError(
        .malformed, file: path, "not a sound file (\(String(cString: sf_strerror(nil))))")
    }
    defer { sf_close(file) }
    let channels = Int(info.channels)
    try checkIsWhole(file, info, path: path)
    guard info.frames > 0 else { throw FileError(.malformed, file: path, "holds no sound") }
    guard info.frames <= longest / channels else {
      throw FileError(
        .unsupported, file: path, "\(info.frames) frames of \(channels) channels are too many")
    }
    guard sampleRates.contains(Int(info.samplerate)) else {
      throw FileError(
        .unsupported, file: path,
        "\(info.samplerate) Hz is outside \(sampleRates.lowerBound) to "
          + "\(sampleRates.upperBound)")
    }
    var frames = [Float](repeating: 0, count: Int(info.frames) * channels)
    let count = sf_readf_float(file, &frames, info.frames)
    guard count == info.frames else {
      throw FileError(
        .malformed, file: path, place: "frame \(count)",
        "truncated: its header promises \(info.frames) frames")
    }
    if let bad = frames.firstIndex(where: { !$0.isFinite }) {
      throw FileError(
        .malformed, file: path, place: "frame \(bad / channels)", "the sample is not finite")
    }
    return (Int(info.samplerate), channels, frames)
  }
}
