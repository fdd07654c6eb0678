import Glibc

/// How what reaches the ears from one direction differs from what was measured there.
public struct BinauralDifference: Equatable, Sendable {
  /// Mean over frequency of the level difference, rendered minus measured, dB: left, right.
  public var meanLevel: [Double]
  /// Mean over frequency of its square, dB²: left, right.
  public var meanSquareLevel: [Double]
  /// Interaural time differences, left minus right, µs: negative when the left ear leads.
  public var measuredITD, renderedITD: Double
  /// Interaural level differences, left minus right, dB.
  public var measuredILD, renderedILD: Double

  /// Log-spectral distortion of an ear (0 left, 1 right) once a gain common to the whole set is taken
  /// out, dB: the root mean square over frequency of the level difference.
  public func spectralDistortion(ear: Int, gain: Double) -> Double {
    max(0, meanSquareLevel[ear] - 2 * gain * meanLevel[ear] + gain * gain).squareRoot()
  }
}

/// Compares responses of both ears with measured ones.
///
/// Level counts from 200 Hz to 16 kHz or 0.45 of the rate; time is that of `LowBandCorrelation`.
public final class BinauralComparison {
  private let fft: RealFFT
  private let correlation: LowBandCorrelation
  private let sampleRate: Double
  private let band: ClosedRange<Int>

  /// Prepares for responses of up to a length.
  public init(sampleRate: Double, length: Int) {
    let size = RealFFT.size(atLeast: max(2048, 2 * length))
    fft = RealFFT(size: size)
    correlation = LowBandCorrelation(sampleRate: sampleRate, fft: fft)
    self.sampleRate = sampleRate
    let bin = sampleRate / Double(size)
    let highest = Int((min(16_000, 0.45 * sampleRate) / bin).rounded(.up)) - 1
    let lowest = Int((200 / bin).rounded(.down)) + 1
    band = lowest...max(lowest, highest)
  }

  /// Compares what was rendered for a direction of a set with what the set has there.
  public func difference(
    of rendered: (left: [Float], right: [Float]), from set: HRIRSet, direction: Int
  ) -> BinauralDifference {
    let new = [fft.forward(rendered.left), fft.forward(rendered.right)]
    let old = (0...1).map { fft.forward(set.response(direction, ear: $0)) }
    let levels = (0...1).map { ear in
      band.map { bin in
        20 * log10(new[ear].magnitude(bin) + 1e-7) - 20 * log10(old[ear].magnitude(bin) + 1e-7)
      }
    }
    let offset = Double(set.delay(direction, ear: 0) - set.delay(direction, ear: 1))
    let microseconds = 1e6 / sampleRate
    return BinauralDifference(
      meanLevel: levels.map { $0.reduce(0, +) / Double($0.count) },
      meanSquareLevel: levels.map { $0.reduce(0) { $0 + $1 * $1 } / Double($0.count) },
      measuredITD: (timeDifference(old, near: -offset) + offset) * microseconds,
      renderedITD: timeDifference(new, near: 0) * microseconds,
      measuredILD: levelDifference(old), renderedILD: levelDifference(new))
  }

  /// The interaural time difference that a set has in a direction, left minus right, samples.
  func timeDifference(of set: HRIRSet, direction: Int) -> Double {
    let ears = (0...1).map { fft.forward(set.response(direction, ear: $0)) }
    let offset = Double(set.delay(direction, ear: 0) - set.delay(direction, ear: 1))
    return timeDifference(ears, near: -offset) + offset
  }

  private func timeDifference(_ ears: [Spectrum], near centre: Double) -> Double {
    correlation.delay(of: ears[0], against: ears[1], near: centre, reach: 1.2e-3 * sampleRate)
  }

  private func levelDifference(_ ears: [Spectrum]) -> Double {
    10 * log10((Double(ears[0].energy) + 1e-12) / (Double(ears[1].energy) + 1e-12))
  }
}

extension Spectrum {
  fileprivate func magnitude(_ bin: Int) -> Double {
    Double(real[bin] * real[bin] + imaginary[bin] * imaginary[bin]).squareRoot()
  }
}
