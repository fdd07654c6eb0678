import Files
import Glibc
import HRTF

/// What a build is made from: two of equal plans give the same bytes, and only parts of equal plans are put
/// together.
struct BuildHeader: Sendable {
  /// A file that went into it.
  struct Input: Equatable, Sendable {
    var role: String
    /// Without its folder.
    var file: String
    var hash: String
  }

  /// The versions of Aurient and of OpenAL Soft.
  var version, engine: String
  /// Hz.
  var sampleRate: Int
  /// Metres at which each set's stimuli are heard where the design names none.
  var usualDistances: [Double]
  var inputs: [Input]
  /// The design's own text.
  var design: String
  /// What the sets are, in the design's order: names of the catalogue, or absolute paths, which may differ
  /// where parts are built on several machines.
  var sets: [(id: String, name: String)]
  /// What can be built but may not be meant, each with its place in the design.
  var warnings: [String]

  /// The hash by which it is told from others.
  var plan: String { contentHash(Array(json.utf8)) }

  /// The sets as JSON.
  var setsJSON: String {
    "{\(sets.map { "\(jsonText($0.id)):\(jsonText($0.name))" }.joined(separator: ","))}"
  }

  /// One line of JSON, all but the sets.
  var json: String {
    let files = inputs.map {
      "{\"role\":\(jsonText($0.role)),\"file\":\(jsonText($0.file)),\"hash\":\"\($0.hash)\"}"
    }
    return "{\"aurient\":\(jsonText(version)),\"openal\":\(jsonText(engine))"
      + ",\"sample_rate_hz\":\(sampleRate),\"usual_distances_m\":"
      + "[\(usualDistances.map(short).joined(separator: ","))],\"inputs\":[\(files.joined(separator: ","))]"
      + (warnings.isEmpty
        ? "" : ",\"warnings\":[\(warnings.map { jsonText($0) }.joined(separator: ","))]")
      + ",\"design\":\(jsonText(design))}"
  }

  init(_ material: StimulusMaterial, version: String, engine: String) throws(FileError) {
    self.version = version
    self.engine = engine
    sampleRate = material.sampleRate
    usualDistances = material.grids.map(\.usualDistance)
    warnings = material.warnings
    inputs = []
    var hashes: [String: String] = [:]
    for input in material.inputs {
      let hash: String
      if let known = hashes[input.path] {
        hash = known
      } else {
        hash = try contentHash(ofFile: input.path)
        hashes[input.path] = hash
      }
      let name = input.path.split(separator: "/").last.map(String.init) ?? input.path
      inputs.append(Input(role: input.role, file: name, hash: hash))
    }
    design = String(
      decoding: try InputFile.bytes(path: material.design.path, limit: 1 << 26), as: UTF8.self)
    sets = material.design.ears.map { ears in
      guard let path = realpath(ears.set, nil) else { return (ears.id, ears.set) }
      defer { free(path) }
      return (ears.id, String(cString: path))
    }
  }

  init(_ place: JSONPlace, sets: JSONPlace) throws(FileError) {
    version = try place.required("aurient").text()
    engine = try place.required("openal").text()
    sampleRate = try place.required("sample_rate_hz").whole(1...1_000_000)
    usualDistances = []
    for item in try place.required("usual_distances_m").list() {
      usualDistances.append(try item.number(0...1e6))
    }
    inputs = []
    for item in try place.required("inputs").list() {
      inputs.append(
        Input(
          role: try item.required("role").text(), file: try item.required("file").text(),
          hash: try item.required("hash").text()))
    }
    warnings = []
    if let list = place.optional("warnings") {
      for item in try list.list() { warnings.append(try item.text()) }
    }
    design = try place.required("design").text()
    self.sets = []
    guard case .object(let members) = sets.value else { throw sets.fault("is not an object") }
    for (id, _) in members { self.sets.append((id, try sets.required(id).text())) }
  }
}

/// Which part of a test's stimuli is built, 1 of 1 for all.
public struct Shard: Equatable, Sendable, CustomStringConvertible {
  /// From 1.
  public let index: Int
  /// Of how many.
  public let count: Int

  /// Parts at the most.
  public static let greatestCount = 100_000

  /// Nil if the part is none of so many.
  public init?(index: Int, count: Int) {
    guard (1...Self.greatestCount).contains(count), (1...count).contains(index) else { return nil }
    self.index = index
    self.count = count
  }

  /// The whole.
  public static let whole = Shard(unchecked: 1, of: 1)

  private init(unchecked index: Int, of count: Int) {
    self.index = index
    self.count = count
  }

  /// As `--shard` takes it, `3/16`.
  public var description: String { "\(index)/\(count)" }

  /// Whether a stimulus is of the part: every `count`-th, so that all parts take as long.
  func contains(_ number: Int) -> Bool { number % count == index - 1 }
}
