import Files
import HRTF

/// Reads the parts of a design, each of which stands under a key of its own.
struct DesignReader {
  let root: JSONPlace
  let kind: ListeningTestKind

  private static let common = [
    "$schema", "format", "version", "id", "title", "language", "type", "seed", "consent",
    "instructions", "thanks", "post_url", "break_every", "break_text", "strings", "response",
    "replays", "participants", "repetitions", "block_by", "practice_trials", "hrtfs", "level",
    "ramp_s", "sound_format", "sample_rate_hz", "headphones",
  ]
  private static let placed = [
    "sounds", "directions", "distances_m", "direction_tolerance_deg", "catch_trials",
  ]

  /// The keys of a kind of test.
  static func keys(_ kind: ListeningTestKind) -> [String] {
    switch kind {
    case .localisation: common + placed + ["practice_feedback"]
    case .minimumAudibleAngle:
      common + placed + ["practice_feedback", "interval_gap_s", "staircase"]
    case .abx: common + placed + ["practice_feedback", "interval_gap_s", "pairs"]
    case .preference: common + placed + ["reference", "anchors"]
    case .walk: common + ["scenes"]
    }
  }

  // MARK: What is asked, and whom

  func postURL() throws(FileError) -> String? {
    guard let place = root.nullable("post_url") else { return nil }
    let url = try place.text()
    let isPlain = url.utf8.allSatisfy { $0 > 32 && $0 < 127 }
    guard isPlain, url.hasPrefix("https://") || url.hasPrefix("http://") else {
      throw place.fault("\"\(url)\" is no URL of http or https")
    }
    return url
  }

  func strings() throws(FileError) -> [(key: String, text: String)] {
    guard let place = root.optional("strings") else { return [] }
    guard case .object(let members) = place.value else {
      throw place.fault("is \(place.value.kind), not an object")
    }
    var strings: [(key: String, text: String)] = []
    for (key, _) in members {
      guard PageWords.keys.contains(key) else {
        throw place.fault(
          "unknown key \"\(key)\": the page has no such words; those it has are in Listening/page/strings.js"
        )
      }
      strings.append((key, try place.required(key).text()))
    }
    return strings
  }

  func replays() throws(FileError) -> Int? {
    // Null is no limit; without the key there are none, but where all must be compared.
    if root.optional("replays") != nil { return try root.nullable("replays")?.whole(0...1000) }
    return kind == .abx || kind == .preference ? nil : 0
  }

  func participants() throws(FileError) -> [String] {
    let place = try root.required("participants")
    if case .number = place.value {
      let count = try place.whole(1...10_000)
      let width = max(2, "\(count)".count)
      return (1...count).map { number in
        let digits = "\(number)"
        return "P" + String(repeating: "0", count: width - digits.count) + digits
      }
    }
    // They are typed by hand.
    var (codes, known) = ([String](), Set<String>())
    for item in try place.list() {
      let code = try item.identifier()
      guard known.insert(code.lowercased()).inserted else {
        throw item.fault("\(code) is there already, capitals aside")
      }
      codes.append(code)
    }
    return codes
  }

  func response() throws(FileError) -> ListeningDesign.Response {
    let usual = ListeningDesign.Response.usual(kind)
    guard let place = root.optional("response") else {
      guard kind != .walk else { throw root.fault("there is no response") }
      return usual
    }
    try place.checkKeys(["kind", "text", "options", "minimum", "maximum"])
    var response = usual
    if let kind = place.optional("kind") {
      response.kind = try kind.choice(ListeningDesign.Response.Kind.self)
      let allowed = ListeningDesign.Response.kinds(self.kind)
      guard allowed.contains(response.kind) else {
        throw kind.fault(
          "\"\(response.kind.rawValue)\" is not for \(self.kind.rawValue); there are "
            + allowed.map(\.rawValue).joined(separator: ", "))
      }
    }
    response.text = try place.optional("text")?.text() ?? response.text
    if let options = place.optional("options") {
      response.options = try Self.distinct(options) { item throws(FileError) in try item.text() }
    }
    guard (response.kind == .choice) == (response.options.count > 1) else {
      throw place.fault(
        response.kind == .choice
          ? "a choice needs at least two options" : "options are for the kind choice alone")
    }
    response.minimum = try place.optional("minimum")?.number(-1e6...1e6) ?? 0
    response.maximum = try place.optional("maximum")?.number(-1e6...1e6) ?? 100
    guard response.minimum < response.maximum else {
      throw place.fault("minimum is not below maximum")
    }
    return response
  }

