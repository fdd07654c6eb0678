import Files
import HRTF

/// The sets behind the names that a test's conditions have for them, from the design that its manifest keeps.
struct DesignedEars {
  private let ears: [ListeningDesign.Ears]
  private let folder: String

  /// Reads the design of a test; without one each name is taken as a set's own.
  ///
  /// - Throws: `FileError` if there is one that cannot be read.
  init(_ test: TestFolder) throws(FileError) {
    folder = test.folder + "/"
    ears = try test.design()?.ears ?? []
  }

  /// The set of a name. A file is looked for from here and from the test's folder.
  func ears(_ name: String) -> ListeningDesign.Ears {
    var ears =
      self.ears.first { $0.id == name }
      ?? ListeningDesign.Ears(id: name, set: name, fitting: HRTFFitting())
    let set = ears.set.hasPrefix(folder) ? String(ears.set.dropFirst(folder.count)) : ears.set
    if set.hasSuffix(".sofa"), !set.hasPrefix("/") {
      ears.set = (try? InputFile.firstByte(path: set)) == nil ? folder + set : set
    }
    return ears
  }
}
