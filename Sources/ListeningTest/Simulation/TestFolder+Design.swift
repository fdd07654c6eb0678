import Aurient
import Files

extension TestFolder {
  private struct Manifest: Decodable {
    struct Header: Decodable { var design: String }
    var header: Header
  }

  /// The design that the test's manifest keeps, its files' names relative to this folder; nil for a test without
  /// manifest.
  ///
  /// - Throws: `FileError` if there is one that cannot be read.
  func design() throws(FileError) -> ListeningDesign? {
    let path = "\(folder)/\(BuildFolder.manifestName)"
    let manifest: Manifest
    do throws(FileError) {
      manifest = try decodeJSON(path: path, as: "a manifest", limit: 1 << 30)
    } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
    return try ListeningDesign(Array(manifest.header.design.utf8), path: path)
  }
}
