public import Geometry

/// Where a scene sounds: rendered into memory (`LoopbackMix`) or played (`PlaybackDevice`).
public protocol SoundStage: AnyObject {
  /// Frames a second.
  var sampleRate: Int { get }
  /// Frames rendered so far.
  var frame: Int { get }
  /// Makes changes of the listener and of sources that take effect together; returns the first frame that
  /// is rendered with them.
  func apply(_ changes: () -> Void) -> Int
  /// Turns the listener; see `OpenALContext.setListener(ahead:up:)`.
  func setListener(ahead: Vector3, up: Vector3)
  /// A source of one channel of samples at the stage's rate, silent until it plays.
  ///
  /// - Throws: `EngineError` if OpenAL has no source or no memory left.
  func makeSource(_ samples: [Float], looping: Bool) throws(EngineError) -> any StageSource
  /// Checks that the calls since the last check went well.
  ///
  /// - Throws: `EngineError` with OpenAL's first error since then.
  func checkErrors() throws(EngineError)
}

/// A stage on a sound device, which may go away.
public protocol LiveStage: SoundStage {
  /// The device's name.
  var name: String { get }
  /// Frames that the device mixes at once.
  var period: Int { get }
  /// Whether the device is still there; false for good once its server has gone or it was unplugged.
  var isConnected: Bool { get }
  /// See `PlaybackDevice.lateFrame`.
  var lateFrame: Int? { get }
  /// Does what is due for the device to go on; to be called many times a period.
  func keepUp()
}

/// A sound on a stage, heard from one place.
public protocol StageSource: AnyObject {
  /// Starts it; returns the frame of the stage that is the first of its sound.
  func play() -> Int
  /// Ends it.
  func stop()
  /// Spares the engine the work for a loop that is silent, until `resume`.
  func rest()
  /// Lets a loop that rests go on where it would be by now.
  func resume()
  /// Puts it at a place in the world frame (east, north, up), metres from the listener.
  func setPosition(_ place: Vector3)
  /// Sets its gain, a factor from 0 to 1.
  func setGain(_ gain: Float)
  /// Replaces samples of the sound from a frame of it on, also while it plays.
  func write(_ samples: UnsafeBufferPointer<Float>, at frame: Int)
}

extension LoopbackMix: SoundStage {
  /// Frames rendered so far.
  public var frame: Int { frameCount }

  /// Makes the changes; the next frame rendered is the first with them.
  public func apply(_ changes: () -> Void) -> Int {
    changes()
    return frameCount
  }

  /// A source of the mix.
  public func makeSource(
    _ samples: [Float], looping: Bool
  ) throws(EngineError) -> any StageSource {
    try MixSource(samples, looping: looping, on: self)
  }
}

extension MixSource: StageSource {}

extension PlaybackDevice: LiveStage {
  /// Nothing: OpenAL mixes by itself.
  public func keepUp() {}

  /// Turns the listener.
  public func setListener(ahead: Vector3, up: Vector3) {
    context.setListener(ahead: ahead, up: up)
  }

  /// A source of the device.
  public func makeSource(
    _ samples: [Float], looping: Bool
  ) throws(EngineError) -> any StageSource {
    DeviceSource(try SoundSource(samples, looping: looping, in: context), on: self)
  }

  /// Checks that the calls since the last check went well.
  public func checkErrors() throws(EngineError) { try context.checkErrors() }
}

/// A source of a device, which tells when it begins.
private final class DeviceSource: StageSource {
  private let source: SoundSource
  private let device: PlaybackDevice

  init(_ source: SoundSource, on device: PlaybackDevice) {
    self.source = source
    self.device = device
  }

  func play() -> Int { device.play(source) }
  func stop() { source.stop() }
  // A device says only afterwards when a sound begins, which is too late to say where it shall.
  func rest() {}
  func resume() {}
  func setPosition(_ place: Vector3) { source.setPosition(place) }
  func setGain(_ gain: Float) { source.setGain(gain) }
  func write(_ samples: UnsafeBufferPointer<Float>, at frame: Int) {
    source.write(samples, at: frame)
  }
}
