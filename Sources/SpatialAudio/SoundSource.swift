internal import COpenAL
public import Geometry

/// A sound in a context's world, heard from one place.
public final class SoundSource {
  private let context: OpenALContext
  private(set) var source: ALuint = 0
  private var buffer: ALuint = 0

  /// Loads one channel of samples, at the context's rate so that nothing is resampled, and leaves it
  /// silent; see `play`.
  ///
  /// - Throws: `EngineError` if OpenAL has no source or no memory left.
  public init(_ samples: [Float], looping: Bool, in context: OpenALContext) throws(EngineError) {
    self.context = context
    context.makeCurrent()
    alGetError()
    alGenBuffers(1, &buffer)
    alBufferData(
      buffer, AL_FORMAT_MONO_FLOAT32, samples, ALsizei(samples.count * 4),
      ALsizei(context.sampleRate))
    guard alGetError() == AL_NO_ERROR else {
      alDeleteBuffers(1, &buffer)
      throw EngineError(.buffer, "OpenAL cannot hold a sound of \(samples.count) samples")
    }
    alGenSources(1, &source)
    guard alGetError() == AL_NO_ERROR else {
      alDeleteBuffers(1, &buffer)
      throw EngineError(
        .source, "OpenAL has no source left; the setting sources of alsoft.conf raises their number"
      )
    }
    alSourcei(source, AL_BUFFER, ALint(buffer))
    alSourcei(source, AL_LOOPING, looping ? AL_TRUE : AL_FALSE)
    // Beacons stay as loud as they are, near and far.
    alSourcef(source, AL_ROLLOFF_FACTOR, 0)
  }

  deinit {
    context.makeCurrent()
    alDeleteSources(1, &source)
    alDeleteBuffers(1, &buffer)
  }

  /// Replaces samples of the sound from a frame on, also while it plays; what the device has begun to
  /// render may come as it was.
  public func write(_ samples: UnsafeBufferPointer<Float>, at frame: Int) {
    context.makeCurrent()
    alBufferSubDataSOFT(
      buffer, AL_FORMAT_MONO_FLOAT32, samples.baseAddress, ALsizei(frame * 4),
      ALsizei(samples.count * 4))
  }

  /// Starts it with the next frame rendered.
  public func play() {
    context.makeCurrent()
    alSourcePlay(source)
  }

  /// Ends it.
  public func stop() {
    context.makeCurrent()
    alSourceStop(source)
  }

  /// Starts it from a frame of its sound.
  func play(from frame: Int) {
    context.makeCurrent()
    alSourcei(source, AL_SAMPLE_OFFSET, ALint(frame))
    alSourcePlay(source)
  }

  /// The frame of its sound that the device renders next; 0 when it does not play.
  public var frame: Int {
    context.makeCurrent()
    var frame: ALint = 0
    alGetSourcei(source, AL_SAMPLE_OFFSET, &frame)
    return Int(frame)
  }

  /// Puts it at a place in the world frame (east, north, up), metres from the listener.
  public func setPosition(_ place: Vector3) {
    context.makeCurrent()
    let (x, y, z) = place.openAL
    alSource3f(source, AL_POSITION, x, y, z)
  }

  /// Sets its gain, a factor from 0 to 1.
  public func setGain(_ gain: Float) {
    context.makeCurrent()
    alSourcef(source, AL_GAIN, gain)
  }
}
