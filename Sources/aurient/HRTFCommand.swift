import Aurient
import Files
import Glibc
import HRTF
import SpatialAudio

extension Command {
  /// `aurient hrtf`.
  static let hrtf = Command(
    name: "hrtf",
    summary: "Lists, reads and converts head-related transfer functions.",
    discussion: """
      Azimuths are counterclockwise as in SOFA: 0 is ahead, 90 is left. Elevations are positive \
      upwards.

      NAME is that of a set that ships, or its beginning. 'impulse' and 'render' also take .mhr files and \
      OpenAL's own sets; the others need the SOFA file's measurement.
      """,
    examples: ["aurient hrtf info MIT_KEMAR_normal_pinna.sofa"],
    subcommands: [
      .hrtfList, .hrtfInfo, .hrtfConvert, .hrtfMerge, .hrtfVerify, .hrtfCompare, .hrtfImpulse,
    ])

  private static let hrtfList = Command(
    name: "list",
    summary: "Lists the data sets that a rendering can name.",
    options: [CommandOption("json", help: "print JSON")],
    examples: ["aurient hrtf list"],
    run: runList)

  private static let hrtfInfo = Command(
    name: "info",
    summary: "Says what a SOFA file holds: convention, rate, directions, length, delays.",
    operands: [.one("NAME|FILE.sofa")],
    options: [CommandOption("json", help: "print JSON")],
    discussion: """
      The largest gap is the greatest angle from any point of the sphere to the nearest direction. Of \
      several responses of one place the first counts; the others are duplicates. A set is mirrored if \
      the ear away from the source leads, as the measured time differences show. The head is the sphere \
      with those time differences.
      """,
    examples: ["aurient hrtf info MIT_KEMAR_normal_pinna.sofa"],
    run: runInfo)

  private static let hrtfConvert = Command(
    name: "convert",
    summary: "Converts a SOFA file to a data set of OpenAL Soft.",
    operands: [.one("NAME|FILE.sofa")],
    options: [
      CommandOption("output", short: "o", "OUT.mhr", required: true, help: "the file to write"),
      CommandOption("distance", "METRES", help: "which distance, in a file of several"),
      CommandOption(
        "all-distances", help: "all distances in one data set, for OpenAL Soft 1.21.1 or newer"),
      CommandOption(
        "near-field", help: "with --all-distances: also nearer ones, by a spherical head"),
    ] + CommandOption.fitting,
    examples: ["aurient hrtf convert subject_003.sofa -o subject_003.mhr"],
    run: runConvert)

  private static let hrtfImpulse = Command(
    name: "impulse",
    summary: "Writes the impulse response of the whole rendering path for one direction.",
    operands: [.one("NAME|FILE")],
    options: [
      CommandOption(
        "azimuth", "DEGREES", required: true, help: "counterclockwise from ahead, -360 to 360"),
      CommandOption(
        "elevation", "DEGREES", required: true, help: "up from the horizontal, -90 to 90"),
      CommandOption(
        "distance", "METRES",
        help: "from the head; of no effect in a set of one distance without --near-field"),
      CommandOption(
        "near-field", help: "make up distances nearer than measured, by a spherical head"),
      CommandOption(
        "output", short: "o", "OUT.wav", required: true,
        help: "the stereo file to write: 256 frames, 32-bit float, at the data set's rate"),
    ] + CommandOption.fitting,
    examples: ["aurient hrtf impulse subject_003.sofa --azimuth 30 --elevation 0 -o left30.wav"],
    run: runImpulse)
}

@Sendable private func runList(_ arguments: Arguments) throws {
  let catalogue = HRTFCatalogue()
  let own = try catalogue.ownDataSets()
  if arguments.flag("json") {
    let shipped = catalogue.entries.map {
      "{\"name\": \(jsonText($0.name)), \"file\": \(jsonText($0.path))}"
    }
    let others = own.map { "{\"name\": \(jsonText($0)), \"file\": null}" }
    try printOut("[" + (shipped + others).joined(separator: ", ") + "]\n")
  } else {
    let width = (catalogue.entries.map(\.name.count).max() ?? 0) + 2
    for entry in catalogue.entries {
      let padding = String(repeating: " ", count: width - entry.name.count)
      try printOut("\(entry.name)\(padding)\(entry.path)\n")
    }
    for name in own { try printOut("\(name)\n") }
  }
}

@Sendable private func runInfo(_ arguments: Arguments) throws {
  let file = try HRTFCatalogue().measurement(arguments.operands[0])
  let description = HRTFDescription(file)
  try printOut(arguments.flag("json") ? description.json : description.text)
}

