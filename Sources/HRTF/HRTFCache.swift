public import Files
import Glibc

/// Data sets for OpenAL, made once from each SOFA file and kept.
///
/// A data set's name is a hash of the file's content and of the converter's version: a changed file
/// or converter never meets an old data set, whether in the cache or in OpenAL, which keeps what it
/// has loaded by name.
public struct HRTFCache: Sendable {
  /// Changed with every change of what the converter makes of the same file.
  static let converterVersion = 13

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

  /// The data sets of a SOFA file, or the ready-made one of a MinPHR file; converted and stored first
  /// if they are not there yet.
  ///
  /// - Parameters:
  ///   - rate: Hz, to which a SOFA file is converted; nil for its own. A ready-made file keeps its
  ///     own.
  ///   - fitting: What is changed of a SOFA file's responses.
  ///   - layout: How a file of several distances is laid out; ready-made files of the version MinPHR03
  ///     need `.fields`.
  /// - Returns: A data set for each distance, the nearest first; one for all with `.fields`.
  /// - Throws: `FileError` if the file cannot be read or changed so, or a data set not written.
  public func dataSets(
    for path: String, sampleRate rate: Int? = nil, fitting: HRTFFitting = HRTFFitting(),
    layout: OpenALDataSet.Layout = .single
  ) throws(FileError) -> [DistanceDataSet] {
    try InputFile.checkIsRegular(path: path)
    let hash = try contentHash(ofFile: path, seed: Self.converterVersion)
    if try InputFile.beginning(path: path, count: 6).bytes == Array("MinPHR".utf8) {
      return [try readyMade(path, Self.prefix + hash, fitting: fitting, layout: layout)]
    }
    let own = Self.attenuatedPrefix + hash + fitting.suffix
    let other = Self.attenuatedPrefix + hash + (rate.map { "-\($0)" } ?? "") + fitting.suffix
    if let stored = stored(own, layout: layout),
      rate == nil || rate == (try? sampleRate(of: stored[0].name))
    {
      return stored
    }
    if rate != nil, let stored = stored(other, layout: layout) { return stored }
    let responses = try SOFAFile(path: path).responses.fitted(fitting, path: path)
    // Asked for by its number, the file's own rate is the same data set.
    let name = rate == Int(responses.sampleRate.rounded()) ? own : other
    let sets = OpenALDataSet.converting(
      responses, sampleRate: rate, fitting: fitting, layout: layout)
    if layout == .fields, sets.count > 1, !OpenALDataSet.areFields(sets) {
      // More distances than one data set holds.
      return try dataSets(for: path, sampleRate: rate, fitting: fitting, layout: .single)
    }
    // Before the data sets, which are not made again once they are there.
    try UserFolders.make(folder)
    if responses.isMirrored == true { try OutputFile.write([], to: mirroredPath(name)) }
    try OutputFile.write(MeasuredPart(of: responses).bytes, to: measuredPartPath(name))
    return try store(sets, name, layout: layout)
  }

  /// The data set of a file that OpenAL can read as it is.
  private func readyMade(
    _ path: String, _ name: String, fitting: HRTFFitting, layout: OpenALDataSet.Layout
  ) throws(FileError) -> DistanceDataSet {
    guard fitting == HRTFFitting() else {
      throw FileError(
        .unsupported, file: path,
        "is ready-made, not a SOFA file, which could be equalised, scaled to a head or brought near"
      )
    }
    if isStored(name) { return DistanceDataSet(name: name) }
    let content = try InputFile.bytes(path: path, limit: 1 << 26)
    if let fault = OpenALDataSet.fault(in: content, layout: layout) {
      throw FileError(.malformed, file: path, fault)
    }
    try store(content, name)
    return DistanceDataSet(name: name)
  }

  /// The data sets of a name that are there, all of them or none.
  private func stored(_ name: String, layout: OpenALDataSet.Layout) -> [DistanceDataSet]? {
    guard measuredPart(of: DistanceDataSet(name: name)) != nil else { return nil }
    // One distance is one data set in any layout.
    if isStored(name) { return [DistanceDataSet(name: name)] }
    switch layout {
    case .fields:
      let all = DistanceDataSet(allOf: name)
      return isStored(all.name) ? [all] : nil
    case .single:
      let several = DistanceDataSet.stored(name, in: folder)
      return !several.isEmpty && several.allSatisfy { isStored($0.name) } ? several : nil
    }
  }

  /// Stores the data sets of a file, the nearest first.
  private func store(
    _ sets: [OpenALDataSet], _ name: String, layout: OpenALDataSet.Layout
  ) throws(FileError) -> [DistanceDataSet] {
    // Louder than 12 dB over full scale no head is; such a set plays at that. All distances are lowered
    // alike.
    let peak = sets.reduce(Self.gain(of: Self.attenuatedPrefix)) { max($0, $1.peak) }
    let lowered = sets.map { $0.attenuated(by: peak) }
    if lowered.count == 1 {
      try store(lowered[0].minPHR02, name)
      return [DistanceDataSet(name: name)]
    }
    if layout == .fields {
      let all = DistanceDataSet(allOf: name)
      try store(OpenALDataSet.minPHR03(lowered), all.name)
      return [all]
    }
    var stored: [DistanceDataSet] = []
    for (index, set) in lowered.enumerated() {
      let dataSet = DistanceDataSet(
        name, index: index, count: lowered.count, distance: set.distance)
      try store(set.minPHR02, dataSet.name)
      stored.append(dataSet)
    }
    return stored
  }

  /// Whether a data set is there; one that a fault of the disk has cut short or emptied is made again.
  private func isStored(_ name: String) -> Bool { (try? sampleRate(of: name)) != nil }

  private func store(_ bytes: [UInt8], _ name: String) throws(FileError) {
    try UserFolders.make(folder)
    try OutputFile.write(bytes, to: "\(folder)/\(name).mhr")
  }

  private func mirroredPath(_ name: String) -> String { "\(folder)/\(name).mirrored" }

  /// Whether left and right of a data set are exchanged, as far as can be told of its SOFA file.
  public func isMirrored(_ dataSet: DistanceDataSet) -> Bool {
    access(mirroredPath(dataSet.base), F_OK) == 0
  }

  private func measuredPartPath(_ name: String) -> String { "\(folder)/\(name).measured" }

  /// The part of the sphere that the SOFA file behind a data set measures; nil for a ready-made one,
  /// which does not tell.
  public func measuredPart(of dataSet: DistanceDataSet) -> MeasuredPart? {
    (try? InputFile.bytes(path: measuredPartPath(dataSet.base), limit: 1 << 16)).flatMap {
      MeasuredPart(bytes: $0)
    }
  }

  /// The sampling rate of a data set that `dataSets(for:)` gave.
  ///
  /// - Throws: `FileError` if it is no longer there.
  public func sampleRate(of name: String) throws(FileError) -> Int {
    let path = "\(folder)/\(name).mhr"
    let (bytes, byteCount) = try InputFile.beginning(path: path, count: 4096)
    if let fault = OpenALDataSet.fault(in: bytes, byteCount: byteCount, layout: .fields) {
      throw FileError(.malformed, file: path, fault)
    }
    return (0..<4).reduce(0) { $0 | Int(bytes[8 + $1]) << (8 * $1) }
  }
}
