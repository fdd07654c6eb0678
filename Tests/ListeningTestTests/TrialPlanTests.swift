import Files
import HRTF
import Testing

@testable import ListeningTest

@Suite struct TrialPlanTests {
  private func plan(_ design: String, _ old: String = "", _ new: String = "") throws -> TrialPlan {
    try TrialPlan(try Designs.design(design, old, new))
  }

  @Test func everyConditionComesAsOftenAsAsked() throws {
    let plan = try plan(
      Designs.localisation, "\"seed\": 1", "\"repetitions\": 3, \"practice_trials\": 5")
    for session in plan.sessions {
      var counts: [Double: Int] = [:]
      for trial in session.trials where trial.kind == .test {
        guard case .localisation(_, let target) = trial.content else { continue }
        counts[target.azimuth, default: 0] += 1
      }
      #expect(counts == [30: 3, 330: 3])
      #expect(session.trials.prefix(5).allSatisfy { $0.kind == .practice })
      #expect(session.trials.count == 11)
    }
    // Two directions make two sounds, however often they are heard.
    #expect(plan.stimuli.stimuli.count == 2)
  }

  @Test func ordersAreReproducibleAndDiffer() throws {
    func orders(_ seed: Int) throws -> [[Double]] {
      try plan(
        Designs.localisation, "\"seed\": 1",
        "\"seed\": \(seed), \"repetitions\": 10"
      ).sessions.map { session in
        session.trials.compactMap {
          if case .localisation(_, let target) = $0.content { target.azimuth } else { nil }
        }
      }
    }
    #expect(try orders(1) == orders(1))
    #expect(try orders(1) != orders(2))
    let two = try orders(1)
    #expect(two[0] != two[1])
  }

  /// Each participant of a balanced number has the blocks in another row of Williams's square.
  @Test func blocksAreBalanced() throws {
    let more = (1...3).map { ", {\"id\": \"S\($0)\", \"set\": \"MIT-KEMAR-44100\"}" }.joined()
    let design = try Designs.design(
      Designs.localisation, "\"MIT-KEMAR-44100\"}]",
      "\"MIT-KEMAR-44100\"}\(more)], \"block_by\": \"hrtf\", \"repetitions\": 2")
    var four = design
    four.participants = ["a", "b", "c", "d"]
    let plan = try TrialPlan(four)
    #expect(plan.balancedCount == 4)
    var orders: [[String]] = []
    for session in plan.sessions {
      var order: [String] = []
      for trial in session.trials {
        guard case .text(let ears)? = trial.condition.first(where: { $0.key == "hrtf" })?.value
        else { continue }
        if order.last != ears { order.append(ears) }
        #expect(trial.block == order.count)
      }
      orders.append(order)
    }
    #expect(orders.allSatisfy { Set($0).count == 4 && $0.count == 4 })
    let successions = Set(orders.flatMap { order in (1..<4).map { [order[$0 - 1], order[$0]] } })
    #expect(successions.count == 12)
  }

  @Test func xIsEachOfTwoEquallyOften() throws {
    let plan = try plan(
      Designs.abx, "\"seed\": 1", "\"repetitions\": 5, \"catch_trials\": 3")
    for session in plan.sessions {
      let answers = session.trials.filter { $0.kind == .test }.compactMap { trial -> Bool? in
        if case .abx(let a, let b, let isXA) = trial.content {
          #expect(a != b)
          return isXA
        }
        return nil
      }
      #expect(answers.count == 10)
      #expect(answers.count { $0 } == 5)
    }
  }

  @Test func catchTrialsAreSpread() throws {
    let plan = try plan(
      Designs.localisation, "\"seed\": 1", "\"repetitions\": 20, \"catch_trials\": 4")
    for session in plan.sessions {
      let places = session.trials.indices.filter { session.trials[$0].kind == .attention }
      // After an eighth, three eighths … of 40 test trials, those before each counted in.
      #expect(places == [5, 16, 27, 38])
      let sides = places.compactMap { place -> Double? in
        if case .localisation(_, let target) = session.trials[place].content {
          return target.azimuth
        }
        return nil
      }
      #expect(sides == [90, 270, 90, 270])
    }
  }

  /// A preference trial holds each system, the hidden reference and the anchors, once.
  @Test func itemsOfAPreferenceTrial() throws {
    let plan = try plan(
      Designs.preference, "\"seed\": 1", "\"anchors\": [\"lowpass-3500\", \"diotic\"]")
    for trial in plan.sessions.flatMap(\.trials) {
      guard case .preference(let reference, let items) = trial.content else { continue }
      #expect(Set(items.map(\.system)) == ["A", "B", "lowpass-3500", "diotic"])
      #expect(items.count == 4)
      #expect(items.filter { $0.role == .reference }.map(\.stimulus) == [reference])
      #expect(items.count { $0.role == .anchor } == 2)
    }
  }

  /// The sound before lies to the left, also where azimuths grow to the right.
  @Test func theTwoSoundsOfAStepLieAsTheyAreNamed() throws {
    let plan = try plan(Designs.angle)
    #expect(plan.sessions.allSatisfy { $0.tracks.count == 2 })
    for track in plan.sessions.flatMap(\.tracks) {
      for step in track.steps {
        let places = [step.minus, step.plus].compactMap { number -> SphericalDirection? in
          if case .placed(_, _, let direction, _, _) = plan.stimuli.stimuli[number].content {
            return direction
          }
          return nil
        }
        #expect(places[0].unitVector.y > places[1].unitVector.y)
        #expect(abs(places[0].angle(to: places[1]) - step.level) < 1e-6)
      }
      #expect((1...0xFFFF_FFFF).contains(track.seed))
    }
  }

  @Test func moreThanFitsIsRefused() throws {
    let error = #expect(throws: FileError.self) {
      try plan(
        Designs.localisation, "[{\"azimuth_deg\": 30}, {\"azimuth_deg\": 330}]",
        "[{\"fibonacci\": {\"count\": 1000}}], \"repetitions\": 11")
    }
    #expect(error?.cause.hasPrefix("11000 conditions are 11000 trials") == true)
  }

  /// Directions of lists, grids and a sphere in the file's order.
  @Test func directionsOfGrids() throws {
    let design = try Designs.design(
      Designs.localisation, "{\"azimuth_deg\": 30}",
      """
      {"grid": {"azimuth_from_deg": -40, "azimuth_to_deg": -10, "azimuth_step_deg": 15,
                "elevations_deg": [0, 40]}}, {"azimuth_deg": 10, "elevation_deg": -20}
      """)
    #expect(design.directions.prefix(6).map(\.azimuth) == [320, 335, 350, 320, 335, 350])
    #expect(design.directions.prefix(7).map(\.elevation) == [0, 0, 0, 40, 40, 40, -20])
  }

  /// The least angle between n points of a Fibonacci lattice is about 3.09/√n (R. Swinbank and R. J. Purser
  /// 2006, figure 3).
  @Test func directionsOfASphereAreEven() throws {
    let design = try Designs.design(
      Designs.localisation, "{\"azimuth_deg\": 330}",
      "{\"fibonacci\": {\"count\": 400, \"elevation_from_deg\": -40}}")
    let points = design.directions.dropFirst()
    // Of the sphere (1 + sin 40°)/2 lies above −40°.
    #expect(abs(points.count - 329) <= 1)
    let least = points.indices.map { one in
      points.indices.filter { $0 != one }.map { points[one].angle(to: points[$0]) }.min() ?? 0
    }
    #expect(least.min() ?? 0 > 7)
    #expect(least.max() ?? 0 < 10.5)
  }
}
