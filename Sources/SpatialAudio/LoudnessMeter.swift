internal import CLoudness

/// Loudness and sample peak of stereo sound while it is written: EBU R 128 (ITU-R BS.1770-4) by
/// libebur128.
public final class LoudnessMeter {
  private var state: UnsafeMutablePointer<ebur128_state>?
  /// The greatest magnitude of any sample so far; 1 is full scale.
  public private(set) var peak: Float = 0

  /// Measures two channels at a rate.
  public init(sampleRate: Int) {
    state = ebur128_init(2, UInt(sampleRate), Int32(EBUR128_MODE_I.rawValue))
    precondition(state != nil, "no memory for a loudness meter")
  }

  deinit { ebur128_destroy(&state) }

  /// Takes the next frames, left and right.
  public func add(_ samples: UnsafeBufferPointer<Float>) {
    ebur128_add_frames_float(state, samples.baseAddress, samples.count / 2)
    peak = samples.reduce(peak) { max($0, abs($1)) }
  }

  /// Integrated loudness so far, LUFS; −∞ for silence.
  public var integratedLoudness: Double {
    var loudness = 0.0
    ebur128_loudness_global(state, &loudness)
    return loudness
  }
}
