internal import CXXHash

/// A name for content: XXH3 of 128 bits in hexadecimal. It tells different files apart; it does not
/// withstand someone who makes two with the same hash on purpose.
public func contentHash(_ bytes: [UInt8], seed: Int = 0) -> String {
  let hash = bytes.withUnsafeBytes {
    XXH3_128bits_withSeed($0.baseAddress, $0.count, UInt64(seed))
  }
  return [hash.high64, hash.low64].map { half in
    let digits = String(half, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }.joined()
}
