/// What a command line asks for.
enum Invocation {
  /// A text, such as the help of a command.
  case text(String)
  /// The work of a command.
  case work(@Sendable (Arguments) throws -> Void, Arguments)
}

extension Command {
  /// What the words after the command's name ask for.
  ///
  /// - Parameter parent: the full name of the command that this is one of, or nil.
  /// - Throws: `UsageError` for an unknown command or option, one without its value, one given twice,
  ///   and too few or too many operands.
  func invocation(_ words: [String], parent: String? = nil) throws(UsageError) -> Invocation {
    let fullName = parent.map { "\($0) \(name)" } ?? name
    let parsed = ParsedWords(
      words, options: allOptions, stopsAtOperand: !subcommands.isEmpty)
    // Asked for before the first mistake, help is given.
    if parsed.values["help"] != nil { return .text(help(fullName)) }
    if parsed.values["usage"] != nil { return .text(usage(fullName)) }
    if parsed.values["version"] != nil { return .text("aurient \(version)\n") }
    if let culprit = parsed.culprit { throw .seeHelp(fullName, fault(of: culprit)) }

    if !subcommands.isEmpty {
      guard let word = parsed.operands.first else {
        throw .seeHelp(fullName, "needs a command")
      }
      guard let command = subcommands.first(where: { $0.name == word }) else {
        let nearest = nearestName(to: word, in: subcommands.map(\.name))
        throw .seeHelp(fullName, "unknown command \(word)" + question(nearest))
      }
      return try command.invocation(Array(words.dropFirst(parsed.count)), parent: fullName)
    }

    let arguments = Arguments(
      command: fullName, options: allOptions, operands: parsed.operands, values: parsed.values)
    for option in options {
      if option.isRequired { _ = try arguments.required(option.name) }
      if !option.repeats, arguments.strings(option.name).count > 1 {
        throw UsageError(fullName, "--\(option.name) is given twice")
      }
    }
    try checkOperands(arguments)
    return .work(run, arguments)
  }

  private func checkOperands(_ arguments: Arguments) throws(UsageError) {
    var rest = arguments.operands[...]
    for operand in operands {
      let taken = rest.prefix(operand.count.upperBound)
      guard taken.count >= operand.count.lowerBound else {
        throw .seeHelp(arguments.command, "needs \(operand.name)")
      }
      rest = rest.dropFirst(taken.count)
    }
    if let word = rest.first {
      throw .seeHelp(arguments.command, "cannot use \"\(word)\"")
    }
  }

  /// Why a word could not be parsed; argp itself does not tell.
  private func fault(of word: String) -> String {
    guard word.hasPrefix("--") else {
      for letter in word.dropFirst() {
        guard let option = allOptions.first(where: { $0.short == letter }) else {
          return "unknown option -\(letter)"
        }
        if let value = option.value { return "-\(letter) needs a value, \(value)" }
      }
      return "unknown option \(word)"
    }
    let parts = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let candidates = allOptions.filter { $0.name.hasPrefix(name) }
    if let option = candidates.first(where: { $0.name == name }) ?? candidates.first,
      candidates.count == 1 || option.name == name
    {
      return option.value.map { "--\(option.name) needs a value, \($0)" }
        ?? "--\(option.name) takes no value"
    }
    guard candidates.isEmpty else {
      return "--\(name) may be " + candidates.map { "--" + $0.name }.joined(separator: " or ")
    }
    let nearest = nearestName(to: name, in: allOptions.map(\.name))
    return "unknown option --\(name)" + question(nearest.map { "--" + $0 })
  }

  private func question(_ name: String?) -> String { name.map { " (did you mean \($0)?)" } ?? "" }
}
