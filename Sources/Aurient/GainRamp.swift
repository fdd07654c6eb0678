/// A gain that goes evenly to where it is wanted, so that no change of it clicks.
struct GainRamp {
  /// What it is, a factor.
  private(set) var value: Float = 1
  /// What it goes to.
  var target: Float = 1
  /// How far it goes in a frame.
  private let step: Float

  /// A gain of 1 that takes so many frames for a change by 1.
  init(length: Int) { step = 1 / Float(length) }

  /// Multiplies samples, the first of which is the next frame; a gain that stays 1 changes no bit.
  func apply(to samples: UnsafeMutableBufferPointer<Float>) {
    guard value != 1 || target != 1 else { return }
    if value == target {
      for index in samples.indices { samples[index] *= value }
      return
    }
    for index in samples.indices { samples[index] *= value(after: index + 1) }
  }

  /// Goes on by frames.
  mutating func advance(_ frames: Int) { value = value(after: frames) }

  /// Is at once where it goes to.
  mutating func jump() { value = target }

  private func value(after frames: Int) -> Float {
    let way = step * Float(frames)
    return target > value ? min(target, value + way) : max(target, value - way)
  }
}
