import Files

extension Command {
  /// The first word of a command line that asks for the manual, which the second names a folder for; for the
  /// build.
  static let manualRequest = "--manual"

  /// Writes `aurient.1`, and a page for each command, such as `aurient-hrtf-info.1`, into a folder.
  func writeManual(to folder: String, fullName: String? = nil) throws(FileError) {
    let fullName = fullName ?? name
    let page = manualPage(fullName)
    try OutputFile.write(page.utf8, to: "\(folder)/\(pageName(fullName)).1")
    for command in subcommands {
      try command.writeManual(to: folder, fullName: "\(fullName) \(command.name)")
    }
  }

  /// Its page in the macros of man(7).
  func manualPage(_ fullName: String) -> String {
    let title = pageName(fullName)
    var page = """
      .TH \(title.uppercased()) 1 \(versionDate) "aurient \(version)" "User Commands"
      .SH NAME
      \(escaped(title)) \\-
      \(filled(phrase(summary)))
      .SH SYNOPSIS
      .nh
      .ad l
      \(synopsis(fullName))
      .ad b
      .hy
      .SH DESCRIPTION
      \(filled(summary))

      """
    for paragraph in discussion.split(separator: "\n\n") {
      page += ".PP\n\(filled(paragraph))\n"
    }
    if !subcommands.isEmpty {
      page += ".SH COMMANDS\n"
      for command in subcommands {
        page += """
          .TP
          .BR \(escaped(pageName("\(fullName) \(command.name)"))) (1)
          \(filled(command.summary))

          """
      }
    }
    page += ".SH OPTIONS\n"
    for option in allOptions { page += manualEntry(option) }
    page += sections[fullName] ?? ""
    page += ".SH EXAMPLES\n.nf\n"
    page += examples.map { unrequested(escaped($0)) + "\n" }.joined() + ".fi\n"
    page += ".SH SEE ALSO\n"
    let parts = fullName.split(separator: " ")
    let parent = parts.dropLast().joined(separator: "-")
    page += ".BR \(parent.isEmpty ? "espeak\\-ng" : escaped(parent)) (1)\n"
    return page
  }

  private func manualEntry(_ option: CommandOption) -> String {
    let letter = option.short.map { "\\fB\(escaped("-\($0)"))\\fR, " } ?? ""
    return ".TP\n\(letter)\(option.manualTerm)\n\(filled(option.help + "."))\n"
  }

  private func pageName(_ fullName: String) -> String {
    fullName.split(separator: " ").joined(separator: "-")
  }

  /// How it is called, words in bold and values in italics.
  private func synopsis(_ fullName: String) -> String {
    var words = ["\\fB\(escaped(fullName))\\fR"]
    words += options.filter { !$0.isRequired }.map {
      "[\($0.manualTerm)]" + ($0.repeats ? "..." : "")
    }
    words += operands.map { operand in
      let term = "\\fI\(escaped(operand.name))\\fR"
      return (operand.count.lowerBound == 0 ? "[\(term)]" : term)
        + (operand.count.upperBound > 1 ? "..." : "")
    }
    words += subcommands.isEmpty ? [] : ["\\fICOMMAND\\fR ..."]
    words += options.filter(\.isRequired).map(\.manualTerm)
    return words.joined(separator: "\n")
  }
}

extension CommandOption {
  /// How it is written, as in `--output FILE`.
  fileprivate var manualTerm: String {
    "\\fB\(escaped("--\(name)"))\\fR" + (value.map { " \\fI\(escaped($0))\\fR" } ?? "")
  }
}

/// What a page has besides its command's description.
private let sections = [
  "aurient": """
  .SH ENVIRONMENT
  .TP
  .B AURIENT_DATA
  The folder that holds HRTF, Sounds and Magnetism; else
  .I ../share/aurient
  beside the program's folder.
  .TP
  .B XDG_CACHE_HOME
  Converted data sets are kept in its folder
  .IR aurient ,
  else in
  .IR ~/.cache/aurient ;
  they may be deleted at any time.
  .TP
  .BR ALSOFT_CONF ", " ALSOFT_DRIVERS ", " ALSOFT_LOGLEVEL
  Configuration, sound system and messages of OpenAL Soft.

  """
]

/// A summary as the phrase that follows a page's name: `Renders a walk.` is `renders a walk`.
private func phrase(_ summary: String) -> String {
  let text = summary.hasSuffix(".") ? String(summary.dropLast()) : summary
  return text.prefix(1).lowercased() + text.dropFirst()
}

extension Command {
  /// A text as a paragraph of troff.
  fileprivate func filled(_ text: some StringProtocol) -> String {
    let lines = wrapped(escaped(text).words).split(separator: "\n")
    return lines.map { unrequested(String($0)) }.joined(separator: "\n")
  }
}

/// A line that is no request, even if it begins with a dot.
private func unrequested(_ line: String) -> String { line.hasPrefix(".") ? "\\&" + line : line }

/// A text as troff prints it: hyphens as minus signs, which can be copied.
private func escaped(_ text: some StringProtocol) -> String {
  var result = ""
  for character in text {
    switch character {
    case "\\": result += "\\e"
    case "-": result += "\\-"
    case "'": result += "\\(aq"
    case "±": result += "\\(+-"
    case "µ": result += "\\(mc"
    default: result.append(character)
    }
  }
  return result
}
