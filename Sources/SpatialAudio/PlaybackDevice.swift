internal import COpenAL

/// A device that is heard, with one context whose output is for headphones, through one head-related data
/// set; or, without one, a device that plays two channels as they are (see `PlayedMix`).
///
/// OpenAL mixes on a thread of its own, in periods; any thread may call this one, one at a time. A device
/// that is lost stays so: another one is opened in its place, see `DeviceWatch`.
public final class PlaybackDevice {
  /// The listener and the sources.
  public let context: OpenALContext
  /// The device's name.
  public let name: String
  /// Frames that are mixed at once, as OpenAL reports it, to within the rounding of its report: it gives
  /// whole periods a second. OpenAL Soft 1.19 mixes multiples of it; newer ones mix what PulseAudio asks
  /// for, which is about as much.
  public let period: Int
  private let clock: DeviceClock
  private let marker: ChangeMarker

  /// Frames a second: the device's own, so that nothing is resampled after the data set.
  public var sampleRate: Int { context.sampleRate }

  /// Opens a device.
  ///
  /// `OpenALConfiguration.prepare` comes first.
  ///
  /// - Parameters:
  ///   - name: One of `AudioDevices.list`, or nil for the default device.
  ///   - sourceCount: How many sources must be able to play at once.
  ///   - dataSet: Gives the name of a data set that OpenAL lists, for the device's rate, Hz; or nil for none.
  /// - Throws: `EngineError` if there is no such device, or OpenAL uses another data set than the one
  ///   asked for; and what `dataSet` throws.
  public init(
    _ name: String? = nil, sourceCount: Int = 64, dataSet: (_ sampleRate: Int) throws -> String?
  ) throws {
    let device = try AudioDevices.open(name)
    let dataSetName: String?
    let sampleRate: Int
    do {
      sampleRate = try Self.ownRate(of: device)
      dataSetName = try dataSet(sampleRate)
    } catch {
      alcCloseDevice(device)
      throw error
    }
    var attributes = [
      ALC_MONO_SOURCES, ALCint(sourceCount + 1), ALC_STEREO_SOURCES, dataSetName == nil ? 1 : 0,
    ]
    // Also where the device is not stereo, or not known to be headphones.
    if alcIsExtensionPresent(device, "ALC_SOFT_output_mode") == ALC_TRUE {
      attributes += [Self.outputMode, dataSetName == nil ? Self.stereoBasic : Self.stereoHRTF]
    }
    context = try OpenALContext(
      device, attributes: attributes, sampleRate: sampleRate, dataSet: dataSetName)
    var refresh: ALCint = 0
    alcGetIntegerv(device, ALC_REFRESH, 1, &refresh)
    period = sampleRate / max(1, Int(refresh))
    self.name = AudioDevices.name(of: device)
    context.makeCurrent()
    clock = DeviceClock(device, sampleRate: sampleRate)
    marker = try ChangeMarker(clock, sampleRate: sampleRate)
  }

  deinit {
    context.makeCurrent()
    marker.remove()
  }

  // Of ALC_SOFT_output_mode, newer than the headers of OpenAL Soft 1.19.
  private static let outputMode: ALCint = 0x19AC
  private static let stereoHRTF: ALCint = 0x19B2
  private static let stereoBasic: ALCint = 0x19AE

  /// The rate at which a device runs if nobody asks for another.
  private static func ownRate(of device: OpaquePointer) throws(EngineError) -> Int {
    // It is settled only when a context is made.
    guard let context = alcCreateContext(device, [ALC_HRTF_SOFT, ALCint(ALC_FALSE), 0]) else {
      throw EngineError(
        .context, "the sound device cannot be used (code \(alcGetError(device)))")
    }
    defer { alcDestroyContext(context) }
    var rate: ALCint = 0
    alcGetIntegerv(device, ALC_FREQUENCY, 1, &rate)
    return Int(rate)
  }

  /// Whether the device is still there; false for good once its server has gone or it was unplugged.
  public var isConnected: Bool {
    var value: ALCint = 0
    alcGetIntegerv(context.device, ALC_CONNECTED, 1, &value)
    return value == ALC_TRUE
  }

  /// Frames mixed so far. It moves by whole mixes and is not interpolated between them.
  public var frame: Int { clock.frame }

  /// How long it takes what is mixed next to come out, s, as the device's driver estimates it.
  public var latency: Double { clock.latency }

  /// Makes changes of the listener and of sources that take effect together, between two frames.
  ///
  /// Starting and stopping a source does not wait for the rest: it takes effect with the next mix.
  ///
  /// - Returns: The first frame that is mixed with the changes, counted as `frame` counts; of no meaning
  ///   if the device is lost.
  @discardableResult public func apply(_ changes: () -> Void) -> Int {
    context.makeCurrent()
    return marker.apply(changes)
  }

  /// Of the last `apply`: the frame that had been stated for earlier batches which took effect only with it,
  /// or nil. That happens where both came before anything was mixed, and a mix began just when OpenAL took the
  /// second in: about once in thousands.
  public var lateFrame: Int? { marker.lateFrame }

  /// Starts a source of its context with the next mix.
  ///
  /// - Returns: The frame that is the first of its sound, counted as `frame` counts.
  @discardableResult public func play(_ source: SoundSource) -> Int {
    source.play()
    return begin(of: source.source)
  }

  /// The frame that is the first of a source's sound, which has just been started.
  func begin(of source: ALuint) -> Int {
    let (place, frame) = clock.position(of: source)
    return frame - place
  }
}
