import Files
import Glibc
import TestSupport
import Testing

@testable import HRTF

/// Damage by chance to a file that ships: it is refused with a fault of its own, or gives responses
/// that are finite and of one size. Each batch has a process of its own, since libmysofa is the one
/// part here that could crash.
@Suite struct SOFAMutationTests {
  /// Damage that differs by seed: single bytes, short runs, a block overwritten, removed or repeated,
  /// most of it in the first part of the file, where its structure is.
  static func damage(_ whole: [UInt8], seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    var bytes = whole
    let reach = seed % 4 == 0 ? bytes.count : 40_000
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let start = Int.random(in: 8..<reach, using: &generator)
      let length = min(Int.random(in: 1...64, using: &generator), bytes.count - start)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes[start] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 2: for index in 0..<min(8, length) { bytes[start + index] = 0xFF }
      case 3:
        for index in 0..<length {
          bytes[start + index] = UInt8.random(in: 0...255, using: &generator)
        }
      case 4: bytes.removeSubrange(start..<start + length)
      default: bytes.insert(contentsOf: bytes[start..<start + length], at: start)
      }
    }
    return bytes
  }

  /// Reads damaged files; ends the process with 1 where an outcome is neither a fault nor sane.
  static func read(seeds: Range<UInt64>) throws {
    let whole = try InputFile.bytes(path: shippedKEMAR, limit: 1 << 24)
    let folder = TemporaryFolder()
    let path = folder.path + "/a.sofa"
    for seed in seeds {
      try OutputFile.write(damage(whole, seed: seed), to: path)
      do {
        let set = try SOFAFile(path: path).responses
        #expect(isSane(set), "seed \(seed)")
      } catch {
        #expect(
          error.file == path && !error.cause.isEmpty
            && (error.code == .malformed || error.code == .unsupported), "seed \(seed): \(error)")
      }
    }
  }

  @Test(arguments: [0, 1000, 2000, 3000] as [UInt64]) func damagedFiles(first: UInt64) async {
    await #expect(processExitsWith: .success) { [first] in
      try SOFAMutationTests.read(seeds: first..<first + 12)
    }
  }
}
