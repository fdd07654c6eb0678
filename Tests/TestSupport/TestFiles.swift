import Glibc

/// The project's own folder, found from this file's place in it.
public let projectFolder: String = {
  let path = #filePath
  return path.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/")
}()

/// The folder of measured inputs that may not ship with the project, named by the variable
/// `AURIENT_TEST_DATA`; nil where there is none. Tests that need it are skipped then.
public let testDataFolder: String? = {
  guard let value = getenv("AURIENT_TEST_DATA") else { return nil }
  let folder = String(cString: value)
  return access(folder, R_OK) == 0 ? folder : nil
}()

/// A folder of its own for one test, removed with everything in it by `deinit`.
public struct TemporaryFolder: ~Copyable, Sendable {
  /// Where it is.
  public let path: String

  /// Makes it.
  public init() {
    var template = Array("/tmp/aurient-test.XXXXXX".utf8CString)
    precondition(mkdtemp(&template) != nil, "no temporary folder")
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Writes a file into it and returns its path.
  public func file(_ name: String, _ content: String) -> String {
    let full = path + "/" + name
    guard let file = fopen(full, "w") else { preconditionFailure("cannot write \(full)") }
    fputs(content, file)
    fclose(file)
    return full
  }

  /// The names of the files in it, hidden ones too.
  public func names() -> [String] { TestSupport.names(in: path) }

  deinit {
    let command = "rm -rf '\(path)'"
    _ = system(command)
  }
}
