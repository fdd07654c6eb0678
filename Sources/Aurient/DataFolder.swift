import Glibc
import HRTF

/// Where the data sets, sounds and magnetic models that ship with Aurient are.
public enum DataFolder {
  /// The folder that holds `HRTF`, `Sounds` and `Magnetism`: `$AURIENT_DATA`; else `../share/aurient` beside the
  /// program's folder, as installed; else the nearest folder above the program, as built. Nil if
  /// there is none.
  public static let path: String? = {
    if let folder = UserFolders.environment("AURIENT_DATA") { return folder }
    guard let program = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(program) }
    var folder = parent(String(cString: program))
    let installed = parent(folder) + "/share/aurient"
    if holdsData(installed) { return installed }
    while !folder.isEmpty {
      if holdsData(folder) { return folder }
      folder = parent(folder)
    }
    return nil
  }()

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
