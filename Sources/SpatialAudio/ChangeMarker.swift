internal import COpenAL

/// An unheard source that tells before which frame a batch of changes took effect.
///
/// OpenAL does not say when its mixer took a change over. But all that waits between
/// `alDeferUpdatesSOFT` and `alProcessUpdatesSOFT` is taken over at once, before the same frame. So each
/// batch also changes this source's speed, to another of one, two or three frames of its sound a frame mixed.
/// From where the source is before and after, with the device's clock then, the frame follows, whatever
/// was mixed meanwhile.
final class ChangeMarker {
  private let clock: DeviceClock
  private var buffer: ALuint = 0
  private var source: ALuint = 0
  /// The speed set last, and the one before, with which the source runs until the mixer takes that over.
  private var speed = 1
  private var running = 1
  /// The frame stated last.
  private var lastFrame = -1
  /// The frame that was stated for earlier batches that took effect only with the last; nil if none did.
  private(set) var lateFrame: Int?

  /// Frames of its sound, which is played in a loop: more than are mixed between two readings.
  private static let length = 1 << 18

  /// Adds it to the context that is current.
  init(_ clock: DeviceClock, sampleRate: Int) throws(EngineError) {
    self.clock = clock
    alGetError()
    alGenBuffers(1, &buffer)
    let silence = [UInt8](repeating: 128, count: Self.length)
    alBufferData(buffer, AL_FORMAT_MONO8, silence, ALsizei(Self.length), ALsizei(sampleRate))
    alGenSources(1, &source)
    alSourcei(source, AL_BUFFER, ALint(buffer))
    alSourcei(source, AL_LOOPING, AL_TRUE)
    alSourcef(source, AL_GAIN, 0)
    alSourcePlay(source)
    guard alGetError() == AL_NO_ERROR else {
      throw EngineError(.source, "OpenAL has no source for the marker of changes")
    }
  }

  /// Has changes take effect together, and returns before which frame they did or will.
  func apply(_ changes: () -> Void) -> Int {
    alDeferUpdatesSOFT()
    changes()
    let before = clock.position(of: source)
    // Nothing has been mixed since the last batch: that waits still.
    let isPending = before.frame == lastFrame && running != speed
    if !isPending { running = speed }
    let new = isPending ? 6 - running - speed : speed % 3 + 1
    alSourcef(source, AL_PITCH, ALfloat(new))
    alProcessUpdatesSOFT()
    let after = clock.position(of: source)
    let mixed = after.frame - before.frame
    let passed = (after.place - before.place + Self.length) % Self.length
    if isPending && mixed > 0 && passed == running * mixed {
      // The mixer came while OpenAL held updates back, and has taken over neither batch.
      lateFrame = before.frame
      lastFrame = after.frame
    } else {
      lateFrame = nil
      // At the old speed up to the change and at the new one after, the source has come this far.
      lastFrame = (new * after.frame - speed * before.frame - passed) / (new - speed)
      if mixed > 0 { running = speed }
    }
    speed = new
    return lastFrame
  }

  /// Takes it out of the context, which is current.
  func remove() {
    alDeleteSources(1, &source)
    alDeleteBuffers(1, &buffer)
  }
}
