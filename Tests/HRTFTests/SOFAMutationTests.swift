import Files
import Glibc
import TestSupport
import Testing

@testable import HRTF

/// Damage by chance to good files: each is refused with a fault of its own, or gives responses that are
/// finite and of one size. `AURIENT_MUTATIONS` says how many of each file, else a few.
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

  private static let count: UInt64 =
    getenv("AURIENT_MUTATIONS").flatMap { UInt64(String(cString: $0)) } ?? 120

  /// A hang would cost the whole of the usual time limit.
  private static let timeLimit = 2.0

  @Test(arguments: [
    "HRTF/MIT-KEMAR-44100", "HRTF/SADIE-KU100-48000", "Tests/Fixtures/turned-listener",
  ]) func damagedFiles(name: String) throws {
    let whole = try InputFile.bytes(path: "\(projectFolder)/\(name).sofa", limit: 1 << 24)
    let folder = TemporaryFolder()
    let path = folder.path + "/a.sofa"
    for seed in 0..<Self.count {
      try OutputFile.write(Self.damage(whole, seed: seed), to: path)
      do {
        let set = try SOFAFile(path: path, timeLimit: Self.timeLimit).responses
        #expect(isSane(set), "seed \(seed)")
      } catch {
        #expect(
          error.file == path && !error.cause.isEmpty
            && (error.code == .malformed || error.code == .unsupported), "seed \(seed): \(error)")
      }
    }
  }
}
