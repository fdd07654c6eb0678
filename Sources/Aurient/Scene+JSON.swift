public import Files
import FoundationEssentials
import Geometry
import HRTF
import HeadTracking
import Navigation

extension Scene {
  /// Reads a scene file.
  ///
  /// A JSON object with the keys `track` (needed), `head`, `phone`, `sound`, `hrtf`,
  /// `equalize` (`none`, `diffuse-field` or `free-field`), `headCircumference` (cm), `rate` (Hz),
  /// `course` (`automatic`, `logged` or `derived`), `calibrator` (`adaptive` or
  /// `classic`), `yawOnly` and `beacons`, a list of objects with `latitude` and `longitude` (degrees, needed), `name`, `sound` and `gain` (dB, at most 0). File
  /// names are relative to the scene file's folder.
  ///
  /// - Throws: `FileError` naming the key that is missing, unknown or of the wrong kind.
  public init(path: String) throws(FileError) {
    let bytes = try InputFile.bytes(path: path, limit: 1 << 24)
    guard !bytes.isEmpty else { throw FileError(.malformed, file: path, "the file is empty") }
    let file: SceneFile
    do {
      file = try JSONDecoder().decode(SceneFile.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw Self.fault(error, path: path)
    } catch {
      throw FileError(.malformed, file: path, "not JSON")
    }
    self = try file.scene(path: path)
  }

  private static func fault(_ error: DecodingError, path: String) -> FileError {
    let (context, cause): (DecodingError.Context, String) =
      switch error {
      case .typeMismatch(let type, let context): (context, "is not \(kind(type))")
      case .valueNotFound(let type, let context): (context, "is null instead of \(kind(type))")
      case .keyNotFound(let key, let context): (context, "there is no \(key.stringValue)")
      case .dataCorrupted(let context):
        (context, context.codingPath.isEmpty ? "not JSON" : context.debugDescription)
      @unknown default: (DecodingError.Context(codingPath: [], debugDescription: ""), "not a scene")
      }
    let place = context.codingPath.map { key in
      key.intValue.map { "\($0 + 1)" } ?? key.stringValue
    }.filter { !$0.isEmpty }.joined(separator: " ")
    return FileError(.malformed, file: path, place: place.isEmpty ? nil : place, cause)
  }

  private static func kind(_ type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is Double.Type, is Int.Type: "a number"
    case is Bool.Type: "true or false"
    default: type is any BidirectionalCollection.Type ? "a list" : "an object"
    }
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
  var fitting: HRTFFitting
  var rate: Int?
  var course: CourseSource
  var calibrator: CalibratorName
  var yawOnly: Bool
  var beacons: [Beacon]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case track, head, phone, sound, hrtf, equalize, headCircumference, rate, course, calibrator
    case yawOnly, beacons
  }

  init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: CodingKeys.self)
    let values = try decoder.container(keyedBy: CodingKeys.self)
    track = try values.decode(String.self, forKey: .track)
    head = try values.decodeIfPresent(String.self, forKey: .head)
    phone = try values.decodeIfPresent(String.self, forKey: .phone)
    sound = try values.decodeIfPresent(String.self, forKey: .sound)
    hrtf = try values.decodeIfPresent(String.self, forKey: .hrtf)
    let equalization = try values.decodeIfPresent(String.self, forKey: .equalize) ?? "none"
    guard let equalization = HRTFFitting.Equalization(rawValue: equalization) else {
      throw decoder.corrupted(
        "equalize \"\(equalization)\" is not none, diffuse-field or free-field")
    }
    let circumference = try values.decodeIfPresent(Double.self, forKey: .headCircumference)
    let circumferences = HRTFFitting.headCircumferences
    guard circumference.map(circumferences.contains) ?? true else {
      throw decoder.corrupted(
        "headCircumference \(circumference ?? 0) is not from \(circumferences.lowerBound) to "
          + "\(circumferences.upperBound) cm")
    }
    fitting = HRTFFitting(equalization: equalization, headCircumference: circumference)
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
      fitting: fitting, sampleRate: rate, course: course, calibrator: calibrator, isYawOnly: yawOnly
    )
  }
}

extension Decoder {
  /// A misspelt key would else be left out without a word.
  fileprivate func refuseKeys<Key: CodingKey & CaseIterable & RawRepresentable>(
    besides known: Key.Type
  ) throws where Key.RawValue == String {
    let names = known.allCases.map(\.rawValue)
    let present = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
    guard let unknown = present.first(where: { !names.contains($0) }) else { return }
    throw corrupted("unknown key \"\(unknown)\"; there are \(names.joined(separator: ", "))")
  }

  fileprivate func corrupted(_ cause: String) -> DecodingError {
    .dataCorrupted(
      .init(codingPath: codingPath + [AnyKey(stringValue: "")], debugDescription: cause))
  }
}

private struct AnyKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
