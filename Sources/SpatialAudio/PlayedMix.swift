internal import COpenAL
public import Geometry
public import HRTF

/// A mix through data sets of several distances that is heard. OpenAL Soft 1.19 plays through one data set a
/// device, and several devices would not be in step; so the mix is rendered somewhat ahead of a device that plays
/// it as it is.
///
/// That costs the time of what is rendered ahead: where one data set is enough, `PlaybackDevice` plays through
/// it itself.
public final class PlayedMix {
  private let mix: LoopbackMix
  private let device: PlaybackDevice
  private let ring: StereoRing
  /// The frame of the device that is the first of the mix.
  private var origin: Int
  private let block: UnsafeMutableBufferPointer<Float>
  private let lead: Int

  /// Times that the device asked for more than was rendered, so that there was a gap.
  public private(set) var gapCount = 0

  /// Frames that are rendered at once, also when a session is rendered again: OpenAL fades gains over as many.
  public static let blockLength = 128
  /// Frames that one call of `keepUp` renders at most.
  private static let mostAtOnce = 2048

  /// Opens a mix.
  ///
  /// - Parameters:
  ///   - device: Has been opened without a data set.
  ///   - sourceCount: How many sources must be able to play at once.
  ///   - dataSets: At the device's rate; the nearest first.
  /// - Throws: `EngineError`, see `LoopbackMix`.
  public init(
    _ device: PlaybackDevice, sourceCount: Int = 64, dataSets: [DistanceDataSet]
  ) throws(EngineError) {
    self.device = device
    mix = try LoopbackMix(
      sampleRate: device.sampleRate, dataSets: dataSets, sourceCount: sourceCount)
    // What the device mixes at once is a period, or several when it is behind.
    lead = 2 * device.period + Self.blockLength
    block = .allocate(capacity: 2 * Self.blockLength)
    ring = try StereoRing(on: device)
    origin = ring.begin()
  }

  deinit { block.deallocate() }

  /// The device's name.
  public var name: String { device.name }
  /// Frames that the device mixes at once.
  public var period: Int { device.period }
  /// Whether the device is still there.
  public var isConnected: Bool { device.isConnected }

  /// Renders what is due; to be called again within a fraction of a period.
  public func keepUp() {
    let played = device.frame - origin
    if played > mix.frameCount {
      gapCount += 1
      // What is late is heard later, from the next block on.
      origin += played - mix.frameCount
    }
    let end = min(device.frame - origin + lead, mix.frameCount + Self.mostAtOnce)
    while mix.frameCount < end {
      let frame = origin + mix.frameCount
      mix.render(into: block)
      ring.write(UnsafeBufferPointer(block), at: frame)
    }
  }
}

extension PlayedMix: LiveStage {
  /// Nil: changes are never late.
  public var lateFrame: Int? { nil }

  /// Frames a second.
  public var sampleRate: Int { mix.sampleRate }
  /// Frames rendered so far.
  public var frame: Int { mix.frameCount }

  /// Makes the changes; the next frame rendered is the first with them.
  public func apply(_ changes: () -> Void) -> Int { mix.apply(changes) }

  /// Turns the listener.
  public func setListener(ahead: Vector3, up: Vector3) { mix.setListener(ahead: ahead, up: up) }

  /// A source of the mix.
  public func makeSource(
    _ samples: [Float], looping: Bool
  ) throws(EngineError) -> any StageSource {
    try mix.makeSource(samples, looping: looping)
  }

  /// Checks that the calls since the last check went well.
  public func checkErrors() throws(EngineError) { try mix.checkErrors() }
}

/// Two channels that a device plays as they are, in a loop that is written ahead of what is played. What has
/// been played is silence again, so that nothing is heard twice.
private final class StereoRing {
  private let device: PlaybackDevice
  private var buffer: ALuint = 0
  private var source: ALuint = 0
  /// The frame of the device at which the loop began.
  private var start = 0
  private let silence: [Float]

  /// Frames of the loop, a multiple of what is written at once.
  private static let length = 128 * PlayedMix.blockLength

  init(on device: PlaybackDevice) throws(EngineError) {
    self.device = device
    silence = [Float](repeating: 0, count: 2 * Self.length)
    device.context.makeCurrent()
    alGetError()
    alGenBuffers(1, &buffer)
    alBufferData(
      buffer, AL_FORMAT_STEREO_FLOAT32, silence, ALsizei(silence.count * 4),
      ALsizei(device.sampleRate))
    alGenSources(1, &source)
    alSourcei(source, AL_BUFFER, ALint(buffer))
    alSourcei(source, AL_LOOPING, AL_TRUE)
    alSourcei(source, AL_DIRECT_CHANNELS_SOFT, AL_TRUE)
    guard alGetError() == AL_NO_ERROR else {
      alDeleteSources(1, &source)
      alDeleteBuffers(1, &buffer)
      throw EngineError(.source, "OpenAL has no source for two channels as they are")
    }
  }

  deinit {
    device.context.makeCurrent()
    alDeleteSources(1, &source)
    alDeleteBuffers(1, &buffer)
  }

  /// Lets it begin; returns the frame of the device at which it does.
  func begin() -> Int {
    device.context.makeCurrent()
    alSourcePlay(source)
    start = device.begin(of: source)
    return start
  }

  /// Writes samples, left and right by turns, to be played from a frame of the device on, and silence after
  /// the half of the loop before them.
  func write(_ samples: UnsafeBufferPointer<Float>, at frame: Int) {
    device.context.makeCurrent()
    put(samples, at: frame)
    silence.withUnsafeBufferPointer {
      put(UnsafeBufferPointer(rebasing: $0[..<samples.count]), at: frame + Self.length / 2)
    }
  }

  private func put(_ samples: UnsafeBufferPointer<Float>, at frame: Int) {
    let place = (frame - start) % Self.length
    let count = min(samples.count, 2 * (Self.length - place))
    set(UnsafeBufferPointer(rebasing: samples[..<count]), at: place)
    if count < samples.count { set(UnsafeBufferPointer(rebasing: samples[count...]), at: 0) }
  }

  private func set(_ samples: UnsafeBufferPointer<Float>, at place: Int) {
    alBufferSubDataSOFT(
      buffer, AL_FORMAT_STEREO_FLOAT32, samples.baseAddress, ALsizei(place * 8),
      ALsizei(samples.count * 4))
  }
}
