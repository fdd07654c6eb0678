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

  /// The data sets of a SOFA file, or the ready-made one of a MinPHR file; converted and stored first
  /// if they are not there yet.
  ///
  /// - Parameters:
  ///   - rate: Hz, to which a SOFA file is converted; nil for its own. A ready-made file keeps its
  ///     own.
  ///   - nearField: Whether distances nearer than measured are made up.
  ///   - layout: How a file of several distances is laid out; ready-made files of the version MinPHR03
  ///     need `.fields`.
  /// - Returns: A data set for each distance, the nearest first; one for all with `.fields`.
  /// - Throws: `FileError` if the file cannot be read, or a data set not written.
  public func dataSets(
    for path: String, sampleRate rate: Int? = nil, nearField: Bool = false,
    layout: OpenALDataSet.Layout = .single
  ) throws(FileError) -> [DistanceDataSet] {
    let content = try InputFile.bytes(path: path, limit: 1 << 32)
    let hash = contentHash(content, seed: Self.converterVersion)
    if content.starts(with: Array("MinPHR".utf8)) {
      let name = Self.prefix + hash
      if isStored(name) { return [DistanceDataSet(name: name)] }
      if let fault = OpenALDataSet.fault(in: content, layout: layout) {
        throw FileError(.malformed, file: path, fault)
      }
      try store(content, name)
      return [DistanceDataSet(name: name)]
    }
    let name =
      Self.attenuatedPrefix + hash + (rate.map { "-\($0)" } ?? "") + (nearField ? "-near" : "")
    // One distance is one data set in any layout.
    if isStored(name) { return [DistanceDataSet(name: name)] }
    let fieldsName = name + "-all"
    switch layout {
    case .fields: if isStored(fieldsName) { return [DistanceDataSet(name: fieldsName)] }
    case .single:
      let stored = DistanceDataSet.stored(name, in: folder)
      if !stored.isEmpty, stored.allSatisfy({ isStored($0.name) }) { return stored }
    }
    let sets = OpenALDataSet.converting(
      try SOFAFile(path: path).responses, sampleRate: rate, nearField: nearField, layout: layout)
    if layout == .fields, sets.count > 1, !OpenALDataSet.areFields(sets) {
      // More distances than one data set holds.
      return try dataSets(for: path, sampleRate: rate, nearField: nearField, layout: .single)
    }
    return try store(sets, name, fieldsName: layout == .fields ? fieldsName : nil)
  }

  /// Stores the data sets of a file, the nearest first: as one with fields where that has a name.
  private func store(
    _ sets: [OpenALDataSet], _ name: String, fieldsName: String?
  ) throws(FileError) -> [DistanceDataSet] {
    // Louder than 12 dB over full scale no head is; such a set plays at that. All distances are lowered
    // alike.
    let peak = sets.reduce(Self.gain(of: Self.attenuatedPrefix)) { max($0, $1.peak) }
    let lowered = sets.map { $0.attenuated(by: peak) }
    if lowered.count == 1 {
      try store(lowered[0].minPHR02, name)
      return [DistanceDataSet(name: name)]
    }
    if let fieldsName {
      try store(OpenALDataSet.minPHR03(lowered), fieldsName)
      return [DistanceDataSet(name: fieldsName)]
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
