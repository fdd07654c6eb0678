import Files
import Glibc
import ListeningTest

extension Command {
  /// `aurient listen build`.
  static let listenBuild = Command(
    name: "build",
    summary: "Builds a listening test from a design: stimuli, page, and what they are made of.",
    operands: [.one("DESIGN.json")],
    options: [
      CommandOption(
        "output", short: "o", "DIR", required: true,
        help: "the folder to build into; what is missing of an interrupted build is added"),
      CommandOption(
        "shard", "I/N", help: "build only part I of N of the stimuli; see 'aurient listen merge'"),
      CommandOption("jobs", short: "j", "COUNT", help: "threads; else one a core"),
      CommandOption("force", help: "build over another test that is in the folder"),
      CommandOption("json", help: "print the summary as JSON"),
    ],
    discussion: """
      The folder can then be put onto any web server; participants open index.html. The design's \
      keys are in docs/listening-tests.md and Listening/design.schema.json.

      The same design, inputs and versions give the same bytes, on one core or many, at once or \
      interrupted, whole or in parts.
      """,
    examples: [
      "aurient listen build Examples/listening/localisation.json -o test",
      "aurient listen build design.json --shard 3/16 -o part-3",
    ],
    run: runBuild)
}

@Sendable private func runBuild(_ arguments: Arguments) throws {
  let output = try arguments.required("output")
  let shard = try arguments.shard()
  let jobs = try arguments.wholeNumber("jobs", in: 1...1024)
  let builder = try ListeningTestBuilder(design: arguments.operands[0], version: version)
  // Called by one thread at a time.
  nonisolated(unsafe) let progress = ProgressBar()
  let summary = try builder.build(
    into: output, shard: shard, jobs: jobs, isForced: arguments.flag("force")
  ) { progress.update($0) }
  try printOut(
    arguments.flag("json") ? summary.json(output) : summary.text(output, shard: shard))
  summary.warn(arguments.operands[0])
  if summary.participantCount % summary.balancedCount != 0 {
    printError(
      "aurient: \(arguments.operands[0]): orders of blocks are balanced over each "
        + "\(summary.balancedCount) participants; \(summary.participantCount) is no multiple of that"
    )
  }
}

extension Arguments {
  /// The part that `--shard` names; the whole without.
  fileprivate func shard() throws(UsageError) -> Shard {
    guard let text = string("shard") else { return .whole }
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let index = numbers[0], let count = numbers[1],
      let shard = Shard(index: index, count: count)
    else {
      throw bad(
        "shard",
        "\"\(text)\" is not I/N with I from 1 to N and N up to \(Shard.greatestCount), as in 3/16")
    }
    return shard
  }
}

extension ListeningTestBuilder.Summary {
  /// For people.
  func text(_ output: String, shard: Shard = .whole) -> String {
    let part = shard == .whole ? "" : ", part \(shard)"
    return "\(output): \(id)\(part), \(stimulusCount) sounds (\(renderedCount) made now), "
      + "\(tenths(seconds)) s of \(sampleRate) Hz, \(participantCount) participants"
      + (hash.map { ", hash \($0)" } ?? "") + "\n"
  }

  /// Says what may not be meant of a design or a folder made of one.
  func warn(_ name: String) {
    for warning in warnings { printError("aurient: \(name): \(warning)") }
  }

  /// For programs.
  func json(_ output: String) -> String {
    "{\"folder\": \(jsonText(output)), \"test\": \(jsonText(id)), \"hash\": "
      + (hash.map(jsonText) ?? "null")
      + ", \"sounds\": \(stimulusCount), \"rendered\": \(renderedCount), \"seconds\": \(seconds), "
      + "\"rate\": \(sampleRate), \"participants\": \(participantCount), "
      + "\"balanced_participants\": \(balancedCount), "
      + "\"warnings\": [\(warnings.map { jsonText($0) }.joined(separator: ", "))]}\n"
  }
}
