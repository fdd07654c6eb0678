import Glibc

/// The program as users start it. Its file lies beside the tests' own.
public let program: String = {
  guard let resolved = realpath("/proc/self/exe", nil) else { return "aurient" }
  defer { free(resolved) }
  let path = String(cString: resolved)
  return path[...(path.lastIndex(of: "/") ?? path.startIndex)] + "aurient"
}()

/// Converts the data sets that ship, once for all tests of a process: where none is cached yet, a debug
/// build needs half a minute for it, and tests that run at the same time would each do it.
public func convertShippedSets() { _ = shippedSetsAreConverted }

private let shippedSetsAreConverted = ["MIT", "SADIE"].allSatisfy(convert)

/// Puts a data set, named with its options, into the cache, if it is not there; whether that was possible.
public func convert(_ set: String) -> Bool {
  let folder = TemporaryFolder()
  let words = "hrtf impulse \(set) --azimuth 0 --elevation 0 -o '\(folder.path)/impulse.wav'"
  return system("'\(program)' \(words)") == 0
}
