import Aurient
import Files
import Glibc

/// The participant's page: `index.html` and the files of the folder `page` beside it.
struct TestPage {
  /// Names below the folder, and contents.
  let files: [(name: String, bytes: [UInt8])]

  /// Bytes of one file at the most.
  private static let limit = 1 << 26

  /// Reads it from a folder; nil for the one that ships.
  ///
  /// - Throws: `FileError` if it is not there.
  init(folder: String?) throws(FileError) {
    guard let folder = folder ?? DataFolder.path.map({ $0 + "/Listening" }),
      access("\(folder)/index.html", R_OK) == 0
    else {
      throw FileError(
        .notFound, file: "Listening/index.html",
        "the participant's page is not beside the program: set AURIENT_DATA to the folder that holds "
          + "HRTF, Sounds and Listening")
    }
    var names = ["index.html"]
    if let listing = opendir("\(folder)/page") {
      defer { closedir(listing) }
      while let item = readdir(listing) {
        let name = withUnsafeBytes(of: item.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if !name.hasPrefix(".") { names.append("page/\(name)") }
      }
    }
    var files: [(name: String, bytes: [UInt8])] = []
    for name in names.sorted() {
      files.append((name, try InputFile.bytes(path: "\(folder)/\(name)", limit: Self.limit)))
    }
    self.files = files
  }

  /// Writes it into a folder.
  func write(to path: String) throws(FileError) {
    if files.count > 1, mkdir("\(path)/page", 0o777) != 0, errno != EEXIST {
      throw .system(.unwritable, file: "\(path)/page", errno: errno)
    }
    for file in files { try OutputFile.write(file.bytes, to: "\(path)/\(file.name)") }
  }
}
