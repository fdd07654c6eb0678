import Glibc
import TestSupport
import Testing

@testable import HRTF

@Suite struct HRTFComparisonTests {
  private static let kemar = Result {
    try SOFAFile(path: "\(projectFolder)/HRTF/MIT-KEMAR-44100.sofa").responses
  }

  @Test func aSetAndItself() throws {
    let set = try Self.kemar.get()
    let comparison = try #require(HRTFComparison(set, with: set))
    #expect(comparison.rows.count == 710 && comparison.gain == 0)
    #expect(comparison.rows.spectralDistortion == ErrorSummary([0]))
    #expect(comparison.rows.timeDifference == ErrorSummary([0]))
    #expect(comparison.rows.levelDifference == ErrorSummary([0]))
    #expect(comparison.octaves.allSatisfy { $0.level == 0 })
    let regions = HRTFComparison.Region.allCases.map { comparison.rows(of: $0).count }
    #expect(regions.reduce(0, +) == 710)
    // KEMAR is measured from −40° up; left and right alike.
    #expect(regions[2] == regions[3] && regions[4] > regions[5])
  }

  /// A louder copy, one ear later and softer by known amounts.
  @Test func knownDifferences() throws {
    let first = try Self.kemar.get()
    var second = first
    for direction in first.directions.indices {
      second.delays[2 * direction] += 4.41
      for ear in 0...1 {
        let factor: Float = ear == 0 ? 2 : 1
        let start = (direction * 2 + ear) * first.length
        for index in start..<start + first.length { second.samples[index] *= factor }
      }
    }
    let comparison = try #require(HRTFComparison(first, with: second))
    // 6.02 dB on one ear: a gain of 3.01 dB, and that much off it at each ear.
    #expect(abs(comparison.gain - 3.01) < 0.01)
    #expect(abs(comparison.rows.spectralDistortion.mean - 3.01) < 0.01)
    #expect(abs(comparison.rows.levelDifference.mean - 6.02) < 0.01)
    #expect(comparison.rows.allSatisfy { abs($0.timeDifference - 100) < 0.5 })
  }

  /// The same responses at another rate: of the same levels and times where both have them.
  @Test func anotherRate() throws {
    let first = try Self.kemar.get()
    // Every sample twice as far apart in time: half the rate, all frequencies halved.
    var half = first
    half.sampleRate = first.sampleRate / 2
    // Band-limited interpolation of the halved set back to the full rate by zeros between samples and
    // an ideal low-pass: here by the spectrum.
    var full = half
    full.sampleRate = first.sampleRate
    full.length = 2 * half.length
    let (short, long) = (RealFFT(size: half.length), RealFFT(size: full.length))
    full.samples = (0..<2 * half.directions.count).flatMap { response in
      var spectrum = short.forward(half.response(response / 2, ear: response % 2))
      let zeros = [Float](repeating: 0, count: half.length / 2)
      spectrum = Spectrum(
        real: spectrum.real.map { 2 * $0 } + zeros, imaginary: spectrum.imaginary + zeros)
      for bin in spectrum.imaginary.indices { spectrum.imaginary[bin] *= 2 }
      return long.inverse(spectrum)
    }
    let comparison = try #require(HRTFComparison(half, with: full))
    #expect(comparison.rows.spectralDistortion.mean < 0.1)
    #expect(comparison.rows.timeDifference.percentile95 < 1)
    #expect(abs(abs(comparison.gain) - 6.02) < 0.1)
  }

  @Test func nothingInCommon() throws {
    var second = try Self.kemar.get()
    second.directions = second.directions.map {
      SphericalDirection(azimuth: $0.azimuth, elevation: -90)
    }
    #expect(HRTFComparison(try Self.kemar.get(), with: second) == nil)
  }
}
