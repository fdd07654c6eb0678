public import Files
import Geometry
import HeadTracking
import Navigation

/// Writes what a scene came to at each frame: a CSV row for each frame and beacon.
///
/// Angles are degrees, distances metres, `time_s` seconds since the sound's beginning; a field is
/// empty where there is no value. Numbers read back as the same Doubles.
public final class SceneTrace {
  private let writer: TextWriter
  private let names: [String]
  private let start: Timestamp

  /// The columns.
  static let header =
    "time_s,latitude,longitude,head_deg,course_deg,phone_deg,presentation_deg,heading_source,status,"
    + "beacon,bearing_deg,distance_m,relative_deg,uncertainty_deg,region,state\n"

  /// A trace of a renderer's scene.
  ///
  /// - Throws: `FileError` if the file cannot be made.
  public init(path: String, of renderer: OfflineRenderer) throws(FileError) {
    writer = try TextWriter(path: path)
    start = renderer.start
    let scene = renderer.scene
    names = scene.beacons.indices.map { csvField(scene.name($0)) }
    writer.append(Self.header)
  }

  /// Appends the rows of the scene's present moment.
  public func append(_ scene: BeaconScene) {
    for (index, beacon) in scene.beacons.enumerated() {
      let geometry = beacon.geometry
      let user = scene.user
      let numbers = [
        scene.time.seconds(since: start), user.location?.latitude, user.location?.longitude,
        user.headHeading, user.course, user.phoneHeading, scene.heading?.degrees,
      ]
      for number in numbers {
        writer.append(number)
        writer.append(",")
      }
      writer.append(scene.heading?.source.rawValue ?? "none")
      writer.append(",\(scene.status.rawValue),\(names[index]),")
      writer.append(geometry.bearing)
      writer.append(",")
      writer.append(geometry.distance)
      writer.append(",")
      writer.append(geometry.relative)
      writer.append(",")
      writer.append(scene.headingUncertainty)
      writer.append(",\(beacon.region?.rawValue ?? ""),\(beacon.presence.rawValue)\n")
    }
  }

  /// Writes the rest, so that `commit` has only to move the file.
  ///
  /// - Throws: `FileError` for the first fault of any write.
  public func finish() throws(FileError) { try writer.finish() }

  /// Moves the file to its place.
  ///
  /// - Throws: `FileError` if it cannot be written or moved.
  public func commit() throws(FileError) { try writer.commit() }
}
