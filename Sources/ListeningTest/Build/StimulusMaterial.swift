import Aurient
import Files
import HRTF
import SpatialAudio

/// All that stimuli are made of, read once and shared by all threads.
struct StimulusMaterial: Sendable {
  /// A file that goes into a test.
  struct Input: Sendable {
    /// What it is, as in `hrtfs KEMAR`.
    var role: String
    var path: String
  }

  let design: ListeningDesign
  /// Of all stimuli, Hz.
  let sampleRate: Int
  let selections: [HRTFCatalogue.Selection]
  let grids: [MeasuredGrid]
  let headphones: HeadphoneFilter?
  let scenes: [Scene]
  /// In the order of the design.
  let inputs: [Input]
  /// What can be built but may not be meant, each with its place in the design.
  private(set) var warnings: [String] = []
  /// Samples of a response from a direction to an ear.
  let responseLength: Int
  /// What the headphones are checked with: the first sound, or one that ships.
  let checkSignal: SourceSignal
  private let signals: [SignalName: SourceSignal]

  private struct SignalName: Hashable {
    var source: Int
    var lowPass: Double?
  }

  /// Samples that the engine's own response has.
  static let engineResponseLength = ImpulseResponse.frameCount

  /// Reads sets, sounds, scenes and the headphones' filter.
  ///
  /// - Throws: `FileError` for what cannot be used, naming the design's key where it is the design's fault.
  init(_ plan: TrialPlan, catalogue: HRTFCatalogue) throws {
    let design = plan.design
    var inputs = [Input(role: "design", path: design.path)]
    var (selections, grids) = ([HRTFCatalogue.Selection](), [MeasuredGrid]())
    for (index, ears) in design.ears.enumerated() {
      let place = "hrtfs[\(index)].set"
      let (file, selection) = try Self.set(ears, of: design, place: place, catalogue)
      if let first = selections.first?.sampleRate, first != selection.sampleRate {
        throw FileError(
          .unsupported, file: design.path, place: place,
          "is of \(selection.sampleRate ?? 0) Hz and the first of \(first) Hz; name a sample_rate_hz for "
            + "all")
      }
      inputs.append(Input(role: "hrtfs \(ears.id)", path: file.path))
      selections.append(selection)
      var responses = file.responses
      if responses.isMirrored == true {
        if ears.fitting.isMirrorFixed {
          responses = responses.mirrored()
        } else {
          warnings.append(
            "\(place): left and right are mirrored; \"fix_mirror\": true turns them back")
        }
      }
      grids.append(MeasuredGrid(responses, isNearField: ears.fitting.isNearField))
    }
    let sampleRate = selections[0].sampleRate ?? 48_000
    headphones = try design.headphones.map { headphones in
      try Self.named("headphones.file", in: design) {
        try HeadphoneFilter(headphones, sampleRate: sampleRate)
      }
    }
    if let path = design.headphones?.file { inputs.append(Input(role: "headphones", path: path)) }
    let responseLength = Self.engineResponseLength + (headphones.map { $0.taps[0].count - 1 } ?? 0)
    var signals: [SignalName: SourceSignal] = [:]
    for (source, sound) in try Self.sounds(design, sampleRate: sampleRate).enumerated() {
      inputs.append(
        Input(role: "sounds \(design.sources[source].id)", path: design.sources[source].file))
      for lowPass in [nil] + Self.lowPasses(plan) {
        let samples = lowPass.map {
          LowPassFilter($0, sampleRate: sampleRate).filtered(sound)
        }
        signals[SignalName(source: source, lowPass: lowPass)] = SourceSignal(
          samples ?? sound, responseLength: responseLength)
      }
    }
    scenes = try design.walks.enumerated().map { index, walk in
      try Self.named("scenes[\(index)].file", in: design) { try Scene(path: walk.file) }
    }
    for (walk, scene) in zip(design.walks, scenes) {
      inputs += try Self.files(of: scene, walk).map { Input(role: "scenes \(walk.id)", path: $0) }
    }
    if let first = signals[SignalName(source: 0, lowPass: nil)] {
      checkSignal = first
    } else {
      let path = (DataFolder.path ?? "") + "/Sounds/pink-burst.flac"
      inputs.append(Input(role: "headphone check", path: path))
      let sound = try Sound(path: path).resampled(to: sampleRate, looping: false)
      checkSignal = SourceSignal(sound.samples, responseLength: responseLength)
    }
    self.design = design
    self.sampleRate = sampleRate
    self.selections = selections
    self.grids = grids
    self.inputs = inputs
    self.responseLength = responseLength
    self.signals = signals
    try checkPlaces(plan)
    warnings += inBetween(plan)
  }

