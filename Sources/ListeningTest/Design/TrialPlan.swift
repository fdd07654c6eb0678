import Files
import HRTF

/// What each participant meets and which stimuli it takes: a function of the design alone.
struct TrialPlan: Sendable {
  let design: ListeningDesign
  private(set) var stimuli = StimulusList()
  private(set) var sessions: [Session] = []

  /// Trials of one participant, of all, and stimuli, that a test can have.
  private static let limits = (trials: 10_000, total: 5_000_000, stimuli: 1_000_000)

  /// - Throws: `FileError` for more trials than can be run.
  init(_ design: ListeningDesign) throws(FileError) {
    self.design = design
    let cells = Cell.all(of: design)
    let count = cells.count * (design.staircase?.maxTrials ?? 1)
    guard count <= Self.limits.trials, count * design.participants.count <= Self.limits.total else {
      throw FileError(
        .unsupported, file: design.path,
        "\(cells.count) conditions are \(count) trials for each of \(design.participants.count) "
          + "participants; \(Self.limits.trials) each and \(Self.limits.total) in all fit")
    }
    for number in design.participants.indices {
      sessions.append(session(number, cells))
      guard stimuli.stimuli.count <= Self.limits.stimuli else {
        throw FileError(
          .unsupported, file: design.path, "more than \(Self.limits.stimuli) stimuli")
      }
    }
  }

  /// How many participants in a row make the order of blocks balanced.
  var balancedCount: Int {
    LatinSquare.rows(Cell.blocks(Cell.all(of: design), design.blockBy).count).count
  }

  /// The purposes for which there are generators, mixed into a participant's.
  private enum Purpose: Int { case order = 1, content, practice, attention, page, track }

  private func generator(_ participant: Int, _ purpose: Purpose) -> SplitMix64 {
    SplitMix64(seed: design.seed, participant + 1, purpose.rawValue)
  }

  private mutating func session(_ participant: Int, _ cells: [Cell]) -> Session {
    var order = generator(participant, .order)
    var content = generator(participant, .content)
    var page = generator(participant, .page)
    var session = Session(
      participant: design.participants[participant], seed: 1 + page.below(0xFFFF_FFFF))
    let blocks = Cell.blocks(cells, design.blockBy)
    let rows = LatinSquare.rows(blocks.count)
    for (place, block) in rows[participant % rows.count].enumerated() {
      let shuffled = order.shuffled(blocks[block])
      if design.staircase != nil {
        session.tracks += shuffled.map { track($0, block: place + 1, &content) }
      } else {
        session.trials += trials(shuffled, block: place + 1, &content)
      }
    }
    addCatches(to: &session, cells, participant)
    addPractice(to: &session, cells, participant)
    return session
  }

  // MARK: Trials

  private mutating func trials(
    _ cells: [Cell], block: Int, _ generator: inout SplitMix64
  ) -> [Trial] {
    // X is A as often as B.
    let answers = generator.shuffled(cells.indices.map { $0 % 2 == 0 })
    return cells.indices.map { index in
      trial(cells[index], block: block, isXA: answers[index], &generator)
    }
  }

  private mutating func trial(
    _ cell: Cell, block: Int, isXA: Bool, _ generator: inout SplitMix64
  ) -> Trial {
    let content: Trial.Content
    switch design.kind {
    case .localisation, .minimumAudibleAngle:
      let rove = design.level.rove[generator.below(design.level.rove.count)]
      content = .localisation(
        stimuli.number(cell.placed(cell.ears), rove: rove), target: cell.direction)
    case .abx:
      let pair = generator.shuffled([cell.ears, cell.otherEars])
      content = .abx(
        a: stimuli.number(cell.placed(pair[0])), b: stimuli.number(cell.placed(pair[1])), isXA: isXA
      )
    case .preference: content = preference(cell, &generator)
    case .walk:
      content = .walk(stimuli.number(.walk(cell.scene, ears: cell.ears)), scene: cell.scene)
    }
    return Trial(block: block, condition: cell.condition(of: design), content: content)
  }

  private mutating func preference(_ cell: Cell, _ generator: inout SplitMix64) -> Trial.Content {
    let reference = stimuli.number(cell.placed(design.reference))
    var items = design.ears.indices.map { ears in
      Trial.Item(
        system: design.ears[ears].id, role: ears == design.reference ? .reference : .system,
        stimulus: stimuli.number(cell.placed(ears)))
    }
    items += design.anchors.map { anchor in
      Trial.Item(
        system: anchor.rawValue, role: .anchor,
        stimulus: stimuli.number(cell.anchor(anchor, ears: design.reference)))
    }
    return .preference(reference: reference, items: generator.shuffled(items))
  }

  // MARK: Tracks

  private mutating func track(
    _ cell: Cell, block: Int, _ generator: inout SplitMix64
  ) -> Track {
    let levels = design.staircase?.steps ?? []
    var steps: [Track.Step] = []
    for level in levels { steps.append(step(cell, level: level, &generator)) }
    return Track(
      block: block, condition: cell.condition(of: design), steps: steps,
      seed: 1 + generator.below(0xFFFF_FFFF))
  }

