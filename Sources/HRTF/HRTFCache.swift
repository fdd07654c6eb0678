public import Files

/// Data sets for OpenAL, made once from each SOFA file and kept.
///
/// A data set's name is a hash of the file's content and of the converter's version: a changed file
/// or converter never meets an old data set, whether in the cache or in OpenAL, which keeps what it
/// has loaded by name.
public struct HRTFCache: Sendable {
  /// Changed with every change of what the converter makes of the same file.
  static let converterVersion = 10

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
  /// - Parameter rate: Hz, to which a SOFA file is converted; nil for its own. A MinPHR02 file keeps
  ///   its own.
  /// - Throws: `FileError` if the file cannot be read, or the data set not written.
  public func name(for path: String, sampleRate rate: Int? = nil) throws(FileError) -> String {
    let content = try InputFile.bytes(path: path, limit: 1 << 32)
    let hash = contentHash(content, seed: Self.converterVersion)
    if content.starts(with: Array("MinPHR".utf8)) {
      return try store(Self.prefix + hash) { () throws(FileError) in
        guard let fault = OpenALDataSet.fault(inMinPHR02: content) else { return content }
        throw FileError(.malformed, file: path, fault)
      }
    }
    let ending = rate.map { "-\($0)" } ?? ""
    return try store(Self.attenuatedPrefix + hash + ending) { () throws(FileError) in
      let set = OpenALDataSet(
        converting: try SOFAFile(path: path).responses, sampleRate: rate)
      // Louder than 12 dB over full scale no head is; such a set plays at that.
      return set.attenuated(by: max(Self.gain(of: Self.attenuatedPrefix), set.peak)).minPHR02
    }
  }

  /// Stores what `make` makes under a name, unless it is there already.
  private func store(
    _ name: String, _ make: () throws(FileError) -> [UInt8]
  ) throws(FileError) -> String {
    // A data set that a fault of the disk has cut short or emptied is made again.
    if (try? sampleRate(of: name)) != nil { return name }
    let bytes = try make()
    try UserFolders.make(folder)
    try OutputFile.write(bytes, to: "\(folder)/\(name).mhr")
    return name
  }

  /// The sampling rate of a data set that `name(for:)` gave.
  ///
  /// - Throws: `FileError` if it is no longer there.
  public func sampleRate(of name: String) throws(FileError) -> Int {
    let path = "\(folder)/\(name).mhr"
    let (bytes, byteCount) = try InputFile.beginning(path: path, count: 256)
    if let fault = OpenALDataSet.fault(inMinPHR02: bytes, byteCount: byteCount) {
      throw FileError(.malformed, file: path, fault)
    }
    return (0..<4).reduce(0) { $0 | Int(bytes[8 + $1]) << (8 * $1) }
  }
}
