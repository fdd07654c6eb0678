import Files
import Geometry
import HRTF

/// What one model listener answers.
struct SimulatedSession {
  private(set) var rows: [[ResultColumn: String]] = []
  private let simulator: TestSimulator
  private let participant: TestFolder.Participant
  private var numbers: SplitMix64
  /// Templates by set and the bands that are heard.
  private var features: [[Bool]: [String: TemplateFeatures]] = [:]

  private var test: TestFolder { simulator.test }

  /// Takes the test as a participant.
  ///
  /// - Throws: `FileError` naming the trial that cannot be answered.
  init(_ simulator: TestSimulator, participant index: Int) throws(FileError) {
    self.simulator = simulator
    participant = simulator.test.participants[index]
    var numbers = SplitMix64(seed: simulator.seed &+ UInt64(index) << 32)
    // The first number sets the streams of neighbouring seeds apart.
    self.numbers = SplitMix64(seed: numbers.next())
    // By which results are told from people's; the chain of checks holds it fast.
    append([.kind: "simulated", .response: "aurient listen simulate", .type: test.type.rawValue])
    if test.check != nil {
      append([.kind: "headphone-check", .response: "0", .type: test.type.rawValue])
    }
    if test.type == .minimumAudibleAngle {
      try takeTracks()
    } else {
      for trial in participant.trials ?? [] { try take(trial) }
    }
    append([.kind: "end"])
  }

  /// Adds a row; what all have in common comes of itself.
  mutating func append(_ values: [ResultColumn: String]) {
    // Model time: rows are five seconds apart.
    let time = Timestamp(nanoseconds: Int64(rows.count) * 5_000_000_000).description
    let common: [ResultColumn: String] = [
      .test: test.id, .testHash: test.hash, .participant: participant.id,
      .row: "\(rows.count + 1)", .time: time.dropLast() + ".000Z", .type: test.type.rawValue,
    ]
    rows.append(common.merging(values) { $1 })
  }

  // MARK: - Trials

  private mutating func take(_ trial: TestFolder.Trial) throws(FileError) {
    switch test.type {
    case .localisation: try point(trial)
    case .minimumAudibleAngle: try compare(trial)
    case .abx: try tellApart(trial)
    case .preference: try rate(trial)
    case .walk: try walk(trial)
    }
  }

  private func common(_ trial: TestFolder.Trial) -> [ResultColumn: String] {
    var row: [ResultColumn: String] = [
      .trial: trial.id, .kind: trial.kind, .block: trial.block.map(String.init) ?? "",
      .condition: ConditionText.text((trial.condition ?? [:]).mapValues(\.text)), .replays: "0",
    ]
    if let stimulus = trial.stimulus { row[.stimulus] = stimulus }
    if let target = trial.target {
      row[.targetAzimuth] = tenth(signedDegrees(target.azimuth_deg))
      row[.targetElevation] = tenth(target.elevation_deg)
      row[.targetDistance] = target.distance_m.map(plainNumber) ?? ""
    }
    return row
  }

  private mutating func point(_ trial: TestFolder.Trial) throws(FileError) {
    let direction = try response(trial, cues(trial.stimulus, trial).whole)
    append(common(trial).merging(pointed(direction)) { $1 })
  }

  private func pointed(_ direction: SphericalDirection) -> [ResultColumn: String] {
    let isPlanar = test.response?.kind == "horizontal"
    return [
      .responseAzimuth: tenth(signedDegrees(direction.azimuth)),
      .responseElevation: isPlanar ? "0" : tenth(direction.elevation),
    ]
  }

  private mutating func response(
    _ trial: TestFolder.Trial, _ heard: AuditoryCues
  ) throws(FileError) -> SphericalDirection {
    let listener = try listener(trial.condition, trial.id)
    let features = templates(listener, trial.condition, heard)
    return SphericalDirection(cartesian: listener.response(to: heard, features, &numbers))
  }

  private mutating func tellApart(_ trial: TestFolder.Trial) throws(FileError) {
    let sounds = try (cues(trial.a, trial).whole, cues(trial.b, trial).whole)
    guard let x = trial.x, x == "a" || x == "b" else {
      throw fault(trial.id, "x is neither a nor b")
    }
    let noise = ListenerNoise()
    let heard = [sounds.0, sounds.1, x == "a" ? sounds.0 : sounds.1].map { cues in
      cues.colours(noise).map { $0 + numbers.normal() }
    }
    let answer =
      distance(heard[2], heard[0]) < distance(heard[2], heard[1]) ? "a" : "b"
    append(
      common(trial).merging([
        .stimulus: "\(trial.a ?? "") \(trial.b ?? "")", .expected: x, .response: answer,
        .correct: "\(answer == x)",
      ]) { $1 })
  }

  private mutating func rate(_ trial: TestFolder.Trial) throws(FileError) {
    let noise = ListenerNoise()
    let reference = try cues(trial.reference, trial).whole.colours(noise)
    for item in trial.items ?? [] {
      let sound = try cues(item.stimulus, trial).whole.colours(noise)
      let mean = distance(sound, reference) / Double(sound.count).squareRoot()
      let rating = RatingScale.rating(of: mean, &numbers)
      append(
        common(trial).merging([
          .stimulus: item.stimulus, .system: item.system, .role: item.role ?? "system",
          .rating: "\(rating)",
        ]) { $1 })
    }
  }

