import Geometry
import Glibc
import Testing

@testable import HRTF

/// Onsets against those that the responses were made with.
@Suite struct MinimumPhaseModelTests {
  private static let rate = 48_000.0

  /// A decaying resonance, minimum-phase, delayed by a fraction of a sample: its band-limited
  /// response is summed from exact sinusoids over the bins of a long transform.
  private static func response(delay: Double, gain: Double, length: Int = 256) -> [Float] {
    // Poles at radius 0.8: below −100 dB after 60 samples.
    let (radius, angle) = (0.8, 0.9)
    let size = 1024
    var output = [Double](repeating: 0, count: length)
    for bin in 0...size / 2 {
      let omega = 2 * Double.pi * Double(bin) / Double(size)
      let re = 1 - 2 * radius * cos(angle) * cos(omega) + radius * radius * cos(2 * omega)
      let im = 2 * radius * cos(angle) * sin(omega) - radius * radius * sin(2 * omega)
      // 1 / (re + j im), and four zeros at −0.6 so that little rings at half the rate.
      let (zeroRe, zeroIm) = (1 + 0.6 * cos(omega), -0.6 * sin(omega))
      let low = pow(hypot(zeroRe, zeroIm), 4) / pow(1.6, 4) * gain
      let magnitude = low / hypot(re, im)
      let total = 4 * atan2(zeroIm, zeroRe) - atan2(im, re) - omega * delay
      let weight = bin == 0 || bin == size / 2 ? 1.0 : 2.0
      for sample in 0..<length {
        output[sample] +=
          weight * magnitude * cos(omega * Double(sample) + total) / Double(size)
      }
    }
    return output.map { Float($0) }
  }

  private static func set(
    _ ears: [(delay: Double, gain: Double)], delays: [Float] = [0, 0]
  ) -> HRIRSet {
    let length = 256
    return HRIRSet(
      title: "", sampleRate: rate, directions: [SphericalDirection(azimuth: 30, elevation: 0)],
      length: length,
      samples: ears.flatMap { response(delay: $0.delay, gain: $0.gain, length: length) },
      delays: delays)
  }

  @Test(arguments: [
    (20.0, 20.0), (20.5, 31.25), (35.125, 12.75), (10.3, 40.9), (44.77, 22.01),
  ])
  func fractionalDelaysAreFound(left: Double, right: Double) {
    let model = MinimumPhaseModel(Self.set([(left, left < right ? 1 : 0.3), (right, 0.5)]))
    #expect(abs(model.onsets[0] - left) < 0.02)
    #expect(abs(model.onsets[1] - right) < 0.02)
    // 0.02 samples are 0.4 µs.
    #expect(abs(model.onsets[0] - model.onsets[1] - (left - right)) < 0.02)
  }

  /// What the file keeps in Data.Delay counts like delay in the responses.
  @Test func delaysOfTheFileAreAdded() {
    let model = MinimumPhaseModel(Self.set([(15.5, 1), (15.5, 0.6)], delays: [7, 19]))
    #expect(abs(model.onsets[0] - 22.5) < 0.02)
    #expect(abs(model.onsets[1] - 34.5) < 0.02)
  }

  /// The magnitude that the model keeps is that of the response.
  @Test func magnitudeIsKept() {
    let model = MinimumPhaseModel(Self.set([(15, 1), (18, 0.25)]))
    let left = model.mean([SphericalInterpolation.Weight(index: 0, value: 1)], ear: 0)
    let right = model.mean([SphericalInterpolation.Weight(index: 0, value: 1)], ear: 1)
    // 12.04 dB between the ears, up to half of the band.
    for bin in 0..<model.binCount / 2 {
      #expect(abs(left[bin] - right[bin] - log(4)) < 1e-3)
    }
  }
}
