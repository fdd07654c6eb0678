import Aurient
import Files
import Geometry
import Glibc
import HRTF
import SpatialAudio
import Synchronization

/// Levels of what comes from straight ahead, by which a whole set is aligned; known to all threads.
final class ReferenceLevels: Sendable {
  struct Name: Hashable { var source: Int, ears: Int, distance: Double?, lowPass: Double? }
  private let levels = Mutex<[Name: Double]>([:])

  /// The level of a name, which is measured if no thread has done so yet.
  func level(_ name: Name, measure: () throws -> Double) rethrows -> Double {
    if let known = levels.withLock({ $0[name] }) { return known }
    let level = try measure()
    levels.withLock { $0[name] = level }
    return level
  }
}

/// Makes stimuli, on one thread.
///
/// For a source that stands still the engine is a linear and time-invariant system, from the first sample
/// on: its response to a click from a direction, taken of the whole of OpenAL's path, tells all of it. The
/// sound is convolved with that response, which takes a fraction of the time that OpenAL takes for the
/// sound itself and differs from that by rounding alone.
final class StimulusRenderer {
  /// A finished stimulus.
  struct Rendered {
    /// Left and right by turns.
    var samples: [Float]
    /// Decibels by which it was changed against the sound through the set.
    var gain: Double
    /// Its level before that, LUFS or dB of full scale; nil where nothing is aligned.
    var level: Double?
    /// Where a walk's beacon lay at the end.
    var target: SphericalDirection?

    /// The greatest magnitude, dB of full scale.
    var peak: Double { 20 * log10(Double(samples.reduce(0) { max($0, abs($1)) })) }
  }

  private let material: StimulusMaterial
  private let stimuli: [Stimulus]
  private let references: ReferenceLevels
  private let catalogue: HRTFCatalogue
  private let fft: RealFFT
  private var mixes: [Int: LoopbackMix] = [:]

  init(
    _ material: StimulusMaterial, _ stimuli: [Stimulus], references: ReferenceLevels,
    catalogue: HRTFCatalogue
  ) {
    self.material = material
    self.stimuli = stimuli
    self.references = references
    self.catalogue = catalogue
    fft = RealFFT(size: SourceSignal.size(responseLength: material.responseLength))
  }

  /// Makes a stimulus.
  ///
  /// - Throws: `FileError` if it is silent, and what the engine throws.
  func render(_ number: Int) throws -> Rendered {
    let stimulus = stimuli[number]
    var (samples, target) = try sound(stimulus.content)
    let level = material.design.level
    var gain = level.gain
    var measured: Double?
    if level.alignment != .none {
      measured = try self.level(of: samples, stimulus.content)
      gain = level.target - (measured ?? 0)
    }
    gain += stimulus.rove
    let factor = Float(pow(10, gain / 20))
    for index in samples.indices { samples[index] *= factor }
    return Rendered(samples: samples, gain: gain, level: measured, target: target)
  }

  /// What a stimulus sounds like before its level is set.
  private func sound(
    _ content: Stimulus.Content
  ) throws -> (samples: [Float], target: SphericalDirection?) {
    switch content {
    case .placed(let source, let ears, let direction, let distance, let lowPass):
      let place = material.place(direction, distance: distance, ears: ears)
      let response = try mix(ears).impulseResponse(place)
      let samples = heard(source, lowPass: lowPass, [response.ear(0), response.ear(1)])
      return (samples, nil)
    case .diotic(let source):
      var click = [Float](repeating: 0, count: StimulusMaterial.engineResponseLength)
      click[0] = 1
      return (heard(source, lowPass: nil, [click, click]), nil)
    case .check(let check):
      var click = [Float](repeating: 0, count: StimulusMaterial.engineResponseLength)
      let silence = click
      click[0] = 1
      let responses = [check == .right ? silence : click, check == .left ? silence : click]
      let filtered = material.headphones?.applied(to: responses) ?? responses
      return (material.checkSignal.convolved(with: filtered, fft), nil)
    case .walk(let scene, let ears):
      var walk = try WalkStimulus(material, scene: scene, ears: ears, catalogue: catalogue)
      if let headphones = material.headphones {
        walk.samples = throughHeadphones(walk.samples, headphones)
      }
      return (walk.samples, walk.target)
    }
  }

  private func heard(_ source: Int, lowPass: Double?, _ responses: [[Float]]) -> [Float] {
    guard let signal = material.signal(source, lowPass: lowPass) else { return [] }
    return signal.convolved(
      with: material.headphones?.applied(to: responses) ?? responses, fft)
  }

  private func throughHeadphones(_ samples: [Float], _ filter: HeadphoneFilter) -> [Float] {
    let length = filter.taps[0].count
    let fft = RealFFT(size: SourceSignal.size(responseLength: length))
    let ears = (0...1).map { ear in
      let channel = stride(from: ear, to: samples.count, by: 2).map { samples[$0] }
      return SourceSignal(channel, responseLength: length).convolved(with: filter.taps, fft)
    }
    return ears[0].indices.map { ears[$0 % 2][$0] }
  }

  private func mix(_ ears: Int) throws -> LoopbackMix {
    if let mix = mixes[ears] { return mix }
    let mix = try LoopbackMix(
      sampleRate: material.sampleRate, dataSets: material.selections[ears].dataSets, sourceCount: 1)
    mixes[ears] = mix
    return mix
  }

  /// The level by which a stimulus is aligned: its own, or that of its set from straight ahead.
  private func level(of samples: [Float], _ content: Stimulus.Content) throws -> Double {
    func own(_ samples: [Float]) throws -> Double {
      guard
        let level = StimulusLevel.measured(
          samples, sampleRate: material.sampleRate, by: material.design.level.alignment)
      else {
        throw FileError(
          .unsupported, file: material.design.path, place: "level",
          "a stimulus is too quiet to be aligned: \(material.words(content))")
      }
      return level
    }
    guard material.design.level.scope == .set,
      case .placed(let source, let ears, _, _, let lowPass) = content
    else { return try own(samples) }
    // From the design's first distance, so that the others stay as much louder or softer as they are.
    let name = ReferenceLevels.Name(
      source: source, ears: ears, distance: material.design.distances?.first, lowPass: lowPass)
    return try references.level(name) {
      let ahead = Stimulus.Content.placed(
        source: source, ears: ears, direction: SphericalDirection(azimuth: 0, elevation: 0),
        distance: name.distance, lowPass: lowPass)
      return try own(try sound(ahead).samples)
    }
  }
}
