import Aurient
import Files
import Geometry
import HRTF

extension Command {
  /// `aurient hrtf compare`.
  static let hrtfCompare = Command(
    name: "compare",
    summary: "Compares two measured sets, to choose between them.",
    operands: [.one("A"), .one("B")],
    options: CommandOption.fitting + [
      CommandOption("worst", "COUNT", help: "how many directions to list, worst first; else 10"),
      CommandOption(
        "plot", "FILE.svg", help: "draw interaural time and level of both, and a map of distortion"),
      CommandOption("json", help: "print all common directions as JSON"),
    ],
    discussion: """
      A and B are names or .sofa files. Each direction of A is compared with the nearest of B within \
      2 degrees; the others are left out. LSD is the log-spectral distortion of each ear from 200 Hz to \
      16 kHz or 0.45 of the lower rate, one gain common to all directions taken out. ITD is by \
      cross-correlation below 1.6 kHz, within 75 degrees of the median plane; ILD is that of the same \
      band as LSD. A direction belongs to the region whose middle is nearest.

      Listeners tell ITDs apart from about 10 microseconds on (9 for noise and 28 for a click; Klumpp \
      and Eady, J. Acoust. Soc. Am. 28, 1956), ILDs from about 1 dB on (Mills, J. Acoust. Soc. Am. 32, \
      1960), both from ahead; from the side it takes more.

      --equalize and --head-circumference change both sets before they are compared: equalised to the \
      diffuse field, sets differ by their directions alone, not by how they were measured.
      """,
    examples: [
      "aurient hrtf compare subject_003.sofa subject_010.sofa",
      "aurient hrtf compare MIT SADIE --equalize diffuse-field --plot difference.svg",
    ],
    run: runCompare)
}

@Sendable private func runCompare(_ arguments: Arguments) throws {
  let worst = try arguments.wholeNumber("worst", in: 0...1_000_000) ?? 10
  let fitting = try arguments.fitting()
  try arguments.checkOutputs(["plot"], inputs: arguments.operands)
  let plot = try arguments.string("plot").map { try BinauralPlot(path: $0) }
  let catalogue = HRTFCatalogue()
  let files = try arguments.operands.map { try catalogue.measurement($0) }
  let sets = try files.map { try $0.responses.fitted(fitting, path: $0.path) }
  for (file, set) in zip(files, sets) {
    arguments.warnOfMirror(file.path, isMirrored: set.isMirrored == true)
  }
  let progress = ProgressBar()
  guard
    let comparison = HRTFComparison(sets[0], with: sets[1], progress: { progress.update($0) })
  else {
    throw FileError(
      .unsupported, file: files[1].path,
      "has no direction within 2 degrees of one of \(files[0].path)")
  }
  try plot?.draw(comparison, names: files.map(\.path))
  let report = ComparisonReport(files: files, sets: sets, comparison: comparison)
  try printOut(arguments.flag("json") ? report.json : report.text(worst: worst))
}

/// A comparison, for its user.
private struct ComparisonReport {
  let files: [SOFAFile]
  let sets: [HRIRSet]
  let comparison: HRTFComparison

  /// Differences from which on listeners notice them from ahead: µs and dB.
  private static let noticeable = (time: 10.0, level: 1.0)

  private func share(_ isOver: (HRTFComparison.Row) -> Bool) -> String {
    tenths(100 * Double(comparison.rows.filter(isOver).count) / Double(comparison.rows.count))
  }

