import Glibc

/// The generator of all that is left to chance, in designs, analyses and simulations: SplitMix64 (G. L. Steele, D. Lea and
/// C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014), so that an order can be
/// found again by any program.
struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A generator for one purpose of a participant: that of the seed with the numbers mixed in, each by one
  /// step of the generator.
  init(seed: Int, _ numbers: Int...) {
    self.init(seed: UInt64(bitPattern: Int64(seed)))
    for number in numbers {
      state = next() ^ UInt64(bitPattern: Int64(number))
    }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number from 0 to one below `count`, all alike: values at the end that `count` does not divide
  /// are drawn again.
  mutating func below(_ count: Int) -> Int {
    let count = UInt64(count)
    let limit = UInt64.max - (UInt64.max % count + 1) % count
    while true {
      let value = next()
      if value <= limit { return Int(value % count) }
    }
  }

  /// A whole number from 0 to one below `count`, from the upper 32 bits: faster than `below`, and as good for counts
  /// far below 2³².
  mutating func index(below count: Int) -> Int { Int(((next() >> 32) &* UInt64(count)) >> 32) }

  /// A number in [0, 1), of 53 bits.
  mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number of the normal distribution of standard deviation 1 (G. E. P. Box and M. E. Muller, Ann. Math.
  /// Stat. 29 (1958)).
  mutating func normal() -> Double {
    let radius = (-2 * log(1 - uniform())).squareRoot()
    return radius * cos(2 * .pi * uniform())
  }

  /// The values in random order: R. A. Fisher's and F. Yates's shuffle, from the last place down.
  mutating func shuffled<Value>(_ values: [Value]) -> [Value] {
    var values = values
    for place in values.indices.dropFirst().reversed() {
      values.swapAt(place, below(place + 1))
    }
    return values
  }
}
