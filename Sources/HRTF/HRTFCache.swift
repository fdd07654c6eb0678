public import Files

/// Data sets for OpenAL, made once from each SOFA file and kept.
///
/// A data set's name is a hash of the file's content and of the converter's version: a changed file
/// or converter never meets an old data set, whether in the cache or in OpenAL, which keeps what it
/// has loaded by name.
public struct HRTFCache: Sendable {
  /// Changed with every change of what the converter makes of the same file.
  static let converterVersion = 8

  private static let prefix = "aurient-"
  private static let attenuatedPrefix = "aurient-x4-"

  /// The factor by which OpenAL's output must be raised to be as loud as measured.
  ///
  /// OpenAL's taps reach up to 1, measured ones often further: converted sets are stored 12 dB lower,
  /// which leaves 22 bits.
  public static func gain(of name: String) -> Float { name.hasPrefix(attenuatedPrefix) ? 4 : 1 }

  /// Whether a name that OpenAL lists is that of a data set of a cache.
  public static func isCached(_ name: String) -> Bool { name.hasPrefix(prefix) }

  /// Where the data sets are.
  public var folder: String

  /// The cache of the user.
  public init() { folder = UserFolders.cache + "/hrtf" }

  /// The cache in a folder.
  public init(folder: String) { self.folder = folder }

  /// The name under which OpenAL finds the data set of a SOFA or MinPHR02 file; converted and stored
  /// first if it is not there yet.
  ///
  /// - Throws: `FileError` if the file cannot be read, or the data set not written.
  public func name(for path: String) throws(FileError) -> String {
    let content = try InputFile.bytes(path: path, limit: 1 << 32)
    let isReady = content.starts(with: Array("MinPHR".utf8))
    let name =
      (isReady ? Self.prefix : Self.attenuatedPrefix)
      + contentHash(content, seed: Self.converterVersion)
    let place = "\(folder)/\(name).mhr"
    // A data set that a fault of the disk has cut short or emptied is made again.
    if let made = try? InputFile.bytes(path: place, limit: 1 << 32),
      OpenALDataSet.fault(inMinPHR02: made) == nil
    {
      return name
    }
    try UserFolders.make(folder)
    try OutputFile.write(Self.dataSet(content, isReady: isReady, path: path), to: place)
    return name
  }

  private static func dataSet(
    _ content: [UInt8], isReady: Bool, path: String
  ) throws(FileError) -> [UInt8] {
    guard isReady else {
      let set = OpenALDataSet(converting: try SOFAFile(path: path).responses)
      // Louder than 12 dB over full scale no head is; such a set plays at that.
      return set.attenuated(by: max(gain(of: attenuatedPrefix), set.peak)).minPHR02
    }
    if let fault = OpenALDataSet.fault(inMinPHR02: content) {
      throw FileError(.malformed, file: path, fault)
    }
    return content
  }

  /// The sampling rate of a data set that `name(for:)` gave.
  ///
  /// - Throws: `FileError` if it is no longer there.
  public func sampleRate(of name: String) throws(FileError) -> Int {
    let path = "\(folder)/\(name).mhr"
    let bytes = try InputFile.bytes(path: path, limit: 1 << 32)
    if let fault = OpenALDataSet.fault(inMinPHR02: bytes) {
      throw FileError(.malformed, file: path, fault)
    }
    return (0..<4).reduce(0) { $0 | Int(bytes[8 + $1]) << (8 * $1) }
  }
}