@Sendable private func runConvert(_ arguments: Arguments) throws {
  try arguments.checkOutputs(["output"], inputs: arguments.operands)
  let output = try arguments.required("output")
  guard output.hasSuffix(".mhr") else { throw arguments.bad("output", "the name ends in .mhr") }
  let fitting = try arguments.fitting()
  let file = try HRTFCatalogue().measurement(arguments.operands[0])
  let path = file.path
  var responses = file.responses
  if fitting.isMirrorFixed, responses.isMirrored != true {
    printError("aurient: \(path): not mirrored, as far as can be told; left as it is")
  }
  responses = try responses.fitted(fitting, path: path)
  arguments.warnOfMirror(path, isMirrored: responses.isMirrored == true)
  if !arguments.flag("all-distances"), arguments.flag("near-field") {
    throw arguments.bad("near-field", "is of use with --all-distances alone")
  }
  if arguments.flag("all-distances"), arguments.flag("distance") {
    throw arguments.bad("distance", "is of no use with --all-distances")
  }
  let dataSets: [OpenALDataSet]
  if arguments.flag("all-distances") {
    var fitting = fitting
    fitting.isNearField = arguments.flag("near-field")
    dataSets = OpenALDataSet.converting(responses, fitting: fitting, layout: .fields)
    guard OpenALDataSet.areFields(dataSets) else {
      throw FileError(
        .unsupported, file: path, "\(dataSets.count) distances do not fit into one data set")
    }
  } else {
    dataSets = [
      OpenALDataSet(converting: try shell(of: responses, path: path, arguments: arguments))
    ]
  }
  let peak = dataSets.reduce(1) { max($0, $1.peak) }
  let decibels = 20 * log10(Double(peak))
  let lowered = dataSets.map { $0.attenuated(by: peak) }
  try OutputFile.write(
    arguments.flag("all-distances") ? OpenALDataSet.minPHR03(lowered) : lowered[0].minPHR02,
    to: output)
  if decibels >= 0.05 {
    printError(
      "aurient: \(output): made \(tenths(decibels)) dB softer than measured, to fit full scale")
  }
}

/// The responses of the one distance that is asked for, or that there is.
private func shell(of set: HRIRSet, path: String, arguments: Arguments) throws -> HRIRSet {
  let shells = set.shells
  guard let distance = try arguments.number("distance", in: 0.01...1000) else {
    guard shells.count == 1 else {
      throw FileError(
        .unsupported, file: path,
        "has \(shells.count) distances: choose one with --distance, or --all-distances")
    }
    return set
  }
  guard let chosen = shells.first(where: { abs($0.distance / distance - 1) < 0.05 }) else {
    let distances = shells.map { thousandths($0.distance) }.joined(separator: ", ")
    throw arguments.bad("distance", "\(path) was measured at \(distances) m")
  }
  return chosen
}

/// Metres; in a set of several distances as good as the farthest.
private let farAway = 1000.0

@Sendable private func runImpulse(_ arguments: Arguments) throws {
  guard let azimuth = try arguments.number("azimuth", in: -360...360),
    let elevation = try arguments.number("elevation", in: -90...90)
  else { throw UsageError.seeHelp(arguments.command, "needs --azimuth and --elevation") }
  try arguments.checkOutputs(["output"], inputs: arguments.operands)
  let distance = try arguments.number("distance", in: 0.01...1000)
  let direction = SphericalDirection(
    azimuth: azimuth, elevation: elevation, distance: distance ?? farAway)
  let catalogue = HRTFCatalogue()
  var fitting = try arguments.fitting()
  fitting.isNearField = arguments.flag("near-field")
  let selection = try catalogue.select(arguments.operands[0], sampleRate: nil, fitting: fitting)
  let response = try catalogue.impulseResponse(selection, direction: direction)
  let output = try SoundFileWriter(
    path: arguments.required("output"), sampleRate: response.sampleRate, channelCount: 2,
    expectedFrames: response.samples.count / 2)
  try response.samples.withUnsafeBufferPointer { samples throws(FileError) in
    try output.write(samples)
  }
  try output.commit()
  arguments.warnOfMirror(selection.title, isMirrored: selection.isMirrored)
  if selection.measuredPart?.contains(direction) == false {
    printError(
      "aurient: \(selection.title): \(tenths(azimuth)), \(tenths(elevation)) lies outside what is measured; "
        + "the response is carried on from the edge")
  }
}
