public import Geometry

/// A sound in a mix's world, heard from one place; shared by the devices of the distances around it.
public final class MixSource {
  private let mix: LoopbackMix
  private let sources: [SoundSource]
  private let length: Int
  private let isLooping: Bool
  private var gain: Float = 1
  private var distance = 1.0
  private var begin: Int?
  private var isResting = false
  private var isAudible: [Bool]

  /// Loads one channel of samples, at the mix's rate so that nothing is resampled, and leaves it
  /// silent; see `play`.
  ///
  /// - Throws: `EngineError` if OpenAL has no source or no memory left.
  public init(_ samples: [Float], looping: Bool, on mix: LoopbackMix) throws(EngineError) {
    var sources: [SoundSource] = []
    for device in mix.devices {
      sources.append(try SoundSource(samples, looping: looping, in: device.context))
    }
    self.mix = mix
    self.sources = sources
    length = samples.count
    isLooping = looping
    isAudible = sources.map { _ in false }
    mix.add(self)
    updateGains()
  }

  deinit {
    for index in isAudible.indices where isAudible[index] { mix.setAudible(false, index) }
    mix.remove(self)
  }

  /// Replaces samples of the sound from a frame on, also while it plays; see `SoundSource`.
  public func write(_ samples: UnsafeBufferPointer<Float>, at frame: Int) {
    for source in sources { source.write(samples, at: frame) }
  }

  /// Starts it with the next frame rendered, which is returned.
  @discardableResult
  public func play() -> Int {
    begin = mix.frameCount
    // The others start when they wake.
    for index in sources.indices where mix.isAwake(index) { sources[index].play() }
    return mix.frameCount
  }

  /// Ends it.
  public func stop() {
    begin = nil
    for source in sources { source.stop() }
  }

  /// Stops a loop that is silent, which spares the engine all work for it, until `resume`.
  public func rest() {
    isResting = true
    for source in sources { source.stop() }
  }

  /// Lets a loop that rests go on with the next frame rendered, where it would be by now.
  public func resume() {
    guard isResting else { return }
    isResting = false
    goOn()
  }

  /// After the mix has been restarted: plays as if it had begun at a frame of the mix, nil for one that does not play.
  func restore(begin: Int?, isResting: Bool) {
    self.begin = begin
    self.isResting = isResting
    goOn()
  }

  /// Plays, where it would be by now.
  private func goOn() {
    guard !isResting, let begin, case let passed = mix.frameCount - begin else { return }
    guard isLooping || passed < length else { return }
    for index in sources.indices where mix.isAwake(index) {
      sources[index].play(from: passed % length)
    }
  }

  /// Puts it at a place in the world frame (east, north, up), metres from the listener.
  public func setPosition(_ place: Vector3) {
    for source in sources { source.setPosition(place) }
    guard sources.count > 1 else { return }
    distance = place.length
    updateGains()
  }

  /// Sets its gain, a factor from 0 to 1.
  public func setGain(_ gain: Float) {
    self.gain = gain
    updateGains()
  }

  private func updateGains() {
    guard sources.count > 1 else {
      sources[0].setGain(gain)
      return
    }
    for index in sources.indices {
      let part = gainPart(index)
      sources[index].setGain(part)
      if isAudible[index] != (part > 0) {
        isAudible[index] = part > 0
        mix.setAudible(part > 0, index)
      }
    }
  }

  private func gainPart(_ index: Int) -> Float {
    gain * Float(mix.shells.gain(index, at: distance))
  }

  /// Before a device that has slept renders `lead` frames unheard: goes on from where the sound was before
  /// them. A sound that had not begun then stays silent until `start`.
  func fallBack(_ index: Int, by lead: Int) {
    sources[index].stop()
    sources[index].setGain(0)
    guard !isResting, let begin, case let passed = mix.frameCount - begin, passed >= lead else {
      return
    }
    if isLooping || passed < length { sources[index].play(from: (passed - lead) % length) }
  }

  /// After that: lets it fade in, and starts a sound that had not begun before.
  func start(_ index: Int, lead: Int) {
    sources[index].setGain(gainPart(index))
    guard !isResting, let begin, case let passed = mix.frameCount - begin, passed < lead else {
      return
    }
    if isLooping || passed < length { sources[index].play(from: passed % length) }
  }
}