  func blockBy() throws(FileError) -> ListeningDesign.Factor? {
    guard let place = root.nullable("block_by") else { return nil }
    let factor = try place.choice(ListeningDesign.Factor.self)
    let allowed: [ListeningDesign.Factor] =
      switch kind {
      case .localisation, .minimumAudibleAngle: [.hrtf, .sound, .direction, .distance, .repetition]
      case .abx: [.pair, .sound, .direction, .distance, .repetition]
      case .preference: [.sound, .direction, .distance, .repetition]
      case .walk: [.hrtf, .scene, .repetition]
      }
    guard allowed.contains(factor) else {
      throw place.fault(
        "\"\(factor.rawValue)\" is no factor of \(kind.rawValue); there are "
          + allowed.map(\.rawValue).joined(separator: ", "))
    }
    return factor
  }

  // MARK: What is heard

  func ears() throws(FileError) -> [ListeningDesign.Ears] {
    let ears = try Self.distinct(try root.required("hrtfs"), by: \.id) { item throws(FileError) in
      try item.checkKeys([
        "id", "set", "equalize", "head_circumference_cm", "near_field", "fix_mirror",
      ])
      let range = HRTFFitting.headCircumferences
      var fitting = HRTFFitting(
        equalization: try item.optional("equalize")?.choice(HRTFFitting.Equalization.self)
          ?? .none,
        headCircumference: try item.optional("head_circumference_cm")?.number(range),
        isNearField: try item.optional("near_field")?.boolean() ?? false)
      fitting.isMirrorFixed = try item.optional("fix_mirror")?.boolean() ?? false
      return ListeningDesign.Ears(
        id: try item.required("id").identifier(),
        set: beside(try item.required("set").text(), isFile: { $0.hasSuffix(".sofa") }),
        fitting: fitting)
    }
    return ears
  }

  func sources() throws(FileError) -> [ListeningDesign.Source] {
    guard kind != .walk else { return [] }
    return try Self.distinct(try root.required("sounds"), by: \.id) { item throws(FileError) in
      try item.checkKeys(["id", "file", "start_s", "duration_s"])
      return ListeningDesign.Source(
        id: try item.required("id").identifier(), file: beside(try item.required("file").text()),
        start: try item.optional("start_s")?.number(0...36_000) ?? 0,
        duration: try item.optional("duration_s")?.number(0.001...3600))
    }
  }

  func directions() throws(FileError) -> DirectionList? {
    kind == .walk ? nil : try DirectionList(try root.required("directions"))
  }

  func distances() throws(FileError) -> [Double]? {
    guard kind != .walk, let place = root.optional("distances_m") else { return nil }
    return try Self.distinct(place) { item throws(FileError) in try item.number(0.1...100) }
  }

