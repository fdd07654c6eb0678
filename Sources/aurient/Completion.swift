/// What a shell may offer for the last of some words.
struct Completion: Equatable, Sendable {
  /// A word and what it means.
  struct Candidate: Equatable, Sendable {
    var word: String
    var meaning = ""
  }

  /// Whole words that begin as the last one does, in the order of the help.
  var candidates: [Candidate] = []
  /// Whether a file's name may stand there.
  var takesFile = false

  /// For the scripts of `completionScript`: a word a line, with a tab before its meaning; a line `:files` at the
  /// end where a file's name may stand.
  var lines: String {
    candidates.map { "\($0.word)\t\($0.meaning)\n" }.joined() + (takesFile ? ":files\n" : "")
  }
}

extension Command {
  /// What may stand for the last of the words after the command's name, which may be empty or begun.
  ///
  /// bash parts `--name=value` into three words; other shells leave it whole.
  func completion(of words: [String]) -> Completion {
    var command = self
    var waiting: CommandOption?
    var isAfterOptions = false
    var given: Set<String> = []
    for word in words.dropLast() {
      if let option = waiting, word != "=" {
        given.insert(option.name)
        waiting = nil
      } else if word == "=" {
        continue
      } else if word == "--", !isAfterOptions {
        isAfterOptions = true
      } else if word.hasPrefix("-"), word.count > 1, !isAfterOptions {
        guard let (option, isComplete) = command.option(word) else { continue }
        if option.value == nil || isComplete { given.insert(option.name) } else { waiting = option }
      } else if !command.subcommands.isEmpty {
        guard let next = command.subcommands.first(where: { $0.name == word }) else {
          return Completion()
        }
        (command, given) = (next, [])
      }
    }
    let last = words.last ?? ""
    if let waiting { return waiting.completion(last == "=" ? "" : last) }
    guard last.hasPrefix("-"), !isAfterOptions else { return command.operandCompletion(last) }
    if let equals = last.firstIndex(of: "="), let (option, _) = command.option(last) {
      return option.completion(
        String(last[last.index(after: equals)...]), before: String(last[...equals]))
    }
    let options = command.allOptions.filter { $0.repeats || !given.contains($0.name) }
    return Completion(
      candidates: options.filter { "--\($0.name)".hasPrefix(last) }.map {
        .init(word: "--\($0.name)", meaning: $0.help)
      })
  }

  /// The option that a word such as `--name`, `--name=value`, `-n` or `-nvalue` calls, and whether its value
  /// is in it.
  private func option(_ word: String) -> (CommandOption, isComplete: Bool)? {
    if word.hasPrefix("--") {
      let parts = word.dropFirst(2).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let begun = allOptions.filter { $0.name.hasPrefix(parts[0]) }
      let option = begun.first { $0.name == parts[0] } ?? (begun.count == 1 ? begun[0] : nil)
      return option.map { ($0, parts.count > 1) }
    }
    for (index, letter) in word.enumerated().dropFirst() {
      guard let option = allOptions.first(where: { $0.short == letter }) else { return nil }
      let isLast = index == word.count - 1
      if option.value != nil || isLast { return (option, !isLast) }
    }
    return nil
  }

  private func operandCompletion(_ begun: String) -> Completion {
    Completion(
      candidates: subcommands.filter { $0.name.hasPrefix(begun) }.map {
        .init(word: $0.name, meaning: $0.summary)
      },
      // All operands of all commands are files, or may be.
      takesFile: !operands.isEmpty)
  }
}

extension CommandOption {
  /// The words of a value's name by which one knows that it is a file's or a folder's.
  private static let fileWords: Set<Substring> = [
    "FILE", "FOLDER", "DIR", "LOG", "OUT", "CAL", "SCENE",
  ]

  /// Whether its value may name a file or a folder.
  private var takesFile: Bool {
    value?.split { !$0.isLetter }.contains { Self.fileWords.contains($0) } ?? false
  }

  /// The values that begin so; `before` is put before each.
  fileprivate func completion(_ begun: String, before: String = "") -> Completion {
    Completion(
      candidates: choices.filter { $0.hasPrefix(begun) }.map { .init(word: before + $0) },
      takesFile: takesFile)
  }
}
