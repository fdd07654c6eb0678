internal import CXXHash

/// A name for content: XXH3 of 128 bits in hexadecimal. It tells different files apart; it does not
/// withstand someone who makes two with the same hash on purpose.
public func contentHash(_ bytes: [UInt8], seed: Int = 0) -> String {
  hexadecimal(
    bytes.withUnsafeBytes {
      XXH3_128bits_withSeed($0.baseAddress, $0.count, UInt64(seed))
    })
}

/// The same name for what a file holds, read a part at a time: a file may be larger than memory.
///
/// - Throws: `FileError` if it cannot be read.
public func contentHash(ofFile path: String, seed: Int = 0) throws(FileError) -> String {
  guard let state = XXH3_createState() else {
    throw FileError(.unreadable, file: path, "no memory left to read it")
  }
  defer { XXH3_freeState(state) }
  XXH3_128bits_reset_withSeed(state, UInt64(seed))
  try InputFile.forEachPart(path: path) { part in
    XXH3_128bits_update(state, part.baseAddress, part.count)
  }
  return hexadecimal(XXH3_128bits_digest(state))
}

private func hexadecimal(_ hash: XXH128_hash_t) -> String {
  [hash.high64, hash.low64].map { half in
    let digits = String(half, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }.joined()
}
