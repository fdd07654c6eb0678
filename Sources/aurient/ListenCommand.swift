extension Command {
  /// `aurient listen`.
  static let listen = Command(
    name: "listen",
    summary: "Builds listening tests with headphones, and analyses their results.",
    examples: ["aurient listen build Examples/listening/localisation.json -o test"],
    subcommands: [.listenBuild, .listenMerge, .listenAnalyse, .listenSimulate])
}
