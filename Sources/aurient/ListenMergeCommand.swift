import Files
import ListeningTest

extension Command {
  /// `aurient listen merge`.
  static let listenMerge = Command(
    name: "merge",
    summary: "Puts the parts of a listening test together that --shard has built.",
    operands: [.oneOrMore("DIR")],
    options: [
      CommandOption("output", short: "o", "DIR", required: true, help: "the folder for the test"),
      CommandOption("force", help: "merge over another test that is in the folder"),
      CommandOption("json", help: "print the summary as JSON"),
    ],
    discussion: """
      All parts must be there, each once, unchanged, and of the same design, inputs and versions. The \
      result is, byte for byte, what one build would have made.
      """,
    examples: ["aurient listen merge part-1 part-2 part-3 -o test"],
    run: runMerge)
}

@Sendable private func runMerge(_ arguments: Arguments) throws {
  let output = try arguments.required("output")
  let progress = ProgressBar()
  let summary = try ShardMerge.merge(
    arguments.operands, into: output, isForced: arguments.flag("force")
  ) { progress.update($0) }
  try printOut(arguments.flag("json") ? summary.json(output) : summary.text(output))
  summary.warn(output)
}