  /// A sound of the design, low-passed or not.
  func signal(_ source: Int, lowPass: Double?) -> SourceSignal? {
    signals[SignalName(source: source, lowPass: lowPass)]
  }

  /// Reads a file that a design names, whose faults then name the place in the design as well.
  private static func named<Value>(
    _ place: String, in design: ListeningDesign, _ read: () throws -> Value
  ) throws -> Value {
    do {
      return try read()
    } catch let error as FileError {
      throw FileError(error.code, file: design.path, place: place, "\(error)")
    }
  }

  private static func set(
    _ ears: ListeningDesign.Ears, of design: ListeningDesign, place: String,
    _ catalogue: HRTFCatalogue
  ) throws -> (SOFAFile, HRTFCatalogue.Selection) {
    do {
      return try named(place, in: design) {
        let file = try catalogue.measurement(ears.set)
        return (
          file,
          try catalogue.select(file.path, sampleRate: design.sampleRate, fitting: ears.fitting)
        )
      }
    } catch let error as EngineError where error.code == .hrtf {
      throw FileError(.notFound, file: design.path, place: place, error.cause)
    }
  }

  /// The files that a scene is heard from.
  private static func files(
    of scene: Scene, _ walk: ListeningDesign.Walk
  ) throws(FileError) -> [String] {
    var files = [
      walk.file, scene.track, scene.head, scene.phone, scene.calibration, scene.route, scene.sound,
    ].compactMap(\.self)
    files += scene.beacons.compactMap(\.sound)
    for style in Set(([scene.style] + scene.beacons.map(\.style)).compactMap(\.self)).sorted() {
      files += try BeaconStyle(named: style).files
    }
    return files
  }

  /// The frequencies at which anchors end, and those of catch trials.
  private static func lowPasses(_ plan: TrialPlan) -> [Double] {
    var frequencies: Set<Double> = []
    for stimulus in plan.stimuli.stimuli {
      if case .placed(_, _, _, _, let lowPass?) = stimulus.content { frequencies.insert(lowPass) }
    }
    return frequencies.sorted()
  }

  /// The design's sounds at the rate of the stimuli, cut and with their ramps.
  private static func sounds(
    _ design: ListeningDesign, sampleRate: Int
  ) throws -> [[Float]] {
    var sounds: [[Float]] = []
    for (index, source) in design.sources.enumerated() {
      func fault(_ key: String, _ cause: String) -> FileError {
        FileError(.unsupported, file: design.path, place: "sounds[\(index)].\(key)", cause)
      }
      let sound = try named("sounds[\(index)].file", in: design) {
        try Sound(path: source.file).resampled(to: sampleRate, looping: false)
      }
      let rate = Double(sampleRate)
      let start = Int((source.start * rate).rounded())
      let end = source.duration.map { start + Int(($0 * rate).rounded()) } ?? sound.samples.count
      guard start < end, end <= sound.samples.count else {
        throw fault(
          source.duration == nil ? "start_s" : "duration_s",
          "ends after the sound, which lasts \(thousandths(Double(sound.samples.count) / rate)) s")
      }
      var samples = Array(sound.samples[start..<end])
      let length = Int((design.ramp * rate).rounded())
      guard 2 * length <= samples.count else {
        throw FileError(
          .unsupported, file: design.path, place: "ramp_s",
          "two ramps of \(short(design.ramp)) s do not fit into \(source.id), which lasts "
            + "\(thousandths(Double(samples.count) / rate)) s")
      }
      guard samples.contains(where: { $0 != 0 }) else { throw fault("file", "is silent there") }
      if length > 0 { ramp(&samples, channelCount: 1, length: length) }
      sounds.append(samples)
    }
    return sounds
  }
}

