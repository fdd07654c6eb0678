import Glibc

/// What a beacon sounds like from moment to moment: one channel of samples, made piece by piece.
///
/// All changes are on the beat of a grid that counts from frame 0 of the scene, so that grid and loops never
/// drift apart, and several beacons of a style beat together. What was there fades into what follows over the
/// last milliseconds before the beat, so that nothing clicks whatever the sounds are, and the beat itself
/// keeps its onset. Making a piece neither allocates nor locks.
struct BeaconVoice {
  /// What is wanted of it, as the scene has it at the time of a piece.
  struct Wish: Equatable {
    /// Whether the beacon sounds, and if not, why.
    var presence = BeaconState.Presence.sounding
    /// The number of the region that it lies in; nil while none is known.
    var region: Int?
    /// How near it is, 0 to 1: the level of the hum.
    var closeness = 0.0
  }

  /// What is played.
  private enum Part: Equatable {
    /// Nothing, before a beginning or after an end.
    case silence
    /// Nothing, in the middle.
    case pause
    /// The melody before the loop, from a frame of the scene on.
    case start(Int)
    case loop(Int)
    /// The melody at the arrival, from a frame of the scene on.
    case end(Int)
  }

  private let sounds: StyleSounds
  private let fadeLength: Int
  private var part = Part.silence
  /// What is played from the next beat on, once that is decided.
  private var next: Part?
  private var region: Int
  private var hasBegun = false
  private var humGain: Float = 0
  /// The hum's level against the loops'.
  private static let humLevel: Float = 0.5

  /// A voice that begins with the first beat of its grid.
  init(_ sounds: StyleSounds, sampleRate: Int) {
    self.sounds = sounds
    // 5 ms: a beat has at least 10.
    fadeLength = sampleRate / 200
    // Until a heading is known, no loop shall say that the beacon is ahead.
    region = sounds.loops.count - 1
  }

  /// Whether the piece made last, and so whatever follows until something else is wanted, is silence.
  var isSilent: Bool {
    (part == .silence || part == .pause) && (next ?? part) == part && humGain == 0
  }

  /// Makes the samples from a frame of the scene on, which follows the last one made.
  mutating func render(
    into output: UnsafeMutableBufferPointer<Float>, from frame: Int, _ wish: Wish
  ) {
    if let region = wish.region { self.region = min(region, sounds.loops.count - 1) }
    var done = 0
    while done < output.count {
      let now = frame + done
      let phase = now % sounds.beat
      if phase == 0 {
        part = next ?? (hasBegun ? part : following(wish, at: now))
        next = nil
      }
      hasBegun = true
      let fadePhase = sounds.beat - fadeLength
      if phase == fadePhase { next = following(wish, at: now + fadeLength) }
      let end = phase < fadePhase ? fadePhase : sounds.beat
      let count = min(end - phase, output.count - done)
      let run = UnsafeMutableBufferPointer(rebasing: output[done..<done + count])
      copy(part, from: now, to: run)
      if let next, next != part { fade(run, to: next, from: now) }
      done += count
    }
    addHum(to: output, from: frame, wish)
  }

  /// What follows on the beat at a frame.
  private func following(_ wish: Wish, at beat: Int) -> Part {
    switch wish.presence {
    case .off: .pause
    case .waiting: .silence
    case .sounding:
      switch part {
      case .silence: opening(beat)
      case .pause, .loop: .loop(region)
      case .start(let begin): beat - begin < length(sounds.start) ? part : .loop(region)
      case .end(let begin): beat - begin < length(sounds.end) ? part : opening(beat)
      }
    case .arrived:
      switch part {
      case .silence, .pause: .silence
      case .start, .loop: sounds.end == nil ? .silence : .end(beat)
      case .end(let begin): beat - begin < length(sounds.end) ? part : .silence
      }
    }
  }

  private func opening(_ beat: Int) -> Part { sounds.start == nil ? .loop(region) : .start(beat) }
  private func length(_ melody: [Float]?) -> Int { melody?.count ?? 0 }

  /// Copies what a part has from a frame of the scene on.
  private func copy(
    _ part: Part, from frame: Int, to output: UnsafeMutableBufferPointer<Float>
  ) {
    switch part {
    case .silence, .pause: output.update(repeating: 0)
    case .start(let begin): copy(sounds.start ?? [], from: frame - begin, to: output)
    case .end(let begin): copy(sounds.end ?? [], from: frame - begin, to: output)
    case .loop(let region):
      let loop = sounds.loops[region]
      var done = 0
      while done < output.count {
        let start = (frame + done) % loop.count
        let count = min(output.count - done, loop.count - start)
        copy(
          loop, from: start,
          to: UnsafeMutableBufferPointer(rebasing: output[done..<done + count]))
        done += count
      }
    }
  }

  /// Copies samples from one on; beyond the last come zeros.
  private func copy(
    _ samples: [Float], from start: Int, to output: UnsafeMutableBufferPointer<Float>
  ) {
    let count = max(0, min(output.count, samples.count - start))
    samples.withUnsafeBufferPointer { samples in
      _ = output.update(fromContentsOf: samples.dropFirst(start).prefix(count))
    }
    output.dropFirst(count).update(repeating: 0)
  }

  /// Fades a run before a beat to what follows on it, by half a cosine: for tones of 100 Hz and more no
  /// step from sample to sample is greater than their own.
  private func fade(
    _ run: UnsafeMutableBufferPointer<Float>, to next: Part, from frame: Int
  ) {
    let first = frame % sounds.beat - (sounds.beat - fadeLength)
    for index in run.indices {
      let share = (1 - cos(.pi * Float(first + index) / Float(fadeLength))) / 2
      run[index] += share * (sample(of: next, frame + index) - run[index])
    }
  }

  /// A sample of a part before the beat on which it begins.
  private func sample(of part: Part, _ frame: Int) -> Float {
    guard case .loop(let region) = part else { return 0 }
    return sounds.loops[region][frame % sounds.loops[region].count]
  }

  /// Adds the hum, whose level moves over a piece to where it should be.
  private mutating func addHum(
    to output: UnsafeMutableBufferPointer<Float>, from frame: Int, _ wish: Wish
  ) {
    guard let hum = sounds.hum else { return }
    let target = wish.presence == .sounding ? Self.humLevel * Float(wish.closeness) : 0
    guard humGain > 0 || target > 0 else { return }
    let step = (target - humGain) / Float(max(1, output.count))
    for index in output.indices {
      humGain += step
      output[index] += humGain * hum[(frame + index) % hum.count]
    }
    humGain = target
  }
}
