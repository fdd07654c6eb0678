import Aurient
import Compass
import Files
import Geometry
import HeadTracking

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

      A log of finished headings is read, too: its magnetic headings become true ones by the place.
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
  let output = try RowOutput(path: arguments.string("output"))
  try output.append("timestamp,magneticHeading,trueHeading,headingAccuracy,disturbed,faults\n")
  guard try !PhoneLog.holdsHeadings(path: path) else {
    var log = try PhoneLog(path: path, settings: settings)
    while let heading = try log.next() { try output.append(heading.row) }
    try output.commit()
    return
  }
  let progress = ProgressBar()
  var log = try CompassLog(path: path, settings: settings) { progress.update($0 / 2) }
  var count = 0
  while let heading = try log.next() {
    try output.append(heading.row)
    count += 1
    if count % 4096 == 0 { progress.update(0.5 + log.fractionRead / 2) }
  }
  try output.commit()
  for warning in log.warnings { printError(errorLine(warning)) }
}

/// Rows written to a file, or to standard output where none is named.
private final class RowOutput {
  private let file: TextWriter?
  private var pending = ""

  init(path: String?) throws { file = try path.map { try TextWriter(path: $0) } }

  func append(_ row: String) throws {
    if let file { return file.append(row) }
    pending += row
    guard pending.utf8.count >= 1 << 16 else { return }
    try printOut(pending)
    pending = ""
  }

  func commit() throws {
    guard let file else { return try printOut(pending) }
    try file.commit()
  }
}

extension CompassHeading {
  fileprivate var row: String {
    csvRow(
      time, magneticHeading, trueHeading, accuracy, isDisturbed: isDisturbed,
      faults.names.joined(separator: " "))
  }
}

extension PhoneHeading {
  fileprivate var row: String {
    func valid(_ value: Double?) -> Double? { value.flatMap { $0 < 0 ? nil : $0 } }
    return csvRow(
      time, valid(magneticHeading), valid(trueHeading), valid(headingAccuracy),
      isDisturbed: heading == nil, "")
  }
}

private func csvRow(
  _ time: Timestamp, _ magnetic: Double?, _ trueNorth: Double?, _ accuracy: Double?,
  isDisturbed: Bool, _ faults: String
) -> String {
  let (milliseconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
  // Thousandths say all that a compass knows; 359.9996 is north.
  func thousandths(_ value: Double?, turn: Int = .max) -> String {
    guard let value, value < 1e9 else { return "" }
    let whole = Int((value * 1000).rounded()) % turn
    let fraction = String(whole % 1000)
    return "\(whole / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
  return (rest == 0 ? "\(milliseconds)" : "\(time.nanoseconds)")
    + ",\(thousandths(magnetic, turn: 360_000)),\(thousandths(trueNorth, turn: 360_000)),"
    + "\(thousandths(accuracy)),"
    + "\(isDisturbed ? 1 : 0),\(faults)\n"
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
