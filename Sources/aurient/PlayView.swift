import Aurient
import Geometry
import Glibc
import HeadTracking
import Navigation

/// What is to be seen of a session while it plays: on a terminal a few lines that are rewritten, else a line
/// now and then.
struct PlayView {
  private let isJSON: Bool
  private let isTerminal: Bool
  private var lineCount = 0

  /// Columns of the dial at most; it spans the directions from behind on the left to behind on the right.
  private static let dialWidth = 61
  /// Beacons that are listed.
  private static let mostBeacons = 8

  init(isJSON: Bool, isTerminal: Bool) {
    self.isJSON = isJSON
    self.isTerminal = isTerminal && !isJSON
  }

  /// Says what plays where.
  func begin(_ session: LiveSession) throws {
    guard !isJSON else { return }
    let period = session.period.map { ", \($0) frames at once" } ?? ""
    let text =
      "\(session.deviceName), \(session.sampleRate) Hz\(period), hrtf \(session.dataSetTitle)"
    try printOut((isTerminal ? fitting(text) : text) + "\n")
  }

  mutating func show(_ state: LiveSession.State, seconds: Double, _ inputs: LiveInputs) throws {
    if isJSON {
      try printOut(json(state, seconds, inputs) + "\n")
      return
    }
    let lines = isTerminal ? self.lines(state, inputs) : [line(state, seconds)]
    if isTerminal, lineCount > 0 { try printOut("\u{1B}[\(lineCount)A") }
    for line in lines {
      try printOut(isTerminal ? "\r\u{1B}[K" + fitting(line) + "\n" : line + "\n")
    }
    // Lines of a longer list before.
    if isTerminal, lineCount > lines.count {
      let rest = lineCount - lines.count
      try printOut(String(repeating: "\r\u{1B}[K\n", count: rest) + "\u{1B}[\(rest)A")
    }
    lineCount = lines.count
  }

  private func fitting(_ line: String) -> String {
    String(line.prefix(width))
  }

  /// Columns of a line that is not to be broken.
  private var width: Int { max(1, terminalWidth(STDOUT_FILENO) - 1) }

  private func lines(_ state: LiveSession.State, _ inputs: LiveInputs) -> [String] {
    var lines = [headingText(state) + "   " + level(state.peak), dial(state.scene)]
    for index in state.scene.beacons.indices.prefix(Self.mostBeacons) {
      lines.append(beacon(index, state.scene))
    }
    let rest = state.scene.beacons.count - Self.mostBeacons
    if rest > 0 { lines.append("and \(rest) more") }
    var troubles: [String] = []
    if !state.isPlaying { troubles.append("the device is gone; waiting for it") }
    if let trouble = inputs.locationTrouble { troubles.append("no place: \(trouble)") }
    if state.isLocationStale { troubles.append("the place is old") }
    let dropped = inputs.headCounts?.droppedTotal ?? 0
    if dropped > 0 { troubles.append("\(dropped) packets dropped") }
    if let trouble = state.callout.trouble { troubles.append("nothing said: \(trouble)") }
    lines.append(troubles.joined(separator: "; "))
    if let text = state.callout.text { lines.append("said: \(text)") }
    return lines
  }

  private func line(_ state: LiveSession.State, _ seconds: Double) -> String {
    let beacon = state.scene.beacons.indices.first.map { "  " + self.beacon($0, state.scene) } ?? ""
    return "\(tenths(seconds)) s  \(headingText(state))\(beacon)"
      + (state.isPlaying ? "" : "  device gone")
  }

  private func headingText(_ state: LiveSession.State) -> String {
    let scene = state.scene
    guard let heading = scene.heading else { return "heading unknown, dimmed (\(scene.status))" }
    let doubt = scene.headingUncertainty.map { " ±\(tenths($0))" } ?? ""
    return "heading \(tenths(heading.degrees))°\(doubt) from \(heading.source) (\(scene.status))"
  }

