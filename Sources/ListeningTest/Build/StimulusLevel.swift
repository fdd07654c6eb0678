import CLoudness
import Glibc

/// How loud a stimulus is, in the measure by which a design aligns them.
enum StimulusLevel {
  /// Seconds of a gating block of ITU-R BS.1770-4; a shorter sound has none.
  static let block = 0.4

  /// The level of left and right samples by turns, LUFS or dB of full scale; nil for silence.
  static func measured(
    _ samples: [Float], sampleRate: Int, by alignment: ListeningDesign.Level.Alignment
  ) -> Double? {
    let level: Double =
      switch alignment {
      case .loudness: loudness(samples, sampleRate: sampleRate)
      case .rms: rootMeanSquare(samples)
      case .none: 0
      }
    return level.isFinite ? level : nil
  }

  private static func rootMeanSquare(_ samples: [Float]) -> Double {
    let sum = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
    return 10 * log10(sum / Double(max(1, samples.count)))
  }

  /// Integrated loudness with its gates (ITU-R BS.1770-4); of what is shorter than a gating block the mean
  /// over its own length, without gates.
  private static func loudness(_ samples: [Float], sampleRate: Int) -> Double {
    let seconds = Double(samples.count / 2) / Double(sampleRate)
    let mode = seconds < block ? EBUR128_MODE_M : EBUR128_MODE_I
    var state = ebur128_init(2, UInt(sampleRate), Int32(mode.rawValue))
    guard state != nil else { return -.infinity }
    defer { ebur128_destroy(&state) }
    ebur128_add_frames_float(state, samples, samples.count / 2)
    var loudness = -Double.infinity
    if seconds < block {
      ebur128_loudness_momentary(state, &loudness)
      // Of the last block, the rest of which is silent.
      loudness += 10 * log10(block / max(seconds, 1e-6))
    } else {
      ebur128_loudness_global(state, &loudness)
    }
    return loudness
  }
}
