public import Files
import Glibc
import Navigation

extension BeaconStyle {
  /// Reads a style's description, `style.json` in a folder of its sounds.
  ///
  /// A JSON object with the keys `sampleRate` (Hz), `beat` (samples) and `regions`, a list from ahead
  /// to behind of objects with `region` (`on`, `near`, `beside`, `behind`), `file` and, for all but the
  /// last, `edge` (degrees); and, as far as there are such, `hysteresis` (degrees), `start`, `end` and
  /// `hum`. File names are relative to the description's folder. The sounds are not opened.
  ///
  /// - Parameter path: the description or its folder.
  /// - Throws: `FileError` naming the key that is missing, unknown or of the wrong kind, and for
  ///   regions that don't fit their edges.
  public init(path: String) throws(FileError) {
    let path = path.hasSuffix(".json") ? path : path + "/style.json"
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    func beside(_ name: String) -> String { name.hasPrefix("/") ? name : folder + name }
    let file: StyleFile = try decodeJSON(path: path, as: "a beacon style")
    let edges = file.regions.dropLast().compactMap(\.edge)
    guard edges.count == file.regions.count - 1, file.regions.last?.edge == nil,
      let division = AngularRegions(
        edges: edges, hysteresis: file.hysteresis ?? AngularRegions.usualHysteresis)
    else {
      throw FileError(
        .malformed, file: path, place: "regions",
        "two to four, each but the last with an edge; edges rise, between 0 and 180 degrees and further "
          + "apart than twice the hysteresis")
    }
    guard division.regions == file.regions.map(\.region) else {
      let names = division.regions.map(\.rawValue).joined(separator: ", ")
      throw FileError(
        .malformed, file: path, place: "regions",
        "\(division.regions.count) regions are \(names), in this order")
    }
    let parts = folder.split(separator: "/").filter { $0 != "." }
    self.init(
      name: parts.last.map(String.init) ?? "style", sampleRate: file.sampleRate, beat: file.beat,
      loops: file.regions.map { Loop(region: $0.region, file: beside($0.file)) },
      division: division, start: file.start.map(beside), end: file.end.map(beside),
      hum: file.hum.map(beside))
  }

  /// Finds a style by its name among those that ship, or by the path of its description or folder.
  ///
  /// - Throws: `FileError` if there is none, or as `init(path:)` does.
  public init(named request: String) throws(FileError) {
    try self.init(path: try Self.path(named: request))
  }

  /// The path that a request for a style means, which `init(path:)` reads.
  ///
  /// - Throws: `FileError` if there is no style of this name.
  static func path(named request: String) throws(FileError) -> String {
    if request.contains("/") || request.hasSuffix(".json")
      || !Self.shipped.contains(request) && access(request + "/style.json", F_OK) == 0
    {
      return request
    } else if Self.shipped.contains(request), let folder = DataFolder.path {
      return "\(folder)/Sounds/\(request)"
    } else {
      let names = Self.shipped.joined(separator: ", ")
      throw FileError(
        .notFound, file: request,
        "no beacon style of this name; there are \(names), or name a folder")
    }
  }
}

/// A style's description as it stands.
private struct StyleFile: Decodable {
  struct Region: Decodable {
    var region: BeaconRegion
    var file: String
    var edge: Double?

    enum CodingKeys: String, CodingKey, CaseIterable { case region, file, edge }

    init(from decoder: any Decoder) throws {
      try decoder.refuseKeys(besides: CodingKeys.self)
      let values = try decoder.container(keyedBy: CodingKeys.self)
      let name = try values.decode(String.self, forKey: .region)
      guard let region = BeaconRegion(rawValue: name) else {
        let names = BeaconRegion.allCases.map(\.rawValue).joined(separator: ", ")
        throw decoder.corrupted("region \"\(name)\" is none of \(names)")
      }
      self.region = region
      file = try values.decode(String.self, forKey: .file)
      edge = try values.decodeIfPresent(Double.self, forKey: .edge)
    }
  }

  var sampleRate: Int
  var beat: Int
  var regions: [Region]
  var hysteresis: Double?
  var start: String?
  var end: String?
  var hum: String?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case sampleRate, beat, regions, hysteresis, start, end, hum
  }

  init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: CodingKeys.self)
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func whole(_ key: CodingKeys, _ range: ClosedRange<Int>) throws -> Int {
      let number = try values.decode(Double.self, forKey: key)
      guard let whole = Int(exactly: number), range.contains(whole) else {
        throw decoder.corrupted(
          "\(key.rawValue) \(number) is not a whole number from \(range.lowerBound) to "
            + "\(range.upperBound)")
      }
      return whole
    }
    sampleRate = try whole(.sampleRate, Scene.sampleRates)
    // From a hundredth of a second to a minute.
    beat = try whole(.beat, sampleRate / 100...sampleRate * 60)
    regions = try values.decode([Region].self, forKey: .regions)
    hysteresis = try values.decodeIfPresent(Double.self, forKey: .hysteresis)
    start = try values.decodeIfPresent(String.self, forKey: .start)
    end = try values.decodeIfPresent(String.self, forKey: .end)
    hum = try values.decodeIfPresent(String.self, forKey: .hum)
  }
}
