import ListeningTest

extension Command {
  /// `aurient listen simulate`.
  static let listenSimulate = Command(
    name: "simulate",
    summary: "Has a model listener take a listening test, to try a design through.",
    operands: [.one("DIR")],
    options: [
      CommandOption(
        "own", "NAME|FILE.sofa",
        help: "the ears that all participants have; else those that each sound was made with"),
      CommandOption(
        "participants", "COUNT", help: "how many of the test's participants take it; else all"),
      CommandOption("seed", "NUMBER", help: "where the listeners' noise begins; else 1"),
      CommandOption(
        "output", short: "o", "RESULTS.csv", help: "the file to write; else DIR/simulated.csv"),
    ],
    discussion: """
      The listener hears the test's own sound files. Directions are those of the Bayesian observer of \
      Barumerli et al. (Acta Acustica 7, 12 (2023)): interaural time and level differences and spectral \
      gradients in auditory bands, noise added, against templates of the HRTF set. ABX and ratings are by the \
      distance of the same cues; ratings of walks, and choices that name no direction, are guesses. \
      RESULTS.csv is as the page of a participant would write it, but that each session begins with a row of \
      the kind simulated, which analyse flags; its times are not of a clock, and response \
      times are left empty.
      """,
    examples: ["aurient listen simulate test --participants 4 -o simulated.csv"],
    run: runListenSimulate)
}

@Sendable private func runListenSimulate(_ arguments: Arguments) throws {
  let folder = arguments.operands[0]
  let seed = UInt64(try arguments.wholeNumber("seed", in: 0...(.max)) ?? 1)
  let limit = try arguments.wholeNumber("participants", in: 1...1_000_000)
  let path = arguments.string("output") ?? folder + "/simulated.csv"
  let test = try TestFolder(folder)
  if let limit, limit > test.participantCount {
    throw arguments.bad(
      "participants", "\(limit) is more than the test has: \(test.participantCount)")
  }
  let progress = ProgressBar()
  let simulator = try TestSimulator(
    test, own: arguments.string("own"), seed: seed,
    progress: { progress.update($0) })
  let written = try simulator.write(
    to: path, participants: limit, progress: { progress.update($0) })
  try printOut(
    "\(written.rows) rows of \(written.participants) model listeners in \(path)\n")
}