  /// For people: regions, octaves, then the directions with the greatest distortion.
  func text(worst count: Int) -> String {
    var text = ""
    for (letter, (file, set)) in zip(["A", "B"], zip(files, sets)) {
      text +=
        "\(letter)  \(file.path): \(set.directions.count) directions, \(Int(set.sampleRate)) Hz\n"
    }
    let angles = comparison.rows.map(\.angle)
    text += """
      \(comparison.rows.count) common directions, \
      \(hundredths(angles.reduce(0, +) / Double(angles.count))) degrees apart on average; \
      level of B against A \(hundredths(comparison.gain)) dB

      """
    text += line(["", "count", "LSD mean", "p95 / dB", "ITD mean", "p95 / µs", "ILD mean / dB"])
    for region in [nil] + HRTFComparison.Region.allCases.map(Optional.some) {
      let rows = comparison.rows(of: region)
      guard !rows.isEmpty else { continue }
      let (distortion, time) = (rows.spectralDistortion, rows.timeDifference)
      text += line([
        region?.rawValue ?? "all", "\(rows.count)", hundredths(distortion.mean),
        hundredths(distortion.percentile95), tenths(time.mean), tenths(time.percentile95),
        hundredths(rows.levelDifference.mean),
      ])
    }
    text += """
      ITDs differ by over \(Int(Self.noticeable.time)) µs in \
      \(share { $0.isTimeClear && abs($0.timeDifference) > Self.noticeable.time }) % of the directions, \
      ILDs by over \(Int(Self.noticeable.level)) dB in \
      \(share { abs($0.levelDifference) > Self.noticeable.level }) %
      B against A by octave: \
      \(comparison.octaves.map { "\(Int($0.frequency)) Hz \(tenths($0.level))" }
        .joined(separator: ", "))

      """
    let worst = comparison.rows.sorted { $0.worstDistortion > $1.worstDistortion }.prefix(count)
    guard !worst.isEmpty else { return text }
    text += line([
      "azimuth", "elevation", "apart", "LSD left", "right / dB", "ITD / µs", "ILD / dB",
    ])
    for row in worst {
      text += line([
        tenths(row.direction.azimuth), tenths(row.direction.elevation), hundredths(row.angle),
        hundredths(row.spectralDistortion[0]), hundredths(row.spectralDistortion[1]),
        row.isTimeClear ? tenths(row.timeDifference) : "-", hundredths(row.levelDifference),
      ])
    }
    return text
  }

  /// One line of a table: its first column to the left, the others to the right.
  private func line(_ columns: [String]) -> String {
    let widths = [7, 10, 10, 10, 11, 10, 15]
    return zip(columns, widths).enumerated().map { index, column in
      let padding = String(repeating: " ", count: max(1, column.1 - column.0.count))
      return index == 0 ? column.0 + padding : padding + column.0
    }.joined() + "\n"
  }

  /// For programs: one JSON object.
  var json: String {
    func object(_ summary: ErrorSummary) -> String {
      "{\"mean\": \(summary.mean), \"p95\": \(summary.percentile95), \"max\": \(summary.maximum)}"
    }
    let regions = ([nil] + HRTFComparison.Region.allCases.map(Optional.some)).map { region in
      let rows = comparison.rows(of: region)
      return """
        "\(region?.rawValue ?? "all")": {"count": \(rows.count), \
        "lsd_db": \(object(rows.spectralDistortion)), "itd_us": \(object(rows.timeDifference)), \
        "ild_db": \(object(rows.levelDifference))}
        """
    }
    let directions = comparison.rows.map { row in
      """
      {"azimuth": \(row.direction.azimuth), "elevation": \(row.direction.elevation), \
      "distance": \(row.direction.distance), "angle": \(row.angle), \
      "lsd_db": [\(row.spectralDistortion[0]), \(row.spectralDistortion[1])], \
      "itd_us": [\(row.times[0]), \(row.times[1])], "ild_db": [\(row.levels[0]), \(row.levels[1])]}
      """
    }
    let octaves = comparison.octaves.map { "\"\(Int($0.frequency))\": \($0.level)" }
    return """
      {"files": [\(files.map { jsonText($0.path) }.joined(separator: ", "))], \
      "gain_db": \(comparison.gain), "octaves_db": {\(octaves.joined(separator: ", "))}, \
      "regions": {\(regions.joined(separator: ", "))}, "directions": [
      \(directions.joined(separator: ",\n"))
      ]}

      """
  }
}

extension HRTFComparison.Row {
  fileprivate var worstDistortion: Double { max(spectralDistortion[0], spectralDistortion[1]) }
}
