extension Command {
  /// The program itself.
  static let aurient = Command(
    name: "aurient",
    summary: "Renders sound around a listener whose head is tracked, for headphones.",
    options: [.version],
    discussion: """
      Exit status: 0 when the work is done, 1 when it could not be done (a full disk, no device), 2 \
      when the command line or an input file is wrong.
      """,
    examples: ["aurient render --help"],
    subcommands: [
      .render, .play, .serve, .devices, .hrtf, .head, .compass, .log, .listen, .completions,
    ])
}
