import Testing

@testable import ListeningTest

@Suite struct SplitMix64Tests {
  /// The first outputs of the authors' reference program (splitmix64.c, S. Vigna, prng.di.unimi.it) for some
  /// seeds; those of the second are also in Rosetta Code's task "Pseudo-random numbers/Splitmix64".
  private static let references: [(seed: UInt64, outputs: [UInt64])] = [
    (0, [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]),
    (1_234_567, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]),
  ]

  @Test(arguments: references.indices)
  func isTheReference(index: Int) {
    let (seed, outputs) = Self.references[index]
    var generator = SplitMix64(seed: seed)
    #expect(outputs.map { _ in generator.next() } == outputs)
  }

  @Test func drawsAllNumbersAlike() {
    var generator = SplitMix64(seed: 1)
    var counts = [0, 0, 0]
    for _ in 0..<30_000 { counts[generator.below(3)] += 1 }
    // Five standard deviations of a binomial count.
    #expect(counts.allSatisfy { abs($0 - 10_000) < 408 })
  }

  @Test func shufflesWithoutLoss() {
    var generator = SplitMix64(seed: 9, 1, 2)
    let shuffled = generator.shuffled(Array(0..<100))
    #expect(shuffled != Array(0..<100))
    #expect(shuffled.sorted() == Array(0..<100))
  }

  /// Python: with next() as in splitmix64.c, `s = [*range(8)]; for i in range(7, 0, -1): j = next() % (i+1);
  /// s[i], s[j] = s[j], s[i]` from seed 0.
  @Test func shufflesAsDocumented() {
    var generator = SplitMix64(seed: 0)
    #expect(generator.shuffled(Array(0..<8)) == [2, 5, 0, 3, 4, 6, 1, 7])
  }
}
