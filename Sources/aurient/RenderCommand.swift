extension Command {
  /// `aurient render`.
  static let render = Command(
    name: "render",
    summary: "Renders what a listener with tracked headphones hears on a walk.",
    operands: [.optional("SCENE.json")],
    options: [
      CommandOption(
        "track", "FILE", help: "where the listener walks: GPX, NMEA 0183, or CSV of CLLocation"),
      CommandOption(
        "head", "FILE", help: "the headphones' motion: CSV or SQLite of AWARE, or a logger's CSV"),
      CommandOption("phone", "FILE", help: "the phone's compass headings: CSV of CLHeading"),
      CommandOption(
        "beacon", "LAT,LON[,NAME]", repeats: true,
        help: "a sound at this place, degrees north and east; may be repeated"),
      CommandOption(
        "sound", "FILE", help: "what the beacons sound like: any file that libsndfile reads"),
      CommandOption(
        "hrtf", "NAME|FILE.sofa",
        help: "whose ears: a name from 'aurient hrtf list' or a SOFA file"),
      CommandOption("rate", "HZ", help: "sample rate of the output; else that of the HRTF"),
      CommandOption("yaw-only", help: "turn the listener, but leave out the head's tilt"),
      CommandOption(
        "trace", "FILE.csv", help: "write every frame's headings, bearings and distances"),
      CommandOption("plot", "FILE.svg", help: "draw the walk and the headings"),
      CommandOption(
        "output", short: "o", "OUT.(wav|flac|ogg)", required: true,
        help: "the stereo file to write; its ending chooses the format"),
    ],
    discussion: """
      Options override what the scene file says. Without headings of the head the presentation \
      follows the course, then the phone.

      The same inputs give the same bytes.
      """,
    examples: [
      "aurient render scene.json -o walk.wav",
      "aurient render --track walk.gpx --head head.csv --beacon 51.5007,-0.1246 -o walk.flac",
    ],
    run: runRender)
}

@Sendable private func runRender(_ arguments: Arguments) throws {
  throw UsageError(arguments.command, "not available yet")
}
