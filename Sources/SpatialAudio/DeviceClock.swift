internal import COpenAL

/// Counts the frames that a device has mixed.
///
/// What OpenAL tells is whole mixes: it is not interpolated between them, and no reading comes from the
/// midst of one.
struct DeviceClock {
  private let device: OpaquePointer
  private let sampleRate: Int
  /// OpenAL's clock, ns, at frame 0. An earlier context at another rate may have left it anywhere.
  private let origin: Int64

  /// A clock whose frame 0 is now.
  init(_ device: OpaquePointer, sampleRate: Int) {
    self.device = device
    self.sampleRate = sampleRate
    origin = Self.nanoseconds(ALC_DEVICE_CLOCK_SOFT, of: device)
  }

  /// Frames mixed so far.
  var frame: Int { frame(at: Self.nanoseconds(ALC_DEVICE_CLOCK_SOFT, of: device)) }

  /// How long it takes what is mixed next to come out, s.
  var latency: Double { Double(Self.nanoseconds(ALC_DEVICE_LATENCY_SOFT, of: device)) / 1e9 }

  /// Where a source of the current context is in its sound, and the frame at which it is there.
  func position(of source: ALuint) -> (place: Int, frame: Int) {
    // The place, in 2^-32 frames, and the clock at that place.
    var values: [ALint64SOFT] = [0, 0]
    alGetSourcei64vSOFT(source, AL_SAMPLE_OFFSET_CLOCK_SOFT, &values)
    return (Int(values[0] >> 32), frame(at: Int64(values[1])))
  }

  private func frame(at nanoseconds: Int64) -> Int {
    Int((Double(nanoseconds - origin) * Double(sampleRate) / 1e9).rounded())
  }

  private static func nanoseconds(_ what: Int32, of device: OpaquePointer) -> Int64 {
    var value: ALCint64SOFT = 0
    alcGetInteger64vSOFT(device, what, 1, &value)
    return Int64(value)
  }
}
