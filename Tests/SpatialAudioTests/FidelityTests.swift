import Geometry
import Glibc
import HRTF
import Testing

@testable import SpatialAudio

/// What reaches the ears, through converter, data set and engine, against what was measured.
@Suite struct FidelityTests {
  private struct Row {
    /// dB by ear and frequency, rendered over measured.
    var difference: [[Double]]
    /// µs, rendered less measured; nil beside the head, where the correlation has no clear maximum.
    var time: Double?
  }

  private func rows(_ set: ShippedSet) throws -> [Row] {
    let measured = try SOFAFile(path: set.path).responses
    let rate = Double(set.sampleRate)
    let count = 40
    return try (0..<count).map { index in
      let direction = index * (measured.directions.count - 1) / (count - 1)
      let rendered = try ImpulseResponse(
        dataSet: set.dataSet, sampleRate: set.sampleRate,
        direction: measured.directions[direction])
      let heard = [0, 1].map { ear($0, of: rendered.samples) }
      let wanted = [0, 1].map { Array(measured.response(direction, ear: $0)) }
      func levels(_ samples: [Float]) -> [Double] {
        Response(samples, sampleRate: rate, step: 100, highest: 16_000).decibels(above: 200)
      }
      let lateral = asin(abs(measured.directions[direction].unitVector.y)) * 180 / .pi
      return Row(
        difference: [0, 1].map { ear in
          zip(levels(heard[ear]), levels(wanted[ear])).map { $0 - $1 }
        },
        time: lateral > 75
          ? nil
          : interauralTime(left: heard[0], right: heard[1], sampleRate: rate)
            - interauralTime(left: wanted[0], right: wanted[1], sampleRate: rate))
    }
  }

  /// Log-spectral distortion over 200 Hz to 16 kHz after one gain common to all, and the error of
  /// interaural time.
  @Test(arguments: [ShippedSet.kemar, ShippedSet.ku100])
  func wholePathAgainstMeasurement(_ set: Result<ShippedSet, any Error>) throws {
    let rows = try rows(set.get())
    let all = rows.flatMap { $0.difference.joined() }
    let gain = all.reduce(0, +) / Double(all.count)
    let distortions = rows.flatMap(\.difference).map { differences in
      (differences.reduce(0) { $0 + ($1 - gain) * ($1 - gain) } / Double(differences.count))
        .squareRoot()
    }
    let distortion = distortions.reduce(0, +) / Double(distortions.count)
    let times = rows.compactMap(\.time).map(abs)
    #expect(times.count > 25)
    #expect(distortion < 1.2)
    #expect(percentile(0.95, times) < 25)
    #expect(abs(gain) < 0.5)
  }

  /// Interaural times of KEMAR below 3 kHz, from the measurements by another program: azimuth 30
  /// −269 µs, 90 −706 µs; the left ear leads for sounds from the left.
  @Test(arguments: [(30.0, -269.0), (90, -706), (270, 706), (330, 269), (0, 0), (180, 0)])
  func leftIsLeft(azimuth: Double, expected: Double) throws {
    let set = try ShippedSet.kemar.get()
    let response = try ImpulseResponse(
      dataSet: set.dataSet, sampleRate: set.sampleRate,
      direction: SphericalDirection(azimuth: azimuth, elevation: 0, distance: 1.4))
    let time = interauralTime(
      left: ear(0, of: response.samples), right: ear(1, of: response.samples),
      sampleRate: Double(response.sampleRate))
    #expect(abs(time - expected) < 40)
  }
}