  /// Two sounds so many degrees apart, half on each side of a direction.
  private mutating func step(
    _ cell: Cell, level: Double, _ generator: inout SplitMix64
  ) -> Track.Step {
    func offset(_ degrees: Double) -> SphericalDirection {
      var direction = cell.direction
      if design.staircase?.plane == .vertical {
        direction.elevation = thousandths(direction.elevation + degrees)
      } else {
        // To the right azimuths fall before the listener and rise behind.
        let isBehind = abs(signed(direction.azimuth)) > 90
        direction = SphericalDirection(
          azimuth: thousandths(direction.azimuth + (isBehind ? degrees : -degrees)),
          elevation: direction.elevation)
      }
      return direction
    }
    func rove() -> Double { design.level.rove[generator.below(design.level.rove.count)] }
    let minus = stimuli.number(cell.placed(cell.ears, from: offset(-level / 2)), rove: rove())
    let plus = stimuli.number(cell.placed(cell.ears, from: offset(level / 2)), rove: rove())
    return Track.Step(level: level, minus: minus, plus: plus)
  }

  // MARK: Practice and catch trials

  /// Cells drawn at random, all before one comes again.
  private func drawn(_ count: Int, of cells: [Cell], _ generator: inout SplitMix64) -> [Cell] {
    var drawn: [Cell] = []
    while drawn.count < count { drawn += generator.shuffled(cells).prefix(count - drawn.count) }
    return drawn
  }

  private mutating func addPractice(to session: inout Session, _ cells: [Cell], _ number: Int) {
    var generator = generator(number, .practice)
    let drawn = drawn(design.practiceTrials, of: cells, &generator)
    var practice: [Trial] =
      design.staircase == nil
      ? trials(drawn, block: 1, &generator) : drawn.map { widest($0, &generator) }
    for index in practice.indices { practice[index].kind = .practice }
    session.trials = practice + session.trials
  }

  /// A trial of a track's widest step.
  private mutating func widest(_ cell: Cell, _ generator: inout SplitMix64) -> Trial {
    let staircase = design.staircase
    let step = step(cell, level: staircase?.steps.last ?? 0, &generator)
    return Trial(
      condition: cell.condition(of: design),
      content: .interval(
        step, plane: staircase?.plane ?? .horizontal, isMinusFirst: generator.below(2) == 0))
  }

  /// Trials whose answer is plain to anyone who listens, evenly among the others.
  private mutating func addCatches(to session: inout Session, _ cells: [Cell], _ number: Int) {
    var generator = generator(number, .attention)
    let count = design.catchTrials
    var catches: [Trial] = []
    for (index, cell) in drawn(count, of: cells, &generator).enumerated() {
      var trial = attention(cell, index, &generator)
      trial.kind = .attention
      catches.append(trial)
    }
    guard design.staircase == nil else {
      // The page spreads them over a block's tracks.
      let blocks = session.tracks.last?.block ?? 1
      for index in catches.indices { catches[index].block = 1 + index % blocks }
      session.trials += catches.sorted { $0.block < $1.block }
      return
    }
    let tests = session.trials
    session.trials = []
    for (index, test) in tests.enumerated() {
      // Those due before this trial: the k-th of n after (k + ½)/n of all.
      while let next = catches.first,
        (2 * (count - catches.count) + 1) * tests.count <= 2 * count * index
      {
        var due = next
        due.block = test.block
        session.trials.append(due)
        catches.removeFirst()
      }
      session.trials.append(test)
    }
    for rest in catches {
      var due = rest
      due.block = tests.last?.block ?? 1
      session.trials.append(due)
    }
  }

  private mutating func attention(
    _ cell: Cell, _ index: Int, _ generator: inout SplitMix64
  ) -> Trial {
    let condition = cell.condition(of: design)
    switch design.kind {
    case .minimumAudibleAngle: return widest(cell, &generator)
    case .abx:
      // A set against itself, dull.
      let clear = stimuli.number(cell.placed(cell.ears))
      let dull = stimuli.number(cell.anchor(.lowPass3500, ears: cell.ears))
      return Trial(
        condition: condition, content: .abx(a: clear, b: dull, isXA: generator.below(2) == 0))
    case .preference:
      let reference = stimuli.number(cell.placed(design.reference))
      let dull = stimuli.number(cell.anchor(.lowPass3500, ears: design.reference))
      let items = [
        Trial.Item(
          system: design.ears[design.reference].id, role: .reference, stimulus: reference),
        Trial.Item(
          system: ListeningDesign.Anchor.lowPass3500.rawValue, role: .anchor, stimulus: dull),
      ]
      return Trial(
        condition: condition,
        content: .preference(reference: reference, items: generator.shuffled(items)))
    case .localisation, .walk:
      // Straight to the left and the right by turns.
      let side = SphericalDirection(azimuth: index % 2 == 0 ? 90 : 270, elevation: 0)
      return Trial(
        condition: condition,
        content: .localisation(stimuli.number(cell.placed(cell.ears, from: side)), target: side))
    }
  }
}
