import Glibc
import SpatialAudio
import Testing

@Suite struct LoudnessMeterTests {
  /// EBU Tech 3341 (2016), table 1, cases 1 and 2: a 1 kHz sine in both channels whose peaks are at
  /// the level named, for 20 s, reads that level in LUFS, ±0.1.
  @Test(arguments: [-23.0, -33], [44_100, 48_000])
  func sineOfKnownLoudness(level: Double, rate: Int) {
    let meter = LoudnessMeter(sampleRate: rate)
    let amplitude = Float(pow(10, level / 20))
    let second = (0..<rate).flatMap { frame -> [Float] in
      let sample = amplitude * sinf(2 * .pi * 1000 * Float(frame) / Float(rate))
      return [sample, sample]
    }
    for _ in 0..<20 { second.withUnsafeBufferPointer { meter.add($0) } }
    #expect(abs(meter.integratedLoudness - level) < 0.1)
    #expect(abs(meter.peak - amplitude) < 1e-3 * amplitude)
  }

  @Test func silence() {
    let meter = LoudnessMeter(sampleRate: 48_000)
    let second = [Float](repeating: 0, count: 96_000)
    second.withUnsafeBufferPointer { meter.add($0) }
    #expect(meter.integratedLoudness == -.infinity)
    #expect(meter.peak == 0)
  }

  @Test func peakOfEitherSign() {
    let meter = LoudnessMeter(sampleRate: 48_000)
    let samples: [Float] = [0.1, 0.2, -0.75, 0.5]
    samples.withUnsafeBufferPointer { meter.add($0) }
    #expect(meter.peak == 0.75)
  }
}
