import Files

/// The values of a command line, by the names of the command's description.
struct Arguments: Sendable {
  /// The command's full name, as in `aurient hrtf info`.
  let command: String
  /// The words besides options, in order.
  let operands: [String]
  private let options: [CommandOption]
  private let values: [String: [String]]

  init(
    command: String, options: [CommandOption], operands: [String], values: [String: [String]]
  ) {
    self.command = command
    self.options = options
    self.operands = operands
    self.values = values
  }

  /// All values of an option, in order.
  func strings(_ name: String) -> [String] {
    assert(options.contains { $0.name == name }, "\(command) has no option --\(name)")
    return values[name] ?? []
  }

  /// The value of an option, or nil where it is not given.
  func string(_ name: String) -> String? { strings(name).last }

  /// Whether the command has an option of this name.
  func hasOption(_ name: String) -> Bool { options.contains { $0.name == name } }

  /// Whether an option is given.
  func flag(_ name: String) -> Bool { !strings(name).isEmpty }

  /// The value of an option that the command needs.
  func required(_ name: String) throws(UsageError) -> String {
    guard let value = string(name) else {
      let option = options.first { $0.name == name }
      throw .seeHelp(command, "needs " + (option?.synopsis ?? "--\(name)"))
    }
    return value
  }

  /// The value of an option as a number in `range`, or nil where it is not given.
  func number(
    _ name: String, in range: ClosedRange<Double> = -.infinity ... .infinity
  ) throws(UsageError) -> Double? {
    guard let text = string(name) else { return nil }
    guard let value = decimalNumber(text) else { throw bad(name, "\"\(text)\" is not a number") }
    guard range.contains(value) else {
      throw bad(name, outside(text, range.lowerBound, range.upperBound))
    }
    return value
  }

  /// The value of an option as a whole number in `range`, or nil where it is not given.
  func wholeNumber(
    _ name: String, in range: ClosedRange<Int> = .min ... .max
  ) throws(UsageError) -> Int? {
    guard let text = string(name) else { return nil }
    guard let value = Int(text) else { throw bad(name, "\"\(text)\" is not a whole number") }
    guard range.contains(value) else {
      throw bad(
        name,
        outside(
          text, range.lowerBound == .min ? -.infinity : Double(range.lowerBound),
          range.upperBound == .max ? .infinity : Double(range.upperBound)))
    }
    return value
  }

  /// The fault of an option's value.
  func bad(_ name: String, _ cause: String) -> UsageError {
    UsageError(command, "--\(name): \(cause)")
  }
}

private func outside(_ text: String, _ lowest: Double, _ highest: Double) -> String {
  if lowest == -.infinity { return "\(text) is more than \(plain(highest))" }
  if highest == .infinity { return "\(text) is less than \(plain(lowest))" }
  return "\(text) is outside \(plain(lowest)) to \(plain(highest))"
}

/// A number without the `.0` of a whole one.
private func plain(_ number: Double) -> String {
  Int(exactly: number).map(String.init) ?? number.description
}
