public import Files
import Geometry
import HeadTracking
import Navigation

extension Scene {
  /// Reads a scene file.
  ///
  /// A JSON object with the keys `track` (needed), `head`, `phone`, `sound`, `hrtf`, `rate` (Hz),
  /// `course` (`automatic`, `logged` or `derived`), `calibrator` (`adaptive` or
  /// `classic`), `yawOnly`, `nearField` and `beacons`, a list of objects with `latitude` and
  /// `longitude` (degrees, needed), `name`, `sound` and `gain` (dB, at most 0). File names are
  /// relative to the scene file's folder.
  ///
  /// - Throws: `FileError` naming the key that is missing, unknown or of the wrong kind.
  public init(path: String) throws(FileError) {
    let file: SceneFile = try decodeJSON(path: path, as: "a scene")
    self = try file.scene(path: path)
  }
}

/// A scene file as it stands.
private struct SceneFile: Decodable {
  struct Beacon: Decodable {
    var name: String?
    var latitude: Double
    var longitude: Double
    var sound: String?
    var gain: Double?

    enum CodingKeys: String, CodingKey, CaseIterable { case name, latitude, longitude, sound, gain }

    init(from decoder: any Decoder) throws {
      try decoder.refuseKeys(besides: CodingKeys.self)
      let values = try decoder.container(keyedBy: CodingKeys.self)
      name = try values.decodeIfPresent(String.self, forKey: .name)
      latitude = try values.decode(Double.self, forKey: .latitude)
      longitude = try values.decode(Double.self, forKey: .longitude)
      sound = try values.decodeIfPresent(String.self, forKey: .sound)
      gain = try values.decodeIfPresent(Double.self, forKey: .gain)
      guard GeodeticCoordinate(latitude: latitude, longitude: longitude).isValid else {
        throw decoder.corrupted("\(latitude), \(longitude) is no place on Earth")
      }
      guard gain ?? 0 <= 0 else { throw decoder.corrupted("a gain of more than 0 dB") }
    }
  }

  var track: String
  var head: String?
  var phone: String?
  var sound: String?
  var hrtf: String?
  var rate: Int?
  var course: CourseSource
  var calibrator: CalibratorName
  var yawOnly: Bool
  var nearField: Bool
  var beacons: [Beacon]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case track, head, phone, sound, hrtf, rate, course, calibrator, yawOnly, nearField,
      beacons
  }

  init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: CodingKeys.self)
    let values = try decoder.container(keyedBy: CodingKeys.self)
    track = try values.decode(String.self, forKey: .track)
    head = try values.decodeIfPresent(String.self, forKey: .head)
    phone = try values.decodeIfPresent(String.self, forKey: .phone)
    sound = try values.decodeIfPresent(String.self, forKey: .sound)
    hrtf = try values.decodeIfPresent(String.self, forKey: .hrtf)
    rate = try values.decodeIfPresent(Double.self, forKey: .rate).map { rate in
      guard let whole = Int(exactly: rate), Scene.sampleRates.contains(whole) else {
        let (least, most) = (Scene.sampleRates.lowerBound, Scene.sampleRates.upperBound)
        throw decoder.corrupted("rate \(rate) is not a whole number from \(least) to \(most)")
      }
      return whole
    }
    let courseName = try values.decodeIfPresent(String.self, forKey: .course) ?? "automatic"
    guard let course = CourseSource(rawValue: courseName) else {
      throw decoder.corrupted("course \"\(courseName)\" is not automatic, logged or derived")
    }
    self.course = course
    let name = try values.decodeIfPresent(String.self, forKey: .calibrator) ?? "adaptive"
    guard let calibrator = CalibratorName(rawValue: name) else {
      throw decoder.corrupted("calibrator \"\(name)\" is not adaptive or classic")
    }
    self.calibrator = calibrator
    yawOnly = try values.decodeIfPresent(Bool.self, forKey: .yawOnly) ?? false
    nearField = try values.decodeIfPresent(Bool.self, forKey: .nearField) ?? false
    beacons = try values.decodeIfPresent([Beacon].self, forKey: .beacons) ?? []
  }

  func scene(path: String) throws(FileError) -> Scene {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    func beside(_ name: String) -> String { name.hasPrefix("/") ? name : folder + name }
    return Scene(
      track: beside(track), head: head.map(beside), phone: phone.map(beside),
      beacons: beacons.map { beacon in
        Scene.Beacon(
          Navigation.Beacon(
            name: beacon.name,
            coordinate: GeodeticCoordinate(
              latitude: beacon.latitude, longitude: beacon.longitude)),
          sound: beacon.sound.map(beside), gain: beacon.gain ?? 0)
      },
      sound: sound.map(beside),
      // A data set is named by its file or by itself.
      hrtf: hrtf.map { $0.hasSuffix(".sofa") || $0.hasSuffix(".mhr") ? beside($0) : $0 },
      sampleRate: rate, course: course, calibrator: calibrator, isYawOnly: yawOnly,
      isNearField: nearField)
  }
}
