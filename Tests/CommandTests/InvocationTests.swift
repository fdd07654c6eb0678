import Testing

@testable import aurient

/// A command of every kind of option, and one with subcommands.
private let sample = Command(
  name: "sample", summary: "Does something.",
  operands: [.one("FILE"), .optional("OTHER")],
  options: [
    CommandOption("rate", short: "r", "HZ", help: "sample rate"),
    CommandOption("ratio", "X", help: "ratio"),
    CommandOption("beacon", "LAT,LON", repeats: true, help: "place"),
    CommandOption("quiet", short: "q", help: "say nothing"),
    CommandOption("output", short: "o", "OUT", required: true, help: "file"),
  ])

private let family = Command(
  name: "family", summary: "Has members.", options: [.version],
  subcommands: [
    sample,
    Command(
      name: "many", summary: "Takes many.", operands: [.oneOrMore("RESULT")]),
  ])

private func arguments(_ words: String, of command: Command = sample) throws -> Arguments {
  let invocation = try command.invocation(words.split(separator: " ").map(String.init))
  guard case .work(_, let arguments) = invocation else {
    throw UsageError(command.name, "no work")
  }
  return arguments
}

private func text(_ words: String, of command: Command = sample) throws -> String? {
  let invocation = try command.invocation(words.split(separator: " ").map(String.init))
  guard case .text(let text) = invocation else { return nil }
  return text
}

@Suite struct InvocationTests {
  @Test(arguments: [
    "in -o out --rate 48000 --quiet", "-qo out -r 48000 in", "-r48000 -oout -q in",
    "--rate=48000 --output=out --quiet in", "--output out --qui in -r 48000",
    "-q -r 48000 -o out -- in",
  ])
  func spellings(words: String) throws {
    let parsed = try arguments(words)
    #expect(parsed.operands == ["in"])
    #expect(parsed.string("output") == "out")
    #expect(parsed.string("rate") == "48000")
    #expect(parsed.flag("quiet"))
    #expect(!parsed.flag("ratio"))
    #expect(parsed.command == "sample")
  }

  @Test func valuesThatLookLikeOptions() throws {
    let parsed = try arguments("-o -x --beacon -33.8,151.2 --ratio -1 -- -in --rate")
    #expect(parsed.string("output") == "-x")
    #expect(parsed.strings("beacon") == ["-33.8,151.2"])
    #expect(parsed.string("ratio") == "-1")
    #expect(parsed.operands == ["-in", "--rate"])
  }

  @Test func repeatedOptionsKeepTheirOrder() throws {
    let parsed = try arguments("--beacon 1,2 in --beacon 3,4 -o out --beacon 5,6")
    #expect(parsed.strings("beacon") == ["1,2", "3,4", "5,6"])
    #expect(parsed.string("rate") == nil)
  }

  @Test func wordsAreKeptAsTheyAre() throws {
    let invocation = try sample.invocation(["", "a b", "-o", "é\n"])
    guard case .work(_, let arguments) = invocation else { throw UsageError("", "no work") }
    #expect(arguments.operands == ["", "a b"])
    #expect(arguments.string("output") == "é\n")
  }

  static let faults: [(String, String)] = [
    ("in", "sample: needs --output OUT; try 'sample --help'"),
    ("-o out", "sample: needs FILE; try 'sample --help'"),
    ("-o out a b c", "sample: cannot use \"c\"; try 'sample --help'"),
    ("-o out in --rat 1", "sample: --rat may be --rate or --ratio; try 'sample --help'"),
    (
      "-o out in --rtae 1",
      "sample: unknown option --rtae (did you mean --rate?); try 'sample --help'"
    ),
    (
      "-o out in --becon=1",
      "sample: unknown option --becon (did you mean --beacon?); try 'sample --help'"
    ),
    ("--zzz -o out in", "sample: unknown option --zzz; try 'sample --help'"),
    ("-o out in -x", "sample: unknown option -x; try 'sample --help'"),
    ("-qx -o out in", "sample: unknown option -x; try 'sample --help'"),
    ("-xq -o out in", "sample: unknown option -x; try 'sample --help'"),
    ("in --output", "sample: --output needs a value, OUT; try 'sample --help'"),
    ("in -qo", "sample: -o needs a value, OUT; try 'sample --help'"),
    ("in -o out --quiet=yes", "sample: --quiet takes no value; try 'sample --help'"),
    ("in -o out --rate 1 -r 2", "sample: --rate is given twice"),
    ("in -o out -qq", "sample: --quiet is given twice"),
    ("--zzz --help", "sample: unknown option --zzz; try 'sample --help'"),
  ]

  @Test(arguments: faults)
  func usageErrors(words: String, expected: String) {
    let error = #expect(throws: UsageError.self) { _ = try arguments(words) }
    #expect(error?.description == expected)
  }

