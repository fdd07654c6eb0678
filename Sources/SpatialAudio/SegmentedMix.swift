import Files
public import Geometry
public import HRTF

/// A mix rendered on all cores: what is done on it is noted, and rendered in segments, each on a mix of its own that
/// starts with the state of all sources and a few frames of the segment before, after which its filters hold what
/// they would. For sound that need not be there at once; else use `LoopbackMix`.
///
/// Where segments begin follows from the calls alone, so that the samples do not depend on how many cores there are.
/// Of one source they are those of a `LoopbackMix`, bit for bit; the sum of several may differ in its rounding once
/// some have rested, since OpenAL then adds them in another order.
public final class SegmentedMix {
  /// Frames a second.
  public let sampleRate: Int
  /// Frames noted so far.
  public private(set) var frame = 0

  private let open: () throws(EngineError) -> LoopbackMix
  private let threadCount: Int
  private let longest: Int
  /// Those that are not at work.
  private var idle: [SegmentRenderer]
  /// Those at work, the earliest segment first.
  private var work: [SegmentWork] = []
  private var sources: [SourceState] = []
  private var listener: (ahead: Vector3, up: Vector3)?
  private var segment = MixSegment()
  /// The segment after, once it has begun.
  private var following: MixSegment?
  /// Segments whose sound has been given out.
  private var spares: [MixSegment] = []

  /// Frames and mixes with which a segment begins before it is heard: the longest delay and response, and in the
  /// first mix a fade to the new filters, that only the segment before has.
  private static let (knownFrames, knownMixes) = (512, 2)
  /// Frames of a segment, and samples that its sources may be given; of many sources it is shorter.
  private static let (segmentLength, mostSamples) = (131_072, 4_194_304)
  /// Frames that are given out at once.
  private static let blockLength = 2048

  /// Opens a first mix.
  ///
  /// - Parameters:
  ///   - dataSets, sourceCount: See `LoopbackMix`.
  ///   - threadCount: How many threads render at a time, of 1 the caller's own; else as many as keep all cores busy.
  /// - Throws: `EngineError`, see `LoopbackDevice`.
  public convenience init(
    sampleRate: Int, dataSets: [DistanceDataSet], sourceCount: Int = 64, threadCount: Int? = nil
  ) throws(EngineError) {
    try self.init(
      sampleRate: sampleRate, dataSets: dataSets, sourceCount: sourceCount,
      threadCount: threadCount ?? Self.threadCount(cores: availableCoreCount()),
      segmentLength: max(
        Self.segmentLength / 4, min(Self.segmentLength, Self.mostSamples / max(1, sourceCount))))
  }

  init(
    sampleRate: Int, dataSets: [DistanceDataSet], sourceCount: Int, threadCount: Int,
    segmentLength: Int
  ) throws(EngineError) {
    self.sampleRate = sampleRate
    self.threadCount = threadCount
    longest = segmentLength
    open = { () throws(EngineError) in
      try LoopbackMix(sampleRate: sampleRate, dataSets: dataSets, sourceCount: sourceCount)
    }
    idle = [SegmentRenderer(try open())]
  }

  /// One more than there are cores: they have work while the caller waits for the earliest. Of very many cores some are
  /// left: the caller has a twentieth of the work to do itself.
  private static func threadCount(cores: Int) -> Int { cores > 1 ? min(16, cores) + 1 : 1 }

  /// Renders the next frames; gives out sound, of these or earlier ones, when there is some.
  ///
  /// - Parameter onSound: Called with the next samples, left and right by turns; may throw.
  /// - Throws: What it throws, and `EngineError`.
  public func render(
    frames count: Int, onSound: (UnsafeBufferPointer<Float>) throws -> Void
  ) throws {
    note(.render(count))
    frame += count
    let isLong = segment.frameCount - segment.knownCount >= longest
    if let following {
      if following.frameCount >= Self.knownFrames, following.mixCount >= Self.knownMixes {
        try begin(segment, onSound)
        segment = following
        segment.knownCount = segment.frameCount
        self.following = nil
      }
    } else if isLong {
      following = next()
    }
  }

  /// Gives out the sound that is still to come, and ends it: what is rendered afterwards begins out of nothing.
  ///
  /// - Throws: As `render`.
  public func finish(onSound: (UnsafeBufferPointer<Float>) throws -> Void) throws {
    try begin(segment, onSound)
    while !work.isEmpty { try give(try earliest(), onSound) }
    segment = next()
    following = nil
  }