  /// The beacons around the way that the listener faces, which is in the middle.
  private func dial(_ scene: BeaconScene) -> String {
    // Of odd width, so that ahead is in the middle.
    let width = (min(Self.dialWidth, width) - 1) / 2 * 2 + 1
    var marks = [Character](repeating: "·", count: width)
    func mark(_ character: Character, at relative: Double) {
      let place = (signedDegrees(relative) / 180 + 1) / 2 * Double(width - 1)
      marks[Int(place.rounded())] = character
    }
    if let heading = scene.heading {
      for (name, degrees) in [("N", 0.0), ("E", 90), ("S", 180), ("W", 270)] {
        mark(Character(name), at: degrees - heading.degrees)
      }
    }
    marks[width / 2] = "^"
    for (index, beacon) in scene.beacons.enumerated() where beacon.isSounding {
      guard let relative = beacon.geometry.relative else { continue }
      mark(index < 9 ? Character("\(index + 1)") : "*", at: relative)
    }
    return String(marks)
  }

  private func beacon(_ index: Int, _ scene: BeaconScene) -> String {
    let beacon = scene.beacons[index]
    let geometry = beacon.geometry
    let relative = geometry.relative.map { relative in
      abs(relative) < 0.5 ? "ahead" : "\(tenths(abs(relative)))° \(relative < 0 ? "left" : "right")"
    }
    let name = "\(index + 1) \(scene.name(index))"
    guard scene.user.location != nil else { return name + "  place unknown" }
    let state =
      beacon.hasArrived ? "arrived" : beacon.isOff ? "off" : beacon.region?.rawValue ?? ""
    return [
      name, "\(tenths(geometry.distance)) m",
      relative ?? "\(tenths(geometry.bearing))° from north", state,
    ].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  private func level(_ peak: Float) -> String {
    guard peak > 0 else { return "silent" }
    let decibels = 20 * log10(Double(peak))
    let count = max(0, min(20, Int((decibels + 60) / 3)))
    return "[" + String(repeating: "#", count: count)
      + String(repeating: " ", count: 20 - count) + "] \(tenths(decibels)) dB"
  }

  private func json(
    _ state: LiveSession.State, _ seconds: Double, _ inputs: LiveInputs
  ) -> String {
    func number(_ value: Double?) -> String { value?.description ?? "null" }
    let scene = state.scene
    let beacons = scene.beacons.indices.map { index in
      let beacon = scene.beacons[index]
      let geometry = scene.user.location == nil ? nil : beacon.geometry
      return """
        {"name": \(jsonText(scene.name(index))), "bearing_deg": \(number(geometry?.bearing)), \
        "distance_m": \(number(geometry?.distance)), \
        "relative_deg": \(number(geometry?.relative)), \
        "region": \(beacon.region.map { jsonText($0.rawValue) } ?? "null"), \
        "sounding": \(beacon.isSounding), "arrived": \(beacon.hasArrived)}
        """
    }
    return """
      {"time_s": \(seconds), "status": "\(scene.status)", \
      "heading_deg": \(number(scene.heading?.degrees)), \
      "heading_source": \(scene.heading.map { jsonText($0.source.rawValue) } ?? "null"), \
      "uncertainty_deg": \(number(scene.headingUncertainty)), "dimmed": \(scene.heading == nil), \
      "latitude": \(number(scene.user.location?.latitude)), \
      "longitude": \(number(scene.user.location?.longitude)), \
      "ages_s": {"location": \(number(state.ages.location)), "course": \(number(state.ages.course)), \
      "phone": \(number(state.ages.phone)), "head": \(number(state.ages.head))}, \
      "location_stale": \(state.isLocationStale), \
      "location_trouble": \(inputs.locationTrouble.map(jsonText) ?? "null"), \
      "packets_dropped": \(inputs.headCounts?.droppedTotal ?? 0), \
      "playing": \(state.isPlaying), "reopenings": \(state.reopenings), "peak": \(state.peak), \
      "listener_delay_s": \(number(state.listenerDelay)), \
      "said": \(state.callout.text.map(jsonText) ?? "null"), \
      "callout_trouble": \(state.callout.trouble.map(jsonText) ?? "null"), \
      "beacons": [\(beacons.joined(separator: ", "))]}
      """
  }
}
