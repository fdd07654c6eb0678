import Aurient
import Compass
import Files
import Geometry

extension Command {
  /// `aurient compass heading`.
  static let compassHeading = Command(
    name: "heading",
    summary: "Writes the headings of a raw magnetometer's log.",
    operands: [.one("LOG")],
    options: CommandOption.headingOptions + [
      CommandOption(
        "output", short: "o", "OUT.csv",
        help: "the file to write; else standard output")
    ],
    discussion: """
      A row for each reading: timestamp (Unix ms), magneticHeading and trueHeading (degrees; the latter \
      where the place is known), headingAccuracy (degrees, 95 %), disturbed (0 or 1), faults \
      (strength, dip, rotation, vertical). Fields are empty where nothing is known. --phone takes the file.
      """,
    examples: [
      "aurient compass heading phone.csv --calibration cal.json --location 48.86,2.34 -o headings.csv"
    ],
    run: runHeading)
}

@Sendable private func runHeading(_ arguments: Arguments) throws {
  let path = arguments.operands[0]
  let settings = try arguments.compassSettings()
  try arguments.checkOutputs(
    ["output"],
    inputs: [path] + [arguments.string("calibration"), settings.gravityPath].compactMap { $0 })
  let output = try TextWriter(path: arguments.string("output") ?? "/dev/stdout")
  let progress = ProgressBar()
  var log = try CompassLog(path: path, settings: settings) { progress.update($0 / 2) }
  output.append("timestamp,magneticHeading,trueHeading,headingAccuracy,disturbed,faults\n")
  var count = 0
  while let heading = try log.next() {
    output.append(heading.row)
    count += 1
    if count % 4096 == 0 { progress.update(0.5 + log.fractionRead / 2) }
  }
  try output.commit()
  for warning in log.warnings { printError(errorLine(warning)) }
}

extension CompassHeading {
  fileprivate var row: String {
    let (milliseconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    func number(_ value: Double?) -> String {
      // Thousandths say all that a compass knows, and cannot round up to 360 below.
      guard let value else { return "" }
      let thousandths = Int((value * 1000).rounded()) % 360_000
      let fraction = String(thousandths % 1000)
      return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
    return (rest == 0 ? "\(milliseconds)" : "\(time.nanoseconds)")
      + ",\(number(magneticHeading)),\(number(trueHeading)),\(number(accuracy)),"
      + "\(isDisturbed ? 1 : 0),\(faults.names.joined(separator: " "))\n"
  }
}

extension FieldFaults {
  /// What they are called.
  var names: [String] {
    [
      (FieldFaults.strength, "strength"), (.dip, "dip"), (.rotation, "rotation"),
      (.vertical, "vertical"),
    ].filter { contains($0.0) }.map(\.1)
  }
}
