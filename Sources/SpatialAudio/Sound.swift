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

  /// Reads whatever libsndfile reads.
  ///
  /// - Throws: `FileError` if it is no sound, empty, too long, truncated, or holds samples that are
  ///   not finite.
  public init(path: String) throws(FileError) {
    let file = try SoundFrames(path: path)
    let channels = file.channelCount
    sampleRate = file.sampleRate
    samples = (0..<file.samples.count / channels).map { frame in
      (0..<channels).reduce(0) { $0 + file.samples[frame * channels + $1] } / Float(channels)
    }
    fileChannelCount = channels
  }
}

/// All channels of a sound file.
public struct SoundFrames: Sendable {
  /// Frames a second.
  public let sampleRate: Int
  /// Channels.
  public let channelCount: Int
  /// The channels' samples by turns; full scale is ±1.
  public let samples: [Float]

  /// Longest sound that is read, samples: an hour and a half at 48 kHz.
  private static let longest = 1 << 28
  /// Hz; libsamplerate converts by factors up to 256.
  private static let sampleRates = 4000...768_000

  /// Reads whatever libsndfile reads.
  ///
  /// - Throws: `FileError`; see `Sound`.
  public init(path: String) throws(FileError) {
    // Opened first by hand, for the plain errors of the system.
    _ = try InputFile.firstByte(path: path)
    var info = SF_INFO()
    guard let file = sf_open(path, Int32(SFM_READ), &info) else {
      throw FileError(
        .malformed, file: path, "not a sound file (\(String(cString: sf_strerror(nil))))")
    }
    defer { sf_close(file) }
    let channels = Int(info.channels)
    try Sound.checkIsWhole(file, info, path: path)
    guard info.frames > 0 else { throw FileError(.malformed, file: path, "holds no sound") }
    guard info.frames <= Self.longest / channels else {
      throw FileError(
        .unsupported, file: path, "\(info.frames) frames of \(channels) channels are too many")
    }
    guard Self.sampleRates.contains(Int(info.samplerate)) else {
      throw FileError(
        .unsupported, file: path,
        "\(info.samplerate) Hz is outside \(Self.sampleRates.lowerBound) to "
          + "\(Self.sampleRates.upperBound)")
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
    sampleRate = Int(info.samplerate)
    channelCount = channels
    samples = frames
  }
}
