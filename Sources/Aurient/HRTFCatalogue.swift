import Files
import Glibc
public import HRTF
public import SpatialAudio

/// The data sets that can be asked for by name, and what OpenAL is told to get one.
public struct HRTFCatalogue: Sendable {
  /// A data set that ships with Aurient.
  public struct Entry: Equatable, Sendable {
    /// Its name, the file's without the ending.
    public var name: String
    /// The SOFA file.
    public var path: String
  }

  /// A data set that OpenAL can be told to use.
  public struct Selection: Equatable, Sendable {
    /// What OpenAL lists: one data set, or one a distance, the nearest first.
    public var dataSets: [DistanceDataSet]
    /// Hz. Nil for a set of the user's or the system's own, whose rate OpenAL does not tell.
    public var sampleRate: Int?
    /// What people call it: its name in the catalogue or in OpenAL, or its file.
    public var title: String
    /// The part of the sphere that its file measures; nil for a set that is not made of a SOFA file.
    public var measuredPart: MeasuredPart?
    /// Whether its left and right are exchanged, as far as can be told.
    public var isMirrored = false
  }

  /// The data sets that ship, by name.
  public var entries: [Entry]
  private var cache: HRTFCache

  /// The catalogue of the data sets in a folder, and the cache for what OpenAL needs of them.
  public init(folder: String? = DataFolder.path.map { $0 + "/HRTF" }, cache: HRTFCache = .init()) {
    self.cache = cache
    entries = []
    guard let folder else { return }
    for name in Folder.names(in: folder) ?? [] where name.hasSuffix(".sofa") {
      entries.append(Entry(name: String(name.dropLast(5)), path: "\(folder)/\(name)"))
    }
    entries.sort { $0.name < $1.name }
  }

  /// Tells OpenAL of the data sets, and how far ahead devices are to mix that play; must come before the
  /// process's first OpenAL call. Later calls do nothing.
  ///
  /// - Throws: `FileError` if the configuration cannot be written.
  public func prepare(latency: LatencyPreset?) throws(FileError) {
    try OpenALConfiguration.prepare(cache: cache, latency: latency)
  }

  /// Finds a data set, converts it if need be, and prepares OpenAL for it.
  ///
  /// - Parameters:
  ///   - request: A name of this catalogue or the start of just one, in any case; a path of a SOFA or
  ///     MinPHR02 file; the name of one of OpenAL's own sets; or nil for the set that ships for the
  ///     rate.
  ///   - sampleRate: Hz, to which a SOFA file is converted, or nil for the set's own.
  ///   - fitting: What is changed of a SOFA file's responses.
  /// - Throws: `FileError` or `EngineError` if there is no such set, it cannot be used or changed so, or
  ///   it is ready-made for another rate.
  public func select(
    _ request: String?, sampleRate: Int?, fitting: HRTFFitting = HRTFFitting()
  ) throws -> Selection {
    try OpenALConfiguration.prepare(cache: cache)
    guard let file = try file(for: request, sampleRate: sampleRate) else {
      guard let request else {
        throw EngineError(
          .hrtf,
          "the data sets that ship are not beside the program: name a SOFA file, or set AURIENT_DATA to "
            + "the folder that holds HRTF and Sounds")
      }
      let selection = try ownSet(request)
      guard fitting == HRTFFitting() else {
        throw EngineError(
          .hrtf,
          "the HRTF data set \"\(request)\" is OpenAL's own; name a SOFA file, which can be equalised or "
            + "scaled to a head")
      }
      return selection
    }
    let dataSets = try cache.dataSets(
      for: file.path, sampleRate: sampleRate, fitting: fitting,
      layout: OpenALLibrary.takesFields ? .fields : .single)
    let rate = try cache.sampleRate(of: dataSets[0].name)
    guard sampleRate == nil || sampleRate == rate else {
      throw FileError(
        .unsupported, file: file.path,
        "is of \(rate) Hz, not of the \(sampleRate ?? 0) asked for, and not a SOFA file, which could be "
          + "converted")
    }
    return Selection(
      dataSets: dataSets, sampleRate: rate, title: file.name,
      measuredPart: cache.measuredPart(of: dataSets[0]),
      isMirrored: cache.isMirrored(dataSets[0]))
  }

  /// The measured responses that a request means: a name of this catalogue or the start of just one, in
  /// any case, or the path of a SOFA file.
  ///
  /// - Throws: `EngineError` if there is no such set, `FileError` if its file cannot be read, or is a
  ///   ready-made data set.
  public func measurement(_ request: String) throws -> SOFAFile {
    guard let file = try file(for: request, sampleRate: nil) else {
      let names = entries.map(\.name).joined(separator: ", ")
      throw EngineError(
        .hrtf,
        "there is no measured HRTF set \"\(request)\"; there are \(names), or name a SOFA file")
    }
    return try SOFAFile(path: file.path)
  }

  /// The file that a request means; nil if it means none.
  private func file(for request: String?, sampleRate: Int?) throws(EngineError) -> Entry? {
    guard let request else {
      func shipped(_ rate: Int) -> Entry? { entries.first { $0.name.hasSuffix("-\(rate)") } }
      return shipped(sampleRate ?? Self.preferredRate) ?? shipped(Self.preferredRate)
    }
    if request.contains("/") || request.hasSuffix(".sofa") || request.hasSuffix(".mhr")
      || access(request, F_OK) == 0
    {
      return Entry(name: request, path: request)
    }
    let matches = entries.filter { $0.name.lowercased().hasPrefix(request.lowercased()) }
    let exact = matches.first { $0.name.lowercased() == request.lowercased() }
    guard exact != nil || matches.count <= 1 else {
      let names = matches.map(\.name).joined(separator: " or ")
      throw EngineError(.hrtf, "the HRTF data set \"\(request)\" may be \(names)")
    }
    return exact ?? matches.first
  }

  private static let preferredRate = 48_000

  /// The names of the data sets of the user and of the system that OpenAL finds.
  ///
  /// - Throws: `FileError` or `EngineError` if OpenAL cannot be asked.
  public func ownDataSets() throws -> [String] {
    try OpenALConfiguration.prepare(cache: cache)
    return try LoopbackDevice.dataSets().filter { !HRTFCache.isCached($0) }
  }

  /// What reaches the ears from a click in one direction, through the whole engine.
  ///
  /// - Throws: `EngineError` if the engine cannot use the data set.
  public func impulseResponse(
    _ selection: Selection, direction: SphericalDirection
  ) throws -> ImpulseResponse {
    try ImpulseResponse(
      dataSets: selection.dataSets, sampleRate: selection.sampleRate ?? Self.preferredRate,
      direction: direction)
  }

  private func ownSet(_ request: String) throws -> Selection {
    let own = try ownDataSets()
    guard own.contains(request) else {
      let names = (entries.map(\.name) + own).joined(separator: ", ")
      throw EngineError(
        .hrtf, "there is no HRTF data set \"\(request)\"; there are \(names), or name a file")
    }
    // OpenAL does not tell a set's rate; its own sets have it in their names.
    let rate = [44_100, 48_000].first { request.contains("\($0)") }
    return Selection(dataSets: [DistanceDataSet(name: request)], sampleRate: rate, title: request)
  }
}
