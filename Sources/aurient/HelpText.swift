extension Command {
  /// Columns of a help text.
  private static let width = 80

  /// How the command is called.
  func usage(_ fullName: String) -> String {
    var words = options.filter { !$0.isRequired }.map {
      "[\($0.synopsis)]" + ($0.repeats ? "..." : "")
    }
    words += operands.map(\.synopsis)
    words += subcommands.isEmpty ? [] : ["COMMAND ..."]
    words += options.filter(\.isRequired).map { option in
      option.short.map { "-\($0) \(option.value ?? "")" } ?? option.synopsis
    }
    return wrapped(words, first: "Usage: \(fullName)", indent: 8)
  }

  /// All that a user needs to know to call the command.
  func help(_ fullName: String) -> String {
    var sections = [usage(fullName), wrapped(summary.words)]
    sections += discussion.split(separator: "\n\n").map { wrapped(String($0).words) }
    if !subcommands.isEmpty {
      let longest = subcommands.reduce(0) { max($0, $1.name.count) }
      let rows = subcommands.map { table($0.name, $0.summary, column: max(12, longest + 4)) }
      sections.append("Commands:\n" + rows.joined())
    }
    let rows = allOptions.map {
      table(($0.short.map { "-\($0), " } ?? "    ") + $0.synopsis, $0.help, column: 28)
    }
    sections.append("Options:\n" + rows.joined())
    if !examples.isEmpty {
      let title = examples.count == 1 ? "Example:\n" : "Examples:\n"
      sections.append(title + examples.map { "  \($0)\n" }.joined())
    }
    return sections.joined(separator: "\n")
  }

  /// A term and its explanation, which starts at `column`.
  private func table(_ term: String, _ text: String, column: Int) -> String {
    let first = "  \(term)"
    let fits = first.count + 2 <= column
    let padded = first + String(repeating: " ", count: max(0, column - 1 - first.count))
    return (fits ? "" : first + "\n")
      + wrapped(
        text.words, first: fits ? padded : String(repeating: " ", count: column - 1),
        indent: column)
  }

  /// The words in lines of at most `width` characters, unless one word alone is longer.
  func wrapped(_ words: [String], first: String = "", indent: Int = 0) -> String {
    var lines = [first]
    for word in words {
      let line = lines[lines.count - 1]
      if !line.isEmpty, line.count + 1 + word.count > Self.width {
        lines.append(String(repeating: " ", count: indent) + word)
      } else {
        lines[lines.count - 1] = line.isEmpty ? word : "\(line) \(word)"
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension String {
  /// Its words, whatever spaces and lines part them.
  var words: [String] {
    split { $0 == " " || $0 == "\n" }.map(String.init)
  }
}
