private import CArgp
import Glibc

/// Words sorted into options and operands by argp, the parser of the GNU C library.
struct ParsedWords: Sendable {
  /// The values of each option that was given; an empty one for each time that one without value was.
  var values: [String: [String]] = [:]
  /// The words that are no options; the first alone where parsing stops there.
  var operands: [String] = []
  /// How many words were read.
  var count = 0
  /// The word at which parsing failed.
  var culprit: String?

  fileprivate var options: [CommandOption]
  fileprivate var stopsAtOperand: Bool

  /// Sorts the words.
  ///
  /// - Parameters:
  ///   - options: the options that there are.
  ///   - stopsAtOperand: whether to leave all words after the first operand to a subcommand.
  init(_ words: [String], options: [CommandOption], stopsAtOperand: Bool) {
    self.options = options
    self.stopsAtOperand = stopsAtOperand

    // argp reads these while it parses, and whatever it hands out is copied.
    var arguments = (["aurient"] + words).map { strdup($0) } + [nil]
    let names = options.map { strdup($0.name) }
    let valueNames = options.map { $0.value.flatMap { strdup($0) } }
    defer { for string in arguments + names + valueNames { free(string) } }

    var table = options.indices.map { index in
      argp_option(
        name: names[index], key: options[index].key(index), arg: valueNames[index], flags: 0,
        doc: nil, group: 0)
    }
    table.append(argp_option())
    // In order, nothing printed, and no way out of the process from here.
    let flags = UInt32(ARGP_IN_ORDER | ARGP_NO_EXIT | ARGP_NO_ERRS | ARGP_NO_HELP)
    let failure = table.withUnsafeBufferPointer { table in
      var parser = argp()
      parser.options = table.baseAddress
      parser.parser = takeArgument
      return withUnsafeMutablePointer(to: &self) { result in
        argp_parse(&parser, Int32(words.count + 1), &arguments, flags, nil, result)
      }
    }
    if failure != 0 { culprit = count < words.count ? words[count] : words.last ?? "" }
  }
}

extension CommandOption {
  /// The number by which argp calls it: its letter, or one beyond all letters.
  fileprivate func key(_ index: Int) -> Int32 {
    short?.asciiValue.map(Int32.init) ?? Int32(256 + index)
  }
}

/// Called by argp for each option and operand.
private func takeArgument(
  _ key: Int32, _ argument: UnsafeMutablePointer<CChar>?, _ state: UnsafeMutablePointer<argp_state>?
) -> error_t {
  guard let state, let parsed = state.pointee.input?.assumingMemoryBound(to: ParsedWords.self)
  else { return ARGP_ERR_UNKNOWN }
  let value = argument.map { String(cString: $0) } ?? ""
  if key == ARGP_KEY_ARG {
    parsed.pointee.operands.append(value)
    parsed.pointee.count = Int(state.pointee.next) - 1
    if parsed.pointee.stopsAtOperand { state.pointee.next = state.pointee.argc }
    return 0
  }
  let options = parsed.pointee.options
  guard let index = options.indices.first(where: { options[$0].key($0) == key }) else {
    return ARGP_ERR_UNKNOWN
  }
  parsed.pointee.values[options[index].name, default: []].append(value)
  parsed.pointee.count = Int(state.pointee.next) - 1
  return 0
}
