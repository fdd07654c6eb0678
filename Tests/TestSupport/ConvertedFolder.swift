import Glibc

/// The folder of converted data sets for all tests of a process: OpenAL reads its configuration once,
/// so all must agree on one.
///
/// It is kept between runs, since conversion takes long in a debug build; a change in the converter's
/// sources changes its name.
public let convertedFolder: String = {
  let sources = projectFolder + "/Sources/HRTF"
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325  // FNV-1a
  for name in names(in: sources) {
    guard let file = fopen("\(sources)/\(name)", "r") else { continue }
    defer { fclose(file) }
    while case let byte = getc(file), byte != EOF {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
  }
  return "\(projectFolder)/.build/test-data-sets/\(String(hash, radix: 36))"
}()

/// The names of the files in a folder, hidden ones too, in order.
public func names(in path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != "." && name != ".." { names.append(name) }
  }
  return names.sorted()
}