  @Test(arguments: [
    ("", "family: needs a command; try 'family --help'"),
    ("smaple in", "family: unknown command smaple (did you mean sample?); try 'family --help'"),
    ("xyz", "family: unknown command xyz; try 'family --help'"),
    ("--rate 1 sample", "family: unknown option --rate; try 'family --help'"),
    ("sample in", "family sample: needs --output OUT; try 'family sample --help'"),
    ("many", "family many: needs RESULT; try 'family many --help'"),
  ])
  func faultsOfSubcommands(words: String, expected: String) {
    let error = #expect(throws: UsageError.self) { _ = try arguments(words, of: family) }
    #expect(error?.description == expected)
  }

  @Test func subcommandsGetTheRest() throws {
    let parsed = try arguments("sample -o out in", of: family)
    #expect(parsed.command == "family sample")
    #expect(parsed.operands == ["in"])
    #expect(try arguments("many a b c", of: family).operands == ["a", "b", "c"])
    #expect(try arguments("-- many a", of: family).operands == ["a"])
  }

  @Test func helpGoesFirst() throws {
    #expect(try text("--help")?.hasPrefix("Usage: sample ") == true)
    #expect(try text("-h --zzz")?.hasPrefix("Usage: sample ") == true)
    #expect(try text("--help", of: family)?.hasPrefix("Usage: family ") == true)
    #expect(try text("sample --help", of: family)?.hasPrefix("Usage: family sample ") == true)
    #expect(try text("--version", of: family) == "aurient \(version)\n")
    #expect(
      try text("--usage") == """
        Usage: sample [--rate HZ] [--ratio X] [--beacon LAT,LON]... [--quiet] FILE
                [OTHER] -o OUT

        """)
  }
}

@Suite struct ArgumentsTests {
  @Test func numbers() throws {
    let parsed = try arguments("in -o out --rate 48000 --ratio -1.5e1")
    #expect(try parsed.number("rate") == 48000)
    #expect(try parsed.wholeNumber("rate") == 48000)
    #expect(try parsed.wholeNumber("rate", in: 1...48000) == 48000)
    #expect(try parsed.number("ratio", in: -15...0) == -15)
    #expect(try arguments("in -o out").number("rate") == nil)
    #expect(try arguments("in -o out").wholeNumber("rate") == nil)
    #expect(try parsed.required("output") == "out")
  }

  @Test(arguments: [
    ("abc", "\"abc\" is not a number"), ("", "\"\" is not a number"),
    ("nan", "\"nan\" is not a number"),
    ("inf", "\"inf\" is not a number"), ("1e999", "\"1e999\" is not a number"),
    ("0x10", "\"0x10\" is not a number"), ("91", "91 is outside -90 to 90.5"),
    ("-90.1", "-90.1 is outside -90 to 90.5"),
  ])
  func wrongNumbers(value: String, cause: String) throws {
    guard case .work(_, let parsed) = try sample.invocation(["in", "-o", "out", "--rate", value])
    else { throw UsageError("", "no work") }
    let error = #expect(throws: UsageError.self) { _ = try parsed.number("rate", in: -90...90.5) }
    #expect(error?.description == "sample: --rate: \(cause)")
  }

  @Test func rangesOpenAtOneEnd() throws {
    let parsed = try arguments("in -o out --rate 0 --ratio 1.5")
    #expect(throws: UsageError("sample", "--rate: 0 is less than 1")) {
      _ = try parsed.wholeNumber("rate", in: 1 ... .max)
    }
    #expect(throws: UsageError("sample", "--rate: 0 is outside 1 to 9")) {
      _ = try parsed.wholeNumber("rate", in: 1...9)
    }
    #expect(throws: UsageError("sample", "--ratio: 1.5 is more than 1")) {
      _ = try parsed.number("ratio", in: -.infinity...1)
    }
    #expect(throws: UsageError("sample", "--ratio: \"1.5\" is not a whole number")) {
      _ = try parsed.wholeNumber("ratio")
    }
  }
}

@Suite struct NearestNameTests {
  @Test(
    arguments: [
      ("rendre", "render"), ("rendr", "render"), ("redner", "render"), ("hrft", "hrtf"),
      ("hd", nil), ("heads", "head"), ("xyz", nil), ("", nil), ("renderrrr", nil),
    ] as [(String, String?)])
  func nearest(word: String, expected: String?) {
    #expect(nearestName(to: word, in: ["render", "hrtf", "head"]) == expected)
  }

  /// Distances by hand; the fourth is the usual example for Levenshtein's.
  @Test(arguments: [
    ("", "", 0), ("abc", "", 3), ("abc", "acb", 1), ("kitten", "sitting", 3), ("a", "b", 1),
    ("flaw", "lawn", 2),
  ])
  func distances(left: String, right: String, expected: Int) {
    #expect(editDistance(left, right) == expected)
    #expect(editDistance(right, left) == expected)
  }
}