extension StimulusMaterial {
  /// A direction with the distance at which it is heard through a set.
  func place(
    _ direction: SphericalDirection, distance: Double?, ears: Int
  ) -> SphericalDirection {
    SphericalDirection(
      azimuth: direction.azimuth, elevation: direction.elevation,
      distance: distance ?? grids[ears].usualDistance)
  }

  /// Whether all directions and distances have been measured, or nearly.
  private func checkPlaces(_ plan: TrialPlan) throws(FileError) {
    for (index, distance) in (design.distances ?? []).enumerated() {
      for (grid, ears) in zip(grids, design.ears) where !grid.distances.contains(distance) {
        let range = grid.distances
        throw FileError(
          .unsupported, file: design.path, place: "distances_m[\(index)]",
          "\(short(distance)) m is outside what \(ears.id) has, "
            + "\(thousandths(range.lowerBound)) to \(thousandths(range.upperBound)) m"
            + (ears.fitting.isNearField ? "" : "; near_field makes up nearer ones"))
      }
    }
    for stimulus in plan.stimuli.stimuli {
      guard case .placed(_, let ears, let direction, let distance, _) = stimulus.content else {
        continue
      }
      let asked = place(direction, distance: distance, ears: ears)
      let angle = grids[ears].nearest(to: asked).angle(to: asked)
      guard angle > design.directionTolerance else { continue }
      let index = design.directions.firstIndex(of: direction)
      throw FileError(
        .unsupported, file: design.path,
        place: index.map { design.directionPlaces[$0] }
          ?? (design.staircase == nil ? "catch_trials" : "staircase.steps_deg"),
        "azimuth \(short(signed(direction.azimuth))), elevation \(short(direction.elevation)) is not in "
          + "\(design.ears[ears].id): the nearest that was measured is \(thousandths(angle)) degrees away, "
          + "more than direction_tolerance_deg \(short(design.directionTolerance))")
    }
  }

  /// Degrees within which a direction is a measured one.
  private static let coincidence = 0.1

  /// Of the sets through which a track's sounds lie between measured directions: what is heard there is
  /// blended, and delays are rounded to whole samples, so that small steps of times between the ears are lost
  /// or too large.
  private func inBetween(_ plan: TrialPlan) -> [String] {
    guard design.staircase != nil else { return [] }
    let places = design.ears.map { _ in 0 }
    var (all, between) = (places, places)
    for stimulus in Set(plan.stimuli.stimuli.map(\.content)) {
      guard case .placed(_, let ears, let direction, let distance, _) = stimulus else { continue }
      let asked = place(direction, distance: distance, ears: ears)
      all[ears] += 1
      if grids[ears].nearest(to: asked).angle(to: asked) > Self.coincidence { between[ears] += 1 }
    }
    let sample = short((1e7 / Double(sampleRate)).rounded() / 10)
    return design.ears.indices.filter { between[$0] > 0 }.map { ears in
      "staircase.steps_deg: \(between[ears]) of \(all[ears]) sounds lie between the measured directions of "
        + "\(design.ears[ears].id), where OpenAL delays the ears by whole samples: times between them are off "
        + "by up to \(sample) µs, which small steps may be heard by"
    }
  }

  /// A stimulus in words, for errors.
  func words(_ content: Stimulus.Content) -> String {
    switch content {
    case .placed(let source, let ears, let direction, let distance, let lowPass):
      return "\(design.sources[source].id) through \(design.ears[ears].id) from azimuth "
        + "\(short(signed(direction.azimuth))), elevation \(short(direction.elevation))"
        + (distance.map { ", \(short($0)) m" } ?? "")
        + (lowPass.map { ", low-passed at \(short($0)) Hz" } ?? "")
    case .diotic(let source): return "\(design.sources[source].id) at both ears"
    case .check(let check): return "the headphones' check \(check.rawValue)"
    case .walk(let scene, let ears):
      return "scene \(design.walks[scene].id) through \(design.ears[ears].id)"
    }
  }
}
