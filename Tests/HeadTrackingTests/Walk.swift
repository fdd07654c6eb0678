import Files
import Glibc
import TestSupport

/// The recorded walk that ships as an example, or its source among the measured inputs.
struct Walk {
  let head: String
  let phone: String
  let track: String

  /// Nil where neither is there.
  static let recorded: Walk? = {
    let example = projectFolder + "/Examples/walk"
    if access(example + "/walk.gpx", R_OK) == 0 {
      return Walk(
        head: example + "/head.csv", phone: example + "/phone.csv", track: example + "/walk.gpx")
    }
    return testDataFolder.map {
      Walk(
        head: $0 + "/logs/walk-611m/head.csv", phone: $0 + "/logs/walk-611m/phone.csv",
        track: $0 + "/gpx/walk-611m.gpx")
    }
  }()

  /// Another file beside the head log.
  func sibling(_ name: String) -> String {
    head.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
      + "/" + name
  }

  /// The bearing of travel at each point of the track.
  func bearings() throws -> [(time: Timestamp, bearing: Double)] {
    let gpx = String(decoding: try content(of: track), as: UTF8.self)
    return try gpx.split(separator: "<trkpt").dropFirst().map { point in
      func text(_ element: String) -> Substring? {
        point.split(separator: "<\(element)>").dropFirst().first?.split(separator: "<").first
      }
      guard let time = text("time").flatMap({ Timestamp(text: String($0)) }),
        let bearing = text("bearing").flatMap({ Double($0) })
      else { throw FileError(.malformed, file: track, "a point without time or bearing") }
      return (time, bearing)
    }
  }
}

/// All bytes of a file.
func content(of path: String) throws -> [UInt8] {
  guard let file = fopen(path, "r") else {
    throw FileError(.notFound, file: path, "cannot be opened")
  }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
  return bytes
}
