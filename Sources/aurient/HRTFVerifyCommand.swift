import Aurient
import Files
import Geometry
import HRTF

extension Command {
  /// `aurient hrtf verify`.
  static let hrtfVerify = Command(
    name: "verify",
    summary: "Renders every direction of a SOFA file and compares it with the file.",
    operands: [.one("NAME|FILE.sofa")],
    options: CommandOption.fitting + [
      CommandOption("worst", "COUNT", help: "how many directions to list, worst first; else 10"),
      CommandOption("max-lsd", "DB", help: "exit with 1 if the mean spectral distortion is more"),
      CommandOption(
        "max-itd", "MICROSECONDS",
        help: "exit with 1 if the 95th percentile of the error in interaural time is more"),
      CommandOption(
        "max-ild", "DB", help: "exit with 1 if the mean error in interaural level is more"),
      CommandOption(
        "plot", "FILE.svg", help: "draw interaural time and level, and a map of errors"),
      CommandOption("json", help: "print all directions as JSON"),
    ],
    discussion: """
      LSD is the log-spectral distortion from 200 Hz to 16 kHz of each ear, one gain common to the \
      whole set taken out. ITD is the interaural time difference by cross-correlation below 1.6 kHz, \
      judged within 75 degrees of the median plane; ILD the broadband level difference. With \
      --equalize or --head-circumference the file's responses are changed so, too, before they are \
      compared.
      """,
    examples: ["aurient hrtf verify subject_003.sofa --max-lsd 0.5 --max-itd 5"],
    run: runVerify)
}

@Sendable private func runVerify(_ arguments: Arguments) throws {
  let limits = (
    lsd: try arguments.number("max-lsd", in: 0...1000),
    itd: try arguments.number("max-itd", in: 0...10_000),
    ild: try arguments.number("max-ild", in: 0...1000)
  )
  let worst = try arguments.wholeNumber("worst", in: 0...1_000_000) ?? 10
  try arguments.checkOutputs(["plot"], inputs: arguments.operands)
  let plot = try arguments.string("plot").map { try BinauralPlot(path: $0) }
  let progress = ProgressBar()
  let verification = try HRTFVerification(
    arguments.operands[0], fitting: try arguments.fitting()
  ) { progress.update($0) }
  arguments.warnOfMirror(arguments.operands[0], isMirrored: verification.isMirrored)
  try plot?.draw(verification)
  try printOut(
    arguments.flag("json") ? verification.json : verification.text(worst: worst))
  let faults = [
    ("LSD", limits.lsd, verification.spectralDistortion.mean),
    ("ITD", limits.itd, verification.timeError.percentile95),
    ("ILD", limits.ild, verification.levelError.mean),
  ].filter { _, limit, value in value > limit ?? .infinity }
  guard faults.isEmpty else {
    throw LimitExceeded(
      description: "\(verification.path): over the limit: "
        + faults.map { "\($0.0) \(hundredths($0.2))" }.joined(separator: ", "))
  }
}

/// The work was done and its result is not good enough.
private struct LimitExceeded: Error, CustomStringConvertible {
  let description: String
}

extension HRTFVerification {
  /// For people: the summary, then the directions with the greatest distortion.
  fileprivate func text(worst count: Int) -> String {
    func line(_ name: String, _ summary: ErrorSummary, _ unit: String) -> String {
      "  \(name)  mean \(hundredths(summary.mean))  p95 \(hundredths(summary.percentile95))  "
        + "max \(hundredths(summary.maximum)) \(unit)\n"
    }
    var text = "\(path): \(rows.count) directions, gain \(hundredths(gain)) dB\n"
    text += line("LSD", spectralDistortion, "dB")
    text += line("ITD", timeError, "µs")
    text += line("ILD", levelError, "dB")
    let worst = rows.sorted { $0.worstDistortion > $1.worstDistortion }.prefix(count)
    if !worst.isEmpty { text += "  azimuth  elevation  LSD left  right / dB  ITD / µs  ILD / dB\n" }
    for row in worst {
      let columns: [(String, Int)] = [
        (hundredths(row.direction.azimuth), 9), (hundredths(row.direction.elevation), 11),
        (hundredths(row.spectralDistortion[0]), 10), (hundredths(row.spectralDistortion[1]), 12),
        (row.isTimeClear ? hundredths(row.timeError) : "-", 10), (hundredths(row.levelError), 10),
      ]
      text += columns.map { String(repeating: " ", count: max(1, $1 - $0.count)) + $0 }.joined()
      text += "\n"
    }
    return text
  }

  /// For programs: one JSON object.
  fileprivate var json: String {
    func object(_ summary: ErrorSummary) -> String {
      "{\"mean\": \(summary.mean), \"p95\": \(summary.percentile95), \"max\": \(summary.maximum)}"
    }
    let directions = rows.map { row in
      """
      {"azimuth": \(row.direction.azimuth), "elevation": \(row.direction.elevation), \
      "distance": \(row.direction.distance), \
      "lsd_db": [\(row.spectralDistortion[0]), \(row.spectralDistortion[1])], \
      "itd_measured_us": \(row.difference.measuredITD), \
      "itd_rendered_us": \(row.difference.renderedITD), \
      "ild_measured_db": \(row.difference.measuredILD), \
      "ild_rendered_db": \(row.difference.renderedILD)}
      """
    }
    return """
      {"file": \(jsonText(path)), "gain_db": \(gain), "lsd_db": \(object(spectralDistortion)), \
      "itd_us": \(object(timeError)), "ild_db": \(object(levelError)), "directions": [
      \(directions.joined(separator: ",\n"))
      ]}

      """
  }
}

extension HRTFVerification.Row {
  fileprivate var worstDistortion: Double { max(spectralDistortion[0], spectralDistortion[1]) }
}
