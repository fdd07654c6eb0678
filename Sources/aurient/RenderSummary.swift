import Files
import Aurient
import Geometry
import Glibc
import HRTF
import Navigation
import SpatialAudio

/// What a rendering came to, for its user.
struct RenderSummary {
  private let sampleRate: Int
  private let meter: LoudnessMeter
  private(set) var frameCount = 0
  private var moves = 0
  private var unmeasuredMoves = 0
  private var headingMoves: [HeadingSource: Int] = [:]

  init(sampleRate: Int) {
    self.sampleRate = sampleRate
    meter = LoudnessMeter(sampleRate: sampleRate)
  }

  /// Takes in a moment of the scene, heard through a set that measures a part of the sphere.
  mutating func add(_ scene: BeaconScene, measuredPart: MeasuredPart?) {
    moves += 1
    if let measuredPart,
      scene.beacons.contains(where: {
        $0.isSounding && !measuredPart.contains(scene.direction(of: $0.geometry))
      })
    {
      unmeasuredMoves += 1
    }
    if let source = scene.heading?.source { headingMoves[source, default: 0] += 1 }
  }

  /// Takes in the next samples.
  mutating func add(_ samples: UnsafeBufferPointer<Float>) {
    frameCount += samples.count / 2
    meter.add(samples)
  }

  private var seconds: Double { Double(frameCount) / Double(sampleRate) }

  /// By how much the greatest sample is over full scale; nil if it is not.
  var decibelsOverFullScale: Double? {
    meter.peak > 1 ? 20 * log10(Double(meter.peak)) : nil
  }

  /// The share of the moments in which no heading was known.
  var shareWithoutHeading: Double {
    moves > 0 ? 1 - Double(headingMoves.values.reduce(0, +)) / Double(moves) : 0
  }

  /// The share of the moments in which a beacon was outside the measured part of the sphere.
  var shareUnmeasured: Double { moves > 0 ? Double(unmeasuredMoves) / Double(moves) : 0 }

  private func share(_ source: HeadingSource) -> Double {
    moves > 0 ? Double(headingMoves[source] ?? 0) / Double(moves) : 0
  }

  /// For people.
  func text(_ output: String, _ renderer: OfflineRenderer) -> String {
    let shares = HeadingSource.allCases.filter { share($0) > 0 }.map { source in
      "\(source.rawValue) \(tenths(100 * share(source))) %"
    }
    return """
      \(output): \(tenths(seconds)) s at \(sampleRate) Hz, HRTF \(renderer.dataSetTitle)
      peak \(tenths(20 * log10(Double(meter.peak)))) dBFS, loudness \
      \(tenths(meter.integratedLoudness)) LUFS
      heading from \(shares.isEmpty ? "nothing" : shares.joined(separator: ", "))

      """
  }

  /// For programs: one JSON object, `null` for the decibels of silence.
  func json(_ output: String, _ renderer: OfflineRenderer) -> String {
    func number(_ value: Double) -> String { value.isFinite ? "\(value)" : "null" }
    let shares = HeadingSource.allCases.map { "\"\($0.rawValue)\": \(share($0))" }
    let callouts = renderer.said.map {
      "{\"time_s\": \($0.time), \"beacon\": \(jsonText(renderer.scene.name($0.beacon))), "
        + "\"text\": \(jsonText($0.text))}"
    }
    return """
      {"output": \(jsonText(output)), "seconds": \(seconds), "rate": \(sampleRate), \
      "hrtf": \(jsonText(renderer.dataSetTitle)), "peak_dbfs": \(number(20 * log10(Double(meter.peak)))), \
      "loudness_lufs": \(number(meter.integratedLoudness)), \
      "heading_share": {\(shares.joined(separator: ", "))}, \
      "callouts": [\(callouts.joined(separator: ", "))]}

      """
  }
}

extension BeaconScene {
  /// Where a beacon is heard from, as the head is turned.
  fileprivate func direction(of beacon: BeaconGeometry) -> SphericalDirection {
    let place = WorldFrame.direction(azimuth: beacon.bearing)
    let left = orientation.up.cross(orientation.ahead)
    return SphericalDirection(
      cartesian: Vector3(
        place.dot(orientation.ahead), place.dot(left), place.dot(orientation.up)))
  }
}
