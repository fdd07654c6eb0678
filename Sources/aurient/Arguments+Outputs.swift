import Glibc

extension Arguments {
  /// Checks that no file to be written is one that is read, which it would replace, and no two are
  /// the same.
  ///
  /// - Parameters:
  ///   - outputs: Options that name files to write.
  ///   - inputs: Names of files to read, or of no files.
  /// - Throws: `UsageError` naming the option.
  func checkOutputs(_ outputs: [String], inputs: [String]) throws(UsageError) {
    let inputs = inputs.compactMap(fileIdentity)
    var seen: [(option: String, identity: String)] = []
    for option in outputs {
      guard let path = string(option), let identity = fileIdentity(path) else { continue }
      if inputs.contains(identity) { throw bad(option, "\"\(path)\" is an input, too") }
      if let other = seen.first(where: { $0.identity == identity })?.option {
        throw bad(option, "\"\(path)\" is the --\(other), too")
      }
      seen.append((option, identity))
    }
  }
}

/// What two names of one file have in common, whether it exists yet or not; nil for pipes, devices
/// and what cannot be a file.
private func fileIdentity(_ path: String) -> String? {
  var status = stat()
  if stat(path, &status) == 0 {
    return status.st_mode & S_IFMT == S_IFREG ? "\(status.st_dev) \(status.st_ino)" : nil
  }
  let parts = path.split(separator: "/", omittingEmptySubsequences: false)
  let folder = parts.count > 1 ? parts.dropLast().joined(separator: "/") + "/" : "."
  guard let name = parts.last, stat(folder, &status) == 0 else { return nil }
  return "\(status.st_dev) \(status.st_ino)/\(name)"
}
