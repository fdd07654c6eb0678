public import Files
import HRTF

/// What a test's design asks for, in words for the report.
public struct DesignDescription: Sendable {
  /// Terms of the design and what stands there, in order.
  var items: [(term: String, text: String)] = []

  /// Describes the design that a test's manifest keeps; nil for a test without manifest.
  ///
  /// - Throws: `FileError` if there is one that cannot be read.
  public init?(_ test: TestFolder) throws(FileError) {
    guard let design = try test.design() else { return nil }
    self.init(design)
  }

  /// Describes a design.
  init(_ design: ListeningDesign) {
    func add(_ term: String, _ text: String?) {
      if let text, !text.isEmpty { items.append((term, text)) }
    }
    func list(_ texts: [String]) -> String { texts.joined(separator: ", ") }
    add("kind", design.kind.rawValue)
    add("HRTF sets", list(design.ears.map(Self.text)))
    add("sounds", list(design.sources.map { Self.text($0.id, $0.file, $0.start, $0.duration) }))
    add("walks", list(design.walks.map { Self.text($0.id, $0.file, $0.start, $0.duration) }))
    if !design.directions.isEmpty {
      add(
        "directions",
        "\(design.directions.count), azimuth and elevation: "
          + design.directions.map { "\(short($0.azimuth))° \(short($0.elevation))°" }
          .joined(separator: "; "))
      add(
        "distances", design.distances.map { list($0.map(short)) + " m" } ?? "as measured")
    }
    let ids = design.ears.map(\.id)
    add("pairs", list(design.pairs.map { $0.map { ids[$0] }.joined(separator: " against ") }))
    if design.kind == .preference {
      add("reference", ids[design.reference])
      add("anchors", list(design.anchors.map(\.rawValue)))
    }
    if let staircase = design.staircase { add("staircase", Self.text(staircase)) }
    add("level", Self.text(design.level))
    add(
      "headphones",
      design.headphones.map { "\($0.isInverted ? "inverse of " : "")\(Self.name($0.file))" })
    add("answers", list([design.response.kind.rawValue] + design.response.options))
    add(
      "hearing again",
      design.replays.map { $0 == 0 ? "no" : "at most \($0)×" } ?? "as often as one likes")
    add("repetitions", "\(design.repetitions)")
    add("blocks by", design.blockBy?.rawValue)
    add("trials of practice and catch", "\(design.practiceTrials) and \(design.catchTrials)")
    add("participants planned", "\(design.participants.count)")
  }

  private static func text(_ ears: ListeningDesign.Ears) -> String {
    let fitting = ears.fitting
    let parts =
      [name(ears.set)]
      + (fitting.equalization == .none ? [] : ["equalised: \(fitting.equalization.rawValue)"])
      + (fitting.headCircumference.map { ["head circumference \(short($0)) cm"] } ?? [])
      + (fitting.isNearField ? ["near field"] : [])
      + (fitting.isMirrorFixed ? ["turned if mirrored"] : [])
    return "\(ears.id) (\(parts.joined(separator: ", ")))"
  }

  private static func text(
    _ id: String, _ file: String, _ start: Double, _ duration: Double?
  ) -> String {
    let parts =
      [name(file)] + (start == 0 ? [] : ["from \(short(start)) s"])
      + (duration.map { ["\(short($0)) s"] } ?? [])
    return "\(id) (\(parts.joined(separator: ", ")))"
  }

  private static func text(_ staircase: ListeningDesign.Staircase) -> String {
    "\(staircase.rule.rawValue), \(staircase.plane.rawValue), steps "
      + staircase.steps.map { short($0) + "°" }.joined(separator: " ")
      + ", from \(short(staircase.steps[staircase.startStep]))°, steps moved "
      + staircase.stepChange.map(String.init).joined(separator: ", then ")
      + ", to \(staircase.stopReversals) reversals or \(staircase.maxTrials) trials"
  }

  private static func text(_ level: ListeningDesign.Level) -> String {
    let aim =
      switch level.alignment {
      case .loudness: "\(short(level.target)) LUFS by loudness (ITU-R BS.1770-4)"
      case .rms: "\(short(level.target)) dB of full scale by root mean square"
      case .none: "not aligned, gain \(short(level.gain)) dB"
      }
    let scope = level.alignment == .none ? "" : ", per \(level.scope.rawValue)"
    let rove =
      level.rove.count > 1
      ? ", roved by \(level.rove.map(short).joined(separator: ", ")) dB" : ""
    return aim + scope + rove
  }

  private static func name(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
