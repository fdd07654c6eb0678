import Aurient
import Files
import HRTF

/// The model listeners of a test, one for each set whose templates are needed.
struct TestListeners: Sendable {
  /// The bands in which all sounds and sets can be heard.
  let bands: AuditoryBands
  private let listeners: [String: ModelListener]
  private let own: String?

  /// What the manifest says of the sets behind the names in conditions.
  private struct Manifest: Decodable {
    var hrtf_sets: [String: String]?
  }

  /// Reads the sets.
  ///
  /// - Parameter own: The set that all listen with; nil has each sound heard with the set that it was made with.
  /// - Throws: `FileError` or `EngineError` for a set that cannot be found or read.
  init(_ test: BuiltTest, own: String?) throws {
    self.own = own
    let placing = test.type != .abx && test.type != .preference
    var names: Set<String> = []
    if let own {
      names = [own]
    } else if placing {
      for participant in test.participants {
        names.formUnion((participant.trials ?? []).compactMap { $0.condition?["hrtf"]?.text })
        names.formUnion((participant.tracks ?? []).compactMap { $0.condition?["hrtf"]?.text })
      }
      guard !names.isEmpty else {
        throw FileError(
          .unsupported, file: test.folder + "/test.json",
          "its conditions name no hrtf: name the listener's with --own")
      }
    }
    let manifest = try Self.manifest(test)
    let catalogue = HRTFCatalogue()
    var sets: [(name: String, set: HRIRSet)] = []
    if placing {
      for name in names.sorted() {
        let request = name == own ? name : Self.request(name, manifest, test)
        sets.append((name, try catalogue.measurement(request).responses))
      }
    }
    let rate = try StimulusCues.sampleRate(test)
    let bands = AuditoryBands(
      sampleRate: sets.reduce(rate) { min($0, $1.set.sampleRate) })
    self.bands = bands
    let isPlanar = test.response?.kind == "horizontal"
    // Just noticeable angles are finer than the templates of a sphere of 2000.
    let count = test.type == .minimumAudibleAngle ? 6000 : 2000
    listeners = Dictionary(
      sets.map { name, set in
        (name, ModelListener(set, bands: bands, plane: isPlanar, count: count))
      }, uniquingKeysWith: { $1 })
  }

  private static func manifest(_ test: BuiltTest) throws(FileError) -> [String: String] {
    let path = test.folder + "/manifest.json"
    do throws(FileError) {
      let manifest: Manifest = try decodeJSON(path: path, as: "a manifest", limit: 1 << 30)
      return manifest.hrtf_sets ?? [:]
    } catch {
      guard error.code == .notFound else { throw error }
      return [:]
    }
  }

  /// A set's name or file; one that is not to be found from here may be meant from the test's folder.
  private static func request(
    _ name: String, _ manifest: [String: String], _ test: BuiltTest
  ) -> String {
    let named = manifest[name] ?? name
    let inFolder = test.folder + "/" + named
    return named.hasSuffix(".sofa") && !named.hasPrefix("/")
      && (try? InputFile.firstByte(path: inFolder)) != nil ? inFolder : named
  }

  /// The listener of a condition.
  func listener(_ condition: [String: BuiltTest.Value]?) -> ModelListener? {
    listeners[own ?? condition?["hrtf"]?.text ?? ""]
  }
}
