import Geometry

/// Renders segments of a mix, one at a time, on a mix of its own.
final class SegmentRenderer {
  private let mix: LoopbackMix
  private var sources: [MixSource] = []

  init(_ mix: LoopbackMix) { self.mix = mix }

  /// Fills in a segment's sound.
  ///
  /// - Throws: `EngineError` if OpenAL reports an error.
  func render(_ segment: MixSegment) throws(EngineError) {
    mix.restart(at: segment.start)
    for (index, state) in segment.sources.enumerated() { try bring(index, to: state) }
    if let (ahead, up) = segment.listener { mix.setListener(ahead: ahead, up: up) }
    // In their order, which is that in which OpenAL adds them.
    for (source, state) in zip(sources, segment.sources) {
      source.restore(begin: state.begin, isResting: state.isResting)
    }
    let missing = 2 * segment.frameCount - segment.sound.count
    if missing > 0 { segment.sound += repeatElement(0, count: missing) }
    var position = 0
    for command in segment.commands {
      switch command {
      case .listener(let ahead, let up): mix.setListener(ahead: ahead, up: up)
      case .make(let index, let state): try bring(index, to: state)
      case .play(let index): sources[index].play()
      case .stop(let index): sources[index].stop()
      case .rest(let index): sources[index].rest()
      case .resume(let index): sources[index].resume()
      case .place(let index, let place): sources[index].setPosition(place)
      case .gain(let index, let gain): sources[index].setGain(gain)
      case .write(let index, let frame, let range):
        segment.samples.withUnsafeBufferPointer {
          sources[index].write(UnsafeBufferPointer(rebasing: $0[range]), at: frame)
        }
      case .render(let count):
        segment.sound.withUnsafeMutableBufferPointer {
          let block = $0[position..<(position + 2 * count)]
          mix.render(into: UnsafeMutableBufferPointer(rebasing: block))
        }
        position += 2 * count
      }
    }
    try mix.checkErrors()
  }

  /// Makes a source, or gives one of another segment its sound and place.
  private func bring(_ index: Int, to state: SourceState) throws(EngineError) {
    if index == sources.count {
      sources.append(try MixSource(state.samples, looping: state.isLooping, on: mix))
    } else {
      state.samples.withUnsafeBufferPointer { sources[index].write($0, at: 0) }
    }
    sources[index].setGain(state.gain)
    if let place = state.place { sources[index].setPosition(place) }
  }
}
