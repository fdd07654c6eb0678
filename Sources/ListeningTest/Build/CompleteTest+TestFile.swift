import Files
import HRTF

extension CompleteTest {
  /// The text of `test.json`: all that the page, and a listener that is simulated, need to know.
  var testJSON: String {
    let stimuli = plan.stimuli.stimuli.indices.map { number in
      let seconds = Double(records[number].frameCount) / Double(header.sampleRate)
      return "\(jsonText(records[number].name)):{\"file\":\(jsonText(file(number)))"
        + ",\"duration_s\":\(seconds)}"
    }
    let checks = HeadphoneCheck.allCases.enumerated().map { index, check in
      "\"\(check.rawValue)\":\(jsonText(file(plan.stimuli.stimuli.count + index)))"
    }
    let strings = design.strings.map { "\(jsonText($0.key)):\(jsonText($0.text))" }
    return """
      {"format":"aurient-listening-test","version":1,
      "id":\(jsonText(design.id)),"hash":"\(hash)","title":\(jsonText(design.title)),\
      "language":\(jsonText(design.language)),
      "type":"\(design.kind.rawValue)",
      "consent":\(jsonText(design.consent)),
      "instructions":\(jsonText(design.instructions)),
      "thanks":\(jsonText(design.thanks)),
      "post_url":\(design.postURL.map(jsonText) ?? "null"),\
      "break_every":\(design.breakEvery.map(String.init) ?? "null"),\
      "break_text":\(jsonText(design.breakText)),
      "strings":{\(strings.joined(separator: ","))},
      "sample_rate_hz":\(header.sampleRate),
      "check":{\(checks.joined(separator: ","))},
      "response":\(responseJSON),
      "replays":\(design.replays.map(String.init) ?? "null"),\
      "interval_gap_s":\(short(design.intervalGap)),"practice_feedback":\(design.isFeedbackGiven),
      "stimuli":{
      \(stimuli.joined(separator: ",\n"))
      },
      "participants":[
      \(plan.sessions.map(session).joined(separator: ",\n"))
      ]}

      """
  }

  private var responseJSON: String {
    let response = design.response
    let options = response.options.map(jsonText).joined(separator: ",")
    return "{\"kind\":\"\(response.kind.rawValue)\",\"text\":\(jsonText(response.text))"
      + (options.isEmpty ? "" : ",\"options\":[\(options)]")
      + (response.kind == .rating
        ? ",\"minimum\":\(short(response.minimum)),\"maximum\":\(short(response.maximum))" : "")
      + "}"
  }

  private func session(_ session: Session) -> String {
    var counts: [Trial.Kind: Int] = [:]
    let trials = session.trials.map { trial in
      counts[trial.kind, default: 0] += 1
      let letter: [Trial.Kind: String] = [.practice: "p", .test: "t", .attention: "c"]
      return self.trial(trial, id: "\(letter[trial.kind] ?? "")\(counts[trial.kind] ?? 0)")
    }
    let tracks = session.tracks.enumerated().map { track($1, id: "k\($0 + 1)") }
    return "{\"id\":\(jsonText(session.participant)),\"seed\":\(session.seed),\"trials\":["
      + (trials.isEmpty ? "" : "\n" + trials.joined(separator: ",\n") + "\n")
      + "],\"tracks\":["
      + (tracks.isEmpty ? "" : "\n" + tracks.joined(separator: ",\n") + "\n") + "]}"
  }

  private func trial(_ trial: Trial, id: String) -> String {
    let content: String =
      switch trial.content {
      case .localisation(let stimulus, let target):
        ",\"stimulus\":\(name(stimulus)),\"target\":\(jsonObject(heard(target, stimulus)))"
      case .abx(let a, let b, let isXA):
        ",\"a\":\(name(a)),\"b\":\(name(b)),\"x\":\"\(isXA ? "a" : "b")\""
      case .preference(let reference, let items):
        ",\"reference\":\(name(reference)),\"items\":[\(items.map(item).joined(separator: ","))]"
      case .walk(let stimulus, let scene):
        ",\"stimulus\":\(name(stimulus))"
          + (hasDirection
            ? ",\"target\":\(records[stimulus].target.map(jsonObject) ?? "null")" : "")
          + (design.walks[scene].expected.map { ",\"expected\":\(jsonText($0))" } ?? "")
      case .interval(let step, let plane, let isMinusFirst):
        ",\"plane\":\"\(plane.rawValue)\",\(stepFields(step))"
          + ",\"order\":\"\(isMinusFirst ? "minus-plus" : "plus-minus")\""
      }
    return "{\"id\":\"\(id)\",\"kind\":\"\(trial.kind.rawValue)\",\"block\":\(trial.block)"
      + ",\"condition\":\(condition(trial.condition))\(content)}"
  }

  private func track(_ track: Track, id: String) -> String {
    guard let staircase = design.staircase else { return "" }
    return "{\"id\":\"\(id)\",\"block\":\(track.block),\"condition\":\(condition(track.condition))"
      + ",\"plane\":\"\(staircase.plane.rawValue)\",\"rule\":\"\(staircase.rule.rawValue)\""
      + ",\"start_step\":\(staircase.startStep),\"step_change\":\(staircase.stepChange)"
      + ",\"stop_reversals\":\(staircase.stopReversals),\"max_trials\":\(staircase.maxTrials)"
      + ",\"seed\":\(track.seed),\"steps\":["
      + track.steps.map { "{\(stepFields($0))}" }.joined(separator: ",") + "]}"
  }

  private func stepFields(_ step: Track.Step) -> String {
    "\"level_deg\":\(short(step.level)),\"minus\":\(name(step.minus)),\"plus\":\(name(step.plus))"
  }

  private func item(_ item: Trial.Item) -> String {
    "{\"system\":\(jsonText(item.system)),\"role\":\"\(item.role.rawValue)\""
      + ",\"stimulus\":\(name(item.stimulus))}"
  }

  private func condition(_ condition: [(key: String, value: ConditionValue)]) -> String {
    let members = condition.sorted { $0.key < $1.key }.map { key, value in
      switch value {
      case .text(let text): "\(jsonText(key)):\(jsonText(text))"
      case .number(let number): "\(jsonText(key)):\(short(number))"
      }
    }
    return "{\(members.joined(separator: ","))}"
  }

  private func name(_ stimulus: Int) -> String { jsonText(plan.stimuli.name(stimulus)) }

  /// Whether a walk's answer is a direction.
  private var hasDirection: Bool {
    design.response.kind == .sphere || design.response.kind == .horizontal
  }

  /// A target with the distance at which its stimulus is heard.
  private func heard(_ target: SphericalDirection, _ number: Int) -> SphericalDirection {
    var target = target
    if case .placed(_, let ears, _, let distance, _) = plan.stimuli.stimuli[number].content {
      target.distance = distance ?? header.usualDistances[ears]
    }
    return target
  }
}