  /// A segment that begins now.
  private func next() -> MixSegment {
    let segment = spares.popLast() ?? MixSegment(room: self.segment.samples.count * 9 / 8)
    segment.begin(at: frame, sources: sources, listener: listener)
    return segment
  }

  /// Has a segment rendered, and gives out the sound of the earliest if there are enough threads at work.
  private func begin(
    _ segment: MixSegment, _ onSound: (UnsafeBufferPointer<Float>) throws -> Void
  ) throws {
    let rendered = work.count == threadCount ? try earliest() : nil
    let renderer = try idle.popLast() ?? SegmentRenderer(open())
    work.append(try SegmentWork(segment, renderer, onOwnThread: threadCount > 1))
    if let rendered { try give(rendered, onSound) }
  }

  /// The earliest segment at work, once it is done.
  private func earliest() throws(EngineError) -> MixSegment {
    let first = work.removeFirst()
    let segment = try first.end()
    idle.append(first.renderer)
    return segment
  }

  /// Gives out a segment's sound.
  private func give(
    _ segment: MixSegment, _ onSound: (UnsafeBufferPointer<Float>) throws -> Void
  ) throws {
    try segment.sound.withUnsafeBufferPointer { sound in
      var rest = sound[(2 * segment.knownCount)..<(2 * segment.frameCount)]
      while !rest.isEmpty {
        let block = rest.prefix(2 * Self.blockLength)
        try onSound(UnsafeBufferPointer(rebasing: block))
        rest = rest.dropFirst(block.count)
      }
    }
    spares.append(segment)
  }

  private func note(_ command: MixSegment.Command) {
    segment.append(command)
    following?.append(command)
  }
}

extension SegmentedMix: SoundStage {
  /// Makes the changes; the next frame noted is the first with them.
  public func apply(_ changes: () -> Void) -> Int {
    changes()
    return frame
  }

  /// Turns the listener; see `OpenALContext`.
  public func setListener(ahead: Vector3, up: Vector3) {
    listener = (ahead, up)
    note(.listener(ahead: ahead, up: up))
  }

  /// A source of the mix. That OpenAL has none left is told by `render` or `finish`.
  public func makeSource(_ samples: [Float], looping: Bool) -> any StageSource {
    let state = SourceState(samples: samples, isLooping: looping)
    note(.make(sources.count, state))
    sources.append(state)
    return SegmentedSource(sources.count - 1, of: self)
  }

  /// Does nothing: errors are thrown by `render` and `finish`.
  public func checkErrors() {}

  fileprivate func change(
    _ index: Int, _ command: MixSegment.Command, _ change: (inout SourceState) -> Void
  ) {
    change(&sources[index])
    note(command)
  }

  fileprivate func write(_ samples: UnsafeBufferPointer<Float>, of index: Int, at place: Int) {
    sources[index].samples.withUnsafeMutableBufferPointer {
      _ = $0[place..<(place + samples.count)].update(fromContentsOf: samples)
    }
    segment.append(samples, of: index, at: place)
    following?.append(samples, of: index, at: place)
  }
}

/// A source of a segmented mix; it stays, silent, when this goes.
private final class SegmentedSource: StageSource {
  private let index: Int
  private let mix: SegmentedMix

  init(_ index: Int, of mix: SegmentedMix) {
    self.index = index
    self.mix = mix
  }

  deinit { stop() }

  func play() -> Int {
    mix.change(index, .play(index)) { [frame = mix.frame] in $0.begin = frame }
    return mix.frame
  }

  func stop() { mix.change(index, .stop(index)) { $0.begin = nil } }
  func rest() { mix.change(index, .rest(index)) { $0.isResting = true } }
  func resume() { mix.change(index, .resume(index)) { $0.isResting = false } }

  func setPosition(_ place: Vector3) {
    mix.change(index, .place(index, place)) { $0.place = place }
  }

  func setGain(_ gain: Float) { mix.change(index, .gain(index, gain)) { $0.gain = gain } }

  func write(_ samples: UnsafeBufferPointer<Float>, at frame: Int) {
    mix.write(samples, of: index, at: frame)
  }
}
