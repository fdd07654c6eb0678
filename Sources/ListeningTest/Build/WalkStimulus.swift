import Aurient
import Files
import Geometry
import HRTF

/// A part of a walk's sound, with ramps at its ends.
struct WalkStimulus {
  /// Left and right by turns.
  var samples: [Float]
  /// Where the beacon that is asked for lies at the end, as the head hears it.
  let target: SphericalDirection?

  /// Ends the rendering.
  private struct HeardAll: Error {}

  /// Renders a scene of a design through one of its sets.
  ///
  /// - Throws: `FileError` if the walk is shorter than its part, or has no beacon of the name, and what
  ///   rendering throws.
  init(
    _ material: StimulusMaterial, scene number: Int, ears: Int, catalogue: HRTFCatalogue
  ) throws {
    let (design, walk) = (material.design, material.design.walks[number])
    var scene = material.scenes[number]
    scene.hrtf = material.inputs[1 + ears].path
    scene.fitting = design.ears[ears].fitting
    scene.sampleRate = material.sampleRate
    // The stimuli share the cores among them.
    let renderer = try OfflineRenderer(scene, catalogue: catalogue, threadCount: 1)
    let first = renderer.scene
    let beacon = first.beacons.indices.first { walk.beacon == nil || first.name($0) == walk.beacon }
    guard let beacon else {
      throw FileError(
        .malformed, file: design.path, place: "scenes[\(number)].beacon",
        "\"\(walk.beacon ?? "")\" is not in \(walk.file)")
    }
    let rate = Double(material.sampleRate)
    let start = 2 * Int((walk.start * rate).rounded())
    let end = walk.duration.map { start + 2 * Int(($0 * rate).rounded()) }
    var part: [Float] = []
    var position = 0
    var last = first
    do {
      try renderer.render(
        onMove: {
          // Moves run ahead of the sound.
          if 2 * renderer.frameIndex(at: $0.time) < end ?? .max { last = $0 }
        },
        onSound: { block in
          let (first, last) = (max(start, position), min(end ?? .max, position + block.count))
          if first < last { part += block[(first - position)..<(last - position)] }
          position += block.count
          if let end, position >= end { throw HeardAll() }
        })
    } catch is HeardAll {}
    guard !part.isEmpty, end.map({ position >= $0 }) ?? true else {
      throw FileError(
        .unsupported, file: design.path, place: "scenes[\(number)]",
        "the walk of \(walk.file) lasts \(thousandths(Double(position / 2) / rate)) s, less than its part"
      )
    }
    let length = Int((design.ramp * rate).rounded())
    if length > 0 { ramp(&part, channelCount: 2, length: length) }
    samples = part
    target = Self.direction(of: beacon, in: last)
  }

  /// A beacon's direction as the listener's head sees it, elevation 0 being level with the ears; nil while
  /// no heading is known.
  private static func direction(of beacon: Int, in scene: BeaconScene) -> SphericalDirection? {
    guard scene.heading != nil else { return nil }
    let geometry = scene.beacons[beacon].geometry
    let toBeacon = WorldFrame.direction(azimuth: geometry.bearing)
    let (ahead, up) = scene.orientation
    let left = up.cross(ahead)
    let direction = SphericalDirection(
      cartesian: Vector3(toBeacon.dot(ahead), toBeacon.dot(left), toBeacon.dot(up)))
    return SphericalDirection(
      azimuth: thousandths(direction.azimuth), elevation: thousandths(direction.elevation),
      distance: thousandths(max(0, geometry.distance)))
  }
}