  private mutating func walk(_ trial: TestFolder.Trial) throws(FileError) {
    let end = try cues(trial.stimulus, trial).end
    let kind = test.response?.kind
    if kind == "sphere" || kind == "horizontal" {
      let direction = try response(trial, end)
      append(common(trial).merging(pointed(direction)) { $1 })
    } else if kind == "choice", let options = test.response?.options, !options.isEmpty {
      let direction = try response(trial, end).unitVector
      let answer =
        NamedDirection.nearest(to: direction, among: options)
        ?? options[numbers.index(below: options.count)]
      var row = common(trial)
      row[.response] = answer
      if let expected = trial.expected {
        row[.expected] = expected
        row[.correct] = "\(answer == expected)"
      }
      append(row)
    } else if kind == "rating" {
      // There is nothing to rate a walk against: a guess.
      let (low, high) = (test.response?.minimum ?? 0, test.response?.maximum ?? 100)
      let rating = (low + numbers.uniform() * (high - low)).rounded()
      append(common(trial).merging([.rating: plainNumber(rating)]) { $1 })
    } else {
      throw fault(trial.id, "the model listener has no answer of the kind \(kind ?? "none")")
    }
  }

  // MARK: - Staircases

  /// Tracks of a block by turns as the participant's page takes them, practice before, a catch trial after every
  /// tenth.
  private mutating func takeTracks() throws(FileError) {
    let trials = participant.trials ?? []
    let tracks = participant.tracks ?? []
    var turns = XorShift32(seed: participant.seed ?? 1)
    for block in Set(trials.map { $0.block ?? 1 } + tracks.map { $0.block ?? 1 }).sorted() {
      for trial in trials where trial.kind == "practice" && (trial.block ?? 1) == block {
        try compare(trial)
      }
      var catches = trials.filter { $0.kind == "catch" && ($0.block ?? 1) == block }[...]
      var running = tracks.filter { ($0.block ?? 1) == block }.map(RunningTrack.init)
      var count = 0
      while case let open = running.indices.filter({ !running[$0].isFinished }), !open.isEmpty {
        let index = open[turns.index(below: open.count)]
        try answer(&running[index])
        count += 1
        if count % 10 == 0, let trial = catches.popFirst() { try compare(trial) }
      }
    }
  }

  private mutating func answer(_ running: inout RunningTrack) throws(FileError) {
    let track = running.track
    let step = track.steps[running.step]
    let order = running.order()
    let trial = TestFolder.Trial(
      id: "\(track.id)-\(running.count + 1)", kind: "test", block: track.block,
      condition: track.condition, minus: step.minus, plus: step.plus, level_deg: step.level_deg,
      order: order, plane: track.plane)
    let isCorrect = try compare(trial, track: track.id)
    running.take(isCorrect)
  }

  /// Answers whether the second of two sounds was to the right (above); whether that was right.
  @discardableResult
  private mutating func compare(
    _ trial: TestFolder.Trial, track: String = ""
  ) throws(FileError) -> Bool {
    let sounds = try (cues(trial.minus, trial).whole, cues(trial.plus, trial).whole)
    guard let order = trial.order, order == "minus-plus" || order == "plus-minus" else {
      throw fault(trial.id, "there is no order of the two sounds")
    }
    let isHorizontal = (trial.plane ?? participant.tracks?.first?.plane) != "vertical"
    let condition = trial.condition ?? participant.tracks?.first?.condition
    let listener = try listener(condition, trial.id)
    let features = templates(listener, condition, sounds.0)
    let impressions = [sounds.0, sounds.1].map {
      listener.impression(of: $0, features, &numbers)
    }
    // To the right is a lesser lateral angle.
    let plusIsPlus =
      isHorizontal
      ? impressions[1].lateral < impressions[0].lateral
      : impressions[1].elevation > impressions[0].elevation
    let names = isHorizontal ? (minus: "left", plus: "right") : (minus: "below", plus: "above")
    let expected = order == "minus-plus" ? names.plus : names.minus
    let answer = (order == "minus-plus") == plusIsPlus ? names.plus : names.minus
    append(
      common(trial).merging([
        .stimulus: "\(trial.minus ?? "") \(trial.plus ?? "")", .track: track,
        .level: trial.level_deg.map(plainNumber) ?? "", .order: order, .expected: expected,
        .response: answer, .correct: "\(answer == expected)",
      ]) { $1 })
    return answer == expected
  }

  // MARK: - What is needed for an answer

  private func cues(
    _ stimulus: String?, _ trial: TestFolder.Trial
  ) throws(FileError) -> StimulusCues.Entry {
    guard let stimulus, let entry = simulator.cues.entries[stimulus] else {
      throw fault(trial.id, "there is no stimulus \"\(stimulus ?? "")\"")
    }
    return entry
  }

  private func listener(
    _ condition: [String: TestFolder.Value]?, _ trial: String
  ) throws(FileError) -> ModelListener {
    guard let listener = simulator.listeners.listener(condition) else {
      throw fault(trial, "its condition names no hrtf: name the listener's with --own")
    }
    return listener
  }

  private mutating func templates(
    _ listener: ModelListener, _ condition: [String: TestFolder.Value]?, _ heard: AuditoryCues
  ) -> TemplateFeatures {
    let name = condition?["hrtf"]?.text ?? ""
    let audible = heard.audible
    if let known = features[audible]?[name] { return known }
    let made = listener.features(audible)
    features[audible, default: [:]][name] = made
    return made
  }

  private func fault(_ trial: String, _ cause: String) -> FileError {
    FileError(
      .malformed, file: test.folder + "/test.json", place: "\(participant.id), trial \(trial)",
      cause)
  }
}

private func distance(_ one: [Double], _ other: [Double]) -> Double {
  zip(one, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
}

/// An angle to a tenth of a degree, as results have it.
private func tenth(_ degrees: Double) -> String {
  plainNumber((degrees * 10).rounded() / 10 + 0)
}
