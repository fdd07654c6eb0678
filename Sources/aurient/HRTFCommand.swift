extension Command {
  /// `aurient hrtf`.
  static let hrtf = Command(
    name: "hrtf",
    summary: "Lists, reads and converts head-related transfer functions.",
    discussion: """
      Azimuths are counterclockwise as in SOFA: 0 is ahead, 90 is left. Elevations are positive \
      upwards.
      """,
    examples: ["aurient hrtf info MIT_KEMAR_normal_pinna.sofa"],
    subcommands: [.hrtfList, .hrtfInfo, .hrtfConvert, .hrtfImpulse])

  private static let hrtfList = Command(
    name: "list",
    summary: "Lists the data sets that a rendering can name.",
    examples: ["aurient hrtf list"],
    run: runList)

  private static let hrtfInfo = Command(
    name: "info",
    summary: "Says what a data set holds: convention, rate, directions, length, delays.",
    operands: [.one("FILE")],
    examples: ["aurient hrtf info MIT_KEMAR_normal_pinna.sofa"],
    run: runInfo)

  private static let hrtfConvert = Command(
    name: "convert",
    summary: "Converts a SOFA file to a data set of OpenAL Soft.",
    operands: [.one("FILE.sofa")],
    options: [
      CommandOption("output", short: "o", "OUT.mhr", required: true, help: "the file to write")
    ],
    examples: ["aurient hrtf convert subject_003.sofa -o subject_003.mhr"],
    run: runConvert)

  private static let hrtfImpulse = Command(
    name: "impulse",
    summary: "Writes the impulse response of the whole rendering path for one direction.",
    operands: [.one("FILE")],
    options: [
      CommandOption(
        "azimuth", "DEGREES", required: true, help: "counterclockwise from ahead, -360 to 360"),
      CommandOption(
        "elevation", "DEGREES", required: true, help: "up from the horizontal, -90 to 90"),
      CommandOption("distance", "METRES", help: "from the head; else that of the measurement"),
      CommandOption(
        "output", short: "o", "OUT.wav", required: true,
        help: "the stereo file to write, 32-bit float at the data set's rate"),
    ],
    examples: ["aurient hrtf impulse subject_003.sofa --azimuth 30 --elevation 0 -o left30.wav"],
    run: runImpulse)
}

@Sendable private func runList(_ arguments: Arguments) throws {
  throw UsageError(arguments.command, "not available yet")
}

@Sendable private func runInfo(_ arguments: Arguments) throws {
  throw UsageError(arguments.command, "not available yet")
}

@Sendable private func runConvert(_ arguments: Arguments) throws {
  throw UsageError(arguments.command, "not available yet")
}

@Sendable private func runImpulse(_ arguments: Arguments) throws {
  throw UsageError(arguments.command, "not available yet")
}
