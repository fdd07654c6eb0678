import Files

extension CompleteTest {
  /// A configuration for webMUSHRA (M. Schoeffler and others, "webMUSHRA: a comprehensive framework for
  /// web-based listening tests", J. Open Res. Softw. 6 (2018)) of the conditions that all participants have,
  /// each once. It shuffles pages and items itself, and adds the hidden reference.
  ///
  /// Texts are written as JSON strings, which YAML 1.2 takes.
  var webMUSHRA: String {
    let folder = "configs/resources/\(design.id)"
    func sound(_ number: Int) -> String { jsonText("\(folder)/\(file(number))") }
    var lines = [
      "# For webMUSHRA: put this folder into it as \(folder).",
      "testname: \(jsonText(design.title))",
      "testId: \(jsonText(design.id))",
      "bufferSize: 2048",
      "stopOnErrors: true",
      "showButtonPreviousPage: true",
      "remoteService: \"service/write.php\"",
      "pages:",
      "  - type: generic",
      "    id: \"instructions\"",
      "    name: \(jsonText(design.title))",
      "    content: \(jsonText(design.instructions))",
      "  -",
      "    - random",
    ]
    let question =
      design.response.text.isEmpty
      ? "How similar is each sound to the reference?" : design.response.text
    var seen: Set<Int> = []
    for trial in plan.sessions.flatMap(\.trials) where trial.kind == .test {
      guard case .preference(let reference, let items) = trial.content,
        seen.insert(reference).inserted
      else { continue }
      lines += [
        "    - type: mushra",
        "      id: \(jsonText(plan.stimuli.name(reference)))",
        "      name: \(jsonText(design.title))",
        "      content: \(jsonText(question))",
        "      showWaveform: false",
        "      enableLooping: true",
        "      switchBack: false",
        "      reference: \(sound(reference))",
        "      createAnchor35: false",
        "      createAnchor70: false",
        "      stimuli:",
      ]
      for item in items.sorted(by: { $0.system < $1.system }) where item.role != .reference {
        lines.append("        \(jsonText(item.system)): \(sound(item.stimulus))")
      }
    }
    lines += [
      "  - type: finish",
      "    name: \(jsonText(design.title))",
      "    content: \(jsonText(design.thanks))",
      "    showResults: false",
      "    writeResults: true",
    ]
    return lines.joined(separator: "\n") + "\n"
  }
}
