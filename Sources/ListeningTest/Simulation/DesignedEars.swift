import Aurient
import Files
import FoundationEssentials
import HRTF

/// The sets behind the names that a test's conditions have for them, from the design that its manifest keeps.
struct DesignedEars {
  /// A set and what the design changes of it.
  struct Ears: Decodable {
    var id: String
    /// A name of the catalogue, or a SOFA file.
    var set: String
    var equalize: String?
    var head_circumference_cm: Double?
    var near_field: Bool?
    var fix_mirror: Bool?

    init(id: String, set: String) { (self.id, self.set) = (id, set) }

    var fitting: HRTFFitting {
      var fitting = HRTFFitting(
        equalization: equalize.flatMap { .init(rawValue: $0) } ?? .none,
        headCircumference: head_circumference_cm, isNearField: near_field ?? false)
      fitting.isMirrorFixed = fix_mirror ?? false
      return fitting
    }
  }

  private struct Manifest: Decodable {
    struct Header: Decodable { var design: String }
    var header: Header
    /// The sets' names in the catalogue or whole paths, by the names that conditions have for them.
    var hrtf_sets: [String: String]?
  }

  private struct Design: Decodable { var hrtfs: [Ears]? }

  private var ears: [Ears] = []
  private let folder: String

  /// Reads the manifest beside a test; without one each name is taken as a set's own.
  ///
  /// - Throws: `FileError` if there is one that cannot be read.
  init(_ test: TestFolder) throws(FileError) {
    folder = test.folder
    let path = test.folder + "/manifest.json"
    do throws(FileError) {
      let manifest: Manifest = try decodeJSON(path: path, as: "a manifest", limit: 1 << 30)
      guard
        let design = try? JSONDecoder().decode(
          Design.self, from: Data(manifest.header.design.utf8))
      else {
        throw FileError(
          .malformed, file: path, place: "header design", "is not a listening test's design")
      }
      ears = (design.hrtfs ?? []).map { designed in
        var ears = designed
        if let set = manifest.hrtf_sets?[ears.id] { ears.set = set }
        return ears
      }
    } catch {
      guard error.code == .notFound else { throw error }
    }
  }

  /// The set of a name. A file is looked for from here and from the test's folder.
  func ears(_ name: String) -> Ears {
    var ears = self.ears.first { $0.id == name } ?? Ears(id: name, set: name)
    if ears.set.hasSuffix(".sofa"), !ears.set.hasPrefix("/"),
      (try? InputFile.firstByte(path: ears.set)) == nil
    {
      ears.set = folder + "/" + ears.set
    }
    return ears
  }
}