  func level() throws(FileError) -> ListeningDesign.Level {
    typealias Level = ListeningDesign.Level
    let isComparing = [.abx, .preference, .walk].contains(kind)
    let usualScope: Level.Scope = isComparing ? .stimulus : .set
    guard let place = root.optional("level") else {
      return Level(alignment: .loudness, target: -30, scope: usualScope, gain: 0, rove: [0])
    }
    try place.checkKeys([
      "align", "target_lufs", "target_dbfs", "per", "gain_db", "rove_db", "rove_steps",
    ])
    let alignment = try place.optional("align")?.choice(Level.Alignment.self) ?? .loudness
    let key: [Level.Alignment: String] = [
      .loudness: "target_lufs", .rms: "target_dbfs", .none: "gain_db",
    ]
    for other in ["target_lufs", "target_dbfs", "gain_db"] where other != key[alignment] {
      guard let wrong = place.optional(other) else { continue }
      throw wrong.fault(
        "with align \"\(alignment.rawValue)\" the level is \(key[alignment] ?? "")")
    }
    let scope = try place.optional("per")?.choice(Level.Scope.self) ?? usualScope
    guard kind != .walk || scope == .stimulus else {
      throw place.fault("walks are aligned per stimulus alone")
    }
    return Level(
      alignment: alignment,
      target: try place.optional(alignment == .rms ? "target_dbfs" : "target_lufs")?.number(-80...0)
        ?? -30,
      scope: scope, gain: try place.optional("gain_db")?.number(-120...60) ?? 0,
      rove: try rove(place))
  }

  private func rove(_ level: JSONPlace) throws(FileError) -> [Double] {
    guard let place = level.optional("rove_db") else {
      if let steps = level.optional("rove_steps") { throw steps.fault("there is no rove_db") }
      return [0]
    }
    let reach = try place.number(0...20)
    guard reach == 0 || kind == .localisation || kind == .minimumAudibleAngle else {
      throw place.fault("levels are roved in localisation and minimum-audible-angle tests alone")
    }
    let count = try level.optional("rove_steps")?.whole(2...64) ?? 5
    guard reach > 0 else { return [0] }
    return (0..<count).map { index in
      thousandths(-reach + 2 * reach * Double(index) / Double(count - 1))
    }
  }

  func headphones() throws(FileError) -> ListeningDesign.Headphones? {
    guard let place = root.optional("headphones") else { return nil }
    try place.checkKeys(["file", "invert"])
    return ListeningDesign.Headphones(
      file: beside(try place.required("file").text()),
      isInverted: try place.optional("invert")?.boolean() ?? false)
  }
}

extension DesignReader {
  /// A file's name as it is to be opened; names that are not of files stay.
  func beside(_ name: String, isFile: (String) -> Bool = { _ in true }) -> String {
    guard !name.hasPrefix("/"), isFile(name) || name.contains("/") else { return name }
    return (root.file.lastIndex(of: "/").map { String(root.file[...$0]) } ?? "") + name
  }

  /// The values of a list, each read by `read`.
  ///
  /// - Throws: `FileError` if one comes twice.
  static func distinct<Value, Name: Hashable>(
    _ place: JSONPlace, by name: (Value) -> Name,
    _ read: (JSONPlace) throws(FileError) -> Value
  ) throws(FileError) -> [Value] {
    var (values, names) = ([Value](), Set<Name>())
    for item in try place.list() {
      let value = try read(item)
      guard names.insert(name(value)).inserted else {
        throw item.fault("\(name(value)) is there already")
      }
      values.append(value)
    }
    return values
  }

  static func distinct<Value: Hashable>(
    _ place: JSONPlace, _ read: (JSONPlace) throws(FileError) -> Value
  ) throws(FileError) -> [Value] { try distinct(place, by: \.self, read) }
}

extension ListeningDesign.Response {
  /// The kinds that a kind of test may have, the usual one first.
  static func kinds(_ test: ListeningTestKind) -> [Kind] {
    switch test {
    case .localisation: [.sphere, .horizontal]
    case .minimumAudibleAngle: [.directionOfChange]
    case .abx: [.abx]
    case .preference: [.rating]
    case .walk: [.sphere, .horizontal, .choice, .rating]
    }
  }

  /// What is asked where a design does not say.
  static func usual(_ test: ListeningTestKind) -> Self {
    Self(kind: kinds(test)[0], text: "", options: [], minimum: 0, maximum: 100)
  }
}
