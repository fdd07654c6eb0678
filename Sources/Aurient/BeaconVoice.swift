import Glibc

/// What a beacon sounds like from moment to moment: one channel of samples, made piece by piece.
///
/// All changes are on the beat of a grid that counts from frame 0 of the scene, so that grid and loops never
/// drift apart, and several beacons of a style beat together. What was there before fades out over the
/// first milliseconds of the beat, so that nothing clicks whatever the sounds are. Making a piece
/// neither allocates nor locks.
struct BeaconVoice {
  /// What is wanted of it, as the scene has it at the time of a piece.
  struct Wish: Equatable {
    /// Whether the beacon sounds: it is on, and has not been arrived at.
    var isSounding = true
    /// The number of the region that it lies in; nil while none is known.
    var region: Int?
    /// How near it is, 0 to 1: the level of the hum.
    var closeness = 0.0
  }

  /// What is played.
  private enum Part: Equatable {
    case silence
    /// The melody before the loop, from a frame of the scene on.
    case start(Int)
    case loop(Int)
    /// The melody at the arrival, from a frame of the scene on.
    case end(Int)
  }

  private let sounds: StyleSounds
  private let fadeLength: Int
  private var part = Part.silence
  private var last = Part.silence
  private var switchFrame = -1_000_000
  private var region = 0
  private var humGain: Float = 0
  /// The hum's level against the loops'.
  private static let humLevel: Float = 0.5

  /// A voice that begins with the first beat of its grid.
  init(_ sounds: StyleSounds, sampleRate: Int) {
    self.sounds = sounds
    // 5 ms.
    fadeLength = sampleRate / 200
  }

  /// Makes the samples from a frame of the scene on.
  mutating func render(
    into output: UnsafeMutableBufferPointer<Float>, from frame: Int, _ wish: Wish
  ) {
    if let region = wish.region { self.region = min(region, sounds.loops.count - 1) }
    var done = 0
    while done < output.count {
      let now = frame + done
      let toBeat = sounds.beat - now % sounds.beat
      if toBeat == sounds.beat { change(at: now, wish) }
      let count = min(toBeat, output.count - done)
      let run = UnsafeMutableBufferPointer(rebasing: output[done..<done + count])
      copy(part, from: now, to: run)
      fade(run, from: now)
      done += count
    }
    addHum(to: output, from: frame, wish)
  }

  /// What follows on a beat.
  private mutating func change(at frame: Int, _ wish: Wish) {
    let next: Part =
      switch part {
      case .silence: wish.isSounding ? opening(frame) : .silence
      case .start(let begin) where wish.isSounding:
        frame - begin < (sounds.start?.count ?? 0) ? part : .loop(region)
      case .start, .loop: wish.isSounding ? .loop(region) : closing(frame)
      case .end(let begin):
        if frame - begin < (sounds.end?.count ?? 0) {
          part
        } else {
          wish.isSounding ? opening(frame) : .silence
        }
      }
    guard next != part else { return }
    (last, part, switchFrame) = (part, next, frame)
  }

  private func opening(_ frame: Int) -> Part { sounds.start == nil ? .loop(region) : .start(frame) }
  private func closing(_ frame: Int) -> Part { sounds.end == nil ? .silence : .end(frame) }

  /// Copies what a part has from a frame of the scene on, to before the next beat.
  private func copy(
    _ part: Part, from frame: Int, to output: UnsafeMutableBufferPointer<Float>
  ) {
    switch part {
    case .silence: output.update(repeating: 0)
    case .start(let begin): copy(sounds.start ?? [], from: frame - begin, to: output)
    case .end(let begin): copy(sounds.end ?? [], from: frame - begin, to: output)
    case .loop(let region):
      let loop = sounds.loops[region]
      copy(loop, from: frame % loop.count, to: output)
    }
  }

  private func copy(
    _ samples: [Float], from start: Int, to output: UnsafeMutableBufferPointer<Float>
  ) {
    let count = max(0, min(output.count, samples.count - start))
    samples.withUnsafeBufferPointer { samples in
      for index in 0..<count { output[index] = samples[start + index] }
    }
    for index in count..<output.count { output[index] = 0 }
  }

  /// Lets what was before the last change go out over the first frames after it, and what begins come in
  /// over fewer, so that its onset stays.
  private func fade(_ output: UnsafeMutableBufferPointer<Float>, from frame: Int) {
    for index in output.indices {
      let passed = frame + index - switchFrame
      guard passed < fadeLength else { return }
      let coming = min(1, Float(passed) / Float(fadeLength) * 5)
      let going = 1 - Float(passed) / Float(fadeLength)
      output[index] = coming * output[index] + going * sample(of: last, frame + index)
    }
  }

  private func sample(of part: Part, _ frame: Int) -> Float {
    switch part {
    case .silence: 0
    case .start(let begin): melody(sounds.start, frame - begin)
    case .loop(let region): sounds.loops[region][frame % sounds.loops[region].count]
    case .end(let begin): melody(sounds.end, frame - begin)
    }
  }

  private func melody(_ samples: [Float]?, _ frame: Int) -> Float {
    guard let samples, frame < samples.count else { return 0 }
    return samples[frame]
  }

  /// Adds the hum, whose level moves over a piece to where it should be.
  private mutating func addHum(
    to output: UnsafeMutableBufferPointer<Float>, from frame: Int, _ wish: Wish
  ) {
    guard let hum = sounds.hum else { return }
    let target = wish.isSounding ? Self.humLevel * Float(wish.closeness) : 0
    guard humGain > 0 || target > 0 else { return }
    let step = (target - humGain) / Float(max(1, output.count))
    for index in output.indices {
      humGain += step
      output[index] += humGain * hum[(frame + index) % hum.count]
    }
    humGain = target
  }
}
