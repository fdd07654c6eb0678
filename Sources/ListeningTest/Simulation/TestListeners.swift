import Aurient
import Files
import HRTF

/// The model listeners of a test, one for each set whose templates are needed.
struct TestListeners: Sendable {
  /// The bands in which all sounds and sets can be heard.
  let bands: AuditoryBands
  private let listeners: [String: ModelListener]
  private let own: String?

  /// Reads the sets.
  ///
  /// - Parameter own: The set that all listen with; nil has each sound heard with the set that it was made with.
  /// - Throws: `FileError` or `EngineError` for a set that cannot be found or read.
  init(_ test: TestFolder, own: String?) throws {
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
    let design = try DesignedEars(test)
    let catalogue = HRTFCatalogue()
    var sets: [(name: String, set: HRIRSet)] = []
    if placing {
      for name in names.sorted() {
        let ears =
          own == nil
          ? design.ears(name) : ListeningDesign.Ears(id: name, set: name, fitting: HRTFFitting())
        let file = try catalogue.measurement(ears.set)
        sets.append((name, try file.responses.fitted(ears.fitting, path: file.path)))
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

  /// The listener of a condition.
  func listener(_ condition: [String: TestFolder.Value]?) -> ModelListener? {
    listeners[own ?? condition?["hrtf"]?.text ?? ""]
  }
}
