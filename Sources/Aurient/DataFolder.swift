import Glibc
import HRTF
import Synchronization

/// Where the data sets, sounds and magnetic models that ship with Aurient are.
public enum DataFolder {
  /// The folder that holds `HRTF`, `Sounds` and `Magnetism`: that of `use`; else `$AURIENT_DATA`; else, of the library
  /// that this is part of and then of the program, `../share/aurient` beside its folder or `../../share/aurient`, as
  /// installed, or the nearest folder above it, as built. Nil if there is none.
  public static let path: String? = {
    let chosen = choice.withLock { choice in
      choice.isUsed = true
      return choice.path
    }
    if let folder = chosen ?? UserFolders.environment("AURIENT_DATA") { return folder }
    return [libraryFile, "/proc/self/exe"].compactMap { $0 }.lazy.compactMap(folder(besideOrAbove:))
      .first
  }()

  private static let choice = Mutex<(path: String?, isUsed: Bool)>((nil, false))

  /// Names the folder; false once it has been looked for.
  public static func use(_ folder: String) -> Bool {
    choice.withLock { choice in
      guard !choice.isUsed else { return false }
      choice.path = folder
      return true
    }
  }

  /// The file of the program or library that this is part of.
  private static var libraryFile: String? {
    // What <dlfcn.h> calls Dl_info and dladdr, which Glibc's module does not have.
    typealias Information = (
      file: UnsafePointer<CChar>?, base: UnsafeRawPointer?, symbol: UnsafePointer<CChar>?,
      address: UnsafeRawPointer?
    )
    typealias Look =
      @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> CInt
    guard let look = dlsym(nil, "dladdr") else { return nil }
    var information: Information = (nil, nil, nil, nil)
    guard unsafeBitCast(look, to: Look.self)(#dsohandle, &information) != 0 else { return nil }
    return information.file.map { String(cString: $0) }
  }

  private static func folder(besideOrAbove file: String) -> String? {
    guard let file = realpath(file, nil) else { return nil }
    defer { free(file) }
    var folder = parent(String(cString: file))
    // A library may lie in a folder of its architecture.
    for prefix in [parent(folder), parent(parent(folder))] {
      let installed = prefix + "/share/aurient"
      if holdsData(installed) { return installed }
    }
    while !folder.isEmpty {
      if holdsData(folder) { return folder }
      folder = parent(folder)
    }
    return nil
  }

  /// The folder of the World Magnetic Model's coefficients; nil if there is none.
  public static let magnetism: String? = path.map { $0 + "/Magnetism" }.flatMap {
    access($0, R_OK) == 0 ? $0 : nil
  }

  private static func holdsData(_ folder: String) -> Bool {
    access(folder + "/HRTF", R_OK) == 0 && access(folder + "/Sounds", R_OK) == 0
  }

  private static func parent(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }
}
