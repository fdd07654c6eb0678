import Files

/// What belongs to one kind of test.
extension DesignReader {
  func staircase() throws(FileError) -> ListeningDesign.Staircase? {
    guard kind == .minimumAudibleAngle else { return nil }
    typealias Staircase = ListeningDesign.Staircase
    let place = try root.required("staircase")
    try place.checkKeys([
      "plane", "rule", "steps_deg", "start_step", "step_change", "stop_reversals", "max_trials",
    ])
    let list = try place.required("steps_deg")
    var steps: [Double] = []
    for item in try list.list() {
      let step = try item.number(0.01...180)
      guard step > steps.last ?? 0 else {
        throw item.fault("\(short(step)) is not more than the step before")
      }
      steps.append(step)
    }
    guard steps.count > 1 else { throw list.fault("a staircase needs at least two steps") }
    var changes = [1]
    if let list = place.optional("step_change") {
      changes = []
      for item in try list.list() { changes.append(try item.whole(1...1000)) }
    }
    return Staircase(
      plane: try place.optional("plane")?.choice(Staircase.Plane.self) ?? .horizontal,
      rule: try place.optional("rule")?.choice(Staircase.Rule.self) ?? .twoDown, steps: steps,
      startStep: try place.optional("start_step")?.whole(0...(steps.count - 1)) ?? steps.count - 1,
      stepChange: changes,
      stopReversals: try place.optional("stop_reversals")?.whole(1...1000) ?? 8,
      maxTrials: try place.optional("max_trials")?.whole(1...10_000) ?? 60)
  }

  func pairs(of ears: [ListeningDesign.Ears]) throws(FileError) -> [[Int]] {
    guard kind == .abx else { return [] }
    guard ears.count > 1 else {
      throw try root.required("hrtfs").fault("an ABX test needs at least two")
    }
    guard let place = root.optional("pairs") else {
      return ears.indices.flatMap { one in ears.indices.dropFirst(one + 1).map { [one, $0] } }
    }
    return try Self.distinct(place, by: { Set($0) }) { item throws(FileError) in
      let names = try item.list()
      guard names.count == 2 else { throw item.fault("is not a pair") }
      let pair = [try index(names[0], in: ears), try index(names[1], in: ears)]
      guard pair[0] != pair[1] else { throw item.fault("is twice the same") }
      return pair
    }
  }

  func reference(of ears: [ListeningDesign.Ears]) throws(FileError) -> Int {
    guard kind == .preference else { return 0 }
    return try index(try root.required("reference"), in: ears)
  }

  private func index(
    _ place: JSONPlace, in ears: [ListeningDesign.Ears]
  ) throws(FileError) -> Int {
    let name = try place.text()
    guard let index = ears.firstIndex(where: { $0.id == name }) else {
      throw place.fault(
        "\"\(name)\" is none of the hrtfs: \(ears.map(\.id).joined(separator: ", "))")
    }
    return index
  }

  func anchors() throws(FileError) -> [ListeningDesign.Anchor] {
    guard kind == .preference else { return [] }
    guard let place = root.optional("anchors") else { return [.lowPass3500] }
    return try Self.distinct(place) { item throws(FileError) in
      try item.choice(ListeningDesign.Anchor.self)
    }
  }

  func walks() throws(FileError) -> [ListeningDesign.Walk] {
    guard kind == .walk else { return [] }
    let response = try response()
    return try Self.distinct(try root.required("scenes"), by: \.id) { item throws(FileError) in
      try item.checkKeys(["id", "file", "start_s", "duration_s", "beacon", "expected"])
      let expected = try item.optional("expected")?.text()
      if let expected, !response.options.contains(expected) {
        throw try item.required("expected").fault("\"\(expected)\" is none of response.options")
      }
      return ListeningDesign.Walk(
        id: try item.required("id").identifier(), file: beside(try item.required("file").text()),
        start: try item.optional("start_s")?.number(0...36_000) ?? 0,
        duration: try item.optional("duration_s")?.number(0.1...36_000),
        beacon: try item.optional("beacon")?.text(), expected: expected)
    }
  }

  /// Stimuli of one trial that can still be compared (ITU-R BS.1534-3, 5.1: not more than 15).
  private static let greatestItemCount = 15

  func checkItemCount(_ design: ListeningDesign) throws(FileError) {
    guard kind == .preference else { return }
    let ids = Set(design.ears.map(\.id))
    if let anchor = design.anchors.first(where: { ids.contains($0.rawValue) }) {
      throw root.fault("\"\(anchor.rawValue)\" is both an anchor and one of the hrtfs")
    }
    let count = design.ears.count + design.anchors.count
    guard count <= Self.greatestItemCount else {
      throw try root.required("hrtfs").fault(
        "with the anchors, \(count) sounds would be rated at once; more than "
          + "\(Self.greatestItemCount) cannot be compared (ITU-R BS.1534-3)")
    }
  }
}
