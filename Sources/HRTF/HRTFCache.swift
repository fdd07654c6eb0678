public import Files

/// Data sets for OpenAL, made once from each SOFA file and kept.
///
/// A data set's name is a hash of the file's content and of the converter's version: a changed file
/// or converter never meets an old data set, whether in the cache or in OpenAL, which keeps what it
/// has loaded by name.
public struct HRTFCache: Sendable {
  /// Changed with every change of what the converter makes of the same file.
  static let converterVersion = 11

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
  /// - Parameters:
  ///   - rate: Hz, to which a SOFA file is converted; nil for its own. A MinPHR02 file keeps its own.
  ///   - fitting: What is changed of a SOFA file's responses.
  /// - Throws: `FileError` if the file cannot be read or changed so, or the data set not written.
  public func name(
    for path: String, sampleRate rate: Int? = nil, fitting: HRTFFitting = HRTFFitting()
  ) throws(FileError) -> String {
    let hash = try contentHash(ofFile: path, seed: Self.converterVersion)
    if try InputFile.beginning(path: path, count: 6).bytes == Array("MinPHR".utf8) {
      guard fitting == HRTFFitting() else {
        throw FileError(
          .unsupported, file: path,
          "is ready-made, not a SOFA file, which could be equalised or scaled to a head")
      }
      let content = try InputFile.bytes(path: path, limit: 1 << 26)
      return try store(Self.prefix + hash) { () throws(FileError) in
        guard let fault = OpenALDataSet.fault(inMinPHR02: content) else { return content }
        throw FileError(.malformed, file: path, fault)
      }
    }
    let ending = rate.map { "-\($0)" } ?? ""
    let name = Self.attenuatedPrefix + hash + ending + fitting.suffix
    return try store(name) { () throws(FileError) in
      let responses = try SOFAFile(path: path).responses.fitted(fitting, path: path)
      // Before the data set, which is not made again once it is there.
      try UserFolders.make(folder)
      try OutputFile.write(MeasuredPart(of: responses).bytes, to: measuredPartPath(name))
      let set = OpenALDataSet(converting: responses, sampleRate: rate)
      // Louder than 12 dB over full scale no head is; such a set plays at that.
      return set.attenuated(by: max(Self.gain(of: Self.attenuatedPrefix), set.peak)).minPHR02
    }
  }

  /// Stores what `make` makes under a name, unless it is there already.
  private func store(
    _ name: String, _ make: () throws(FileError) -> [UInt8]
  ) throws(FileError) -> String {
    // A data set that a fault of the disk has cut short or emptied is made again.
    let isWhole = !name.hasPrefix(Self.attenuatedPrefix) || measuredPart(of: name) != nil
    if isWhole, (try? sampleRate(of: name)) != nil { return name }
    let bytes = try make()
    try UserFolders.make(folder)
    try OutputFile.write(bytes, to: "\(folder)/\(name).mhr")
    return name
  }

  private func measuredPartPath(_ name: String) -> String { "\(folder)/\(name).measured" }

  /// The part of the sphere that the SOFA file behind a data set measures; nil for a ready-made one,
  /// which does not tell.
  public func measuredPart(of name: String) -> MeasuredPart? {
    (try? InputFile.bytes(path: measuredPartPath(name), limit: 1 << 16)).flatMap {
      MeasuredPart(bytes: $0)
    }
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
