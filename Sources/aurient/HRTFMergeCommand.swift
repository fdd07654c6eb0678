import Files
import HRTF

extension Command {
  /// `aurient hrtf merge`.
  static let hrtfMerge = Command(
    name: "merge",
    summary: "Joins SOFA files of the same head into one, for example of several distances.",
    operands: [.oneOrMore("FILE.sofa")],
    options: [
      CommandOption("output", short: "o", "OUT.sofa", required: true, help: "the file to write"),
      CommandOption(
        "fix-mirror", help: "count the azimuths of mirrored sets the other way round"),
    ],
    discussion: """
      All must be of one rate. Responses stay as they are; shorter ones are followed by silence. Where \
      two files have the same place, the first counts. The result is of the convention \
      SimpleFreeFieldHRIR. With one file, it is that file's set in this convention.
      """,
    examples: ["aurient hrtf merge KU100_050.sofa KU100_100.sofa KU100_325.sofa -o KU100.sofa"],
    run: runMerge)
}

@Sendable private func runMerge(_ arguments: Arguments) throws {
  try arguments.checkOutputs(["output"], inputs: arguments.operands)
  let output = try arguments.required("output")
  guard output.hasSuffix(".sofa") else { throw arguments.bad("output", "the name ends in .sofa") }
  let files = try arguments.operands.map { try SOFAFile(path: $0) }
  let first = files[0]
  for file in files where file.responses.sampleRate != first.responses.sampleRate {
    throw FileError(
      .unsupported, file: file.path, place: "Data.SamplingRate",
      "\(Int(file.responses.sampleRate)) Hz, where \(first.path) has "
        + "\(Int(first.responses.sampleRate)); only sets of one rate can be joined")
  }
  for file in files where !arguments.flag("fix-mirror") {
    arguments.warnOfMirror(file.path, isMirrored: file.responses.isMirrored == true)
  }
  let (set, duplicateCount) = HRIRSet.merging(
    files.map { file in
      let isTurned = arguments.flag("fix-mirror") && file.responses.isMirrored == true
      return isTurned ? file.responses.mirrored() : file.responses
    })
  try SOFAFile.write(set, attributes: mergedAttributes(files), to: output)
  if duplicateCount > 0 {
    printError(
      "aurient: \(output): \(duplicateCount) responses left out, of places that an earlier file has"
    )
  }
}

/// The attributes of a joined file: what the files say, each once, and what it was joined from.
private func mergedAttributes(_ files: [SOFAFile]) -> [(name: String, value: String)] {
  let names = [
    "Title", "DatabaseName", "ListenerShortName", "License", "Organization", "AuthorContact",
    "DateCreated", "DateModified", "References", "Origin",
  ]
  var attributes = names.map { name in
    var values: [String] = []
    for file in files {
      let value = file.attribute(name)
      if !value.isEmpty, !values.contains(value) { values.append(value) }
    }
    // Conventions ask for one date: that of the first.
    return (
      name: name,
      value: name.hasPrefix("Date") ? values.first ?? "" : values.joined(separator: "; ")
    )
  }
  let sources = files.map { $0.path.split(separator: "/").last.map(String.init) ?? $0.path }
  attributes.append(("History", "joined from " + sources.joined(separator: ", ")))
  return attributes
}
