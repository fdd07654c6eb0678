public import Files
import Geometry
import Glibc
import HRTF
import HeadTracking
import Navigation

extension Scene {
  /// Reads a scene file.
  ///
  /// A JSON object with the keys `track` (needed unless played live), `head`, `phone`, `calibration`, `sound`, `hrtf`,
  /// `equalize` (`none`, `diffuse-field` or `free-field`), `headCircumference` (cm), `rate` (Hz),
  /// `course` (`automatic`, `logged` or `derived`), `calibrator` (`adaptive` or
  /// `classic`), `headReference` (`unknown` or `north`), `yawOnly`, `nearField`, `style`, `route`, `advance` (m), `vicinity` (two distances in m),
  /// `distanceModel` (an object with `curve`, `clamped`, `reference`, `maximum`, `rolloff`), `gain` (dB, at
  /// most 0), `callouts` (an object with `every` (s), `approach`, `voice`) and `beacons`, a list of objects
  /// with `latitude` and `longitude` (degrees, needed), `name`, `sound`, `style` and `gain` (dB, at most 0).
  /// File names are relative to the scene file's folder.
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
    var style: String?
    var gain: Double?

    enum CodingKeys: String, CodingKey, CaseIterable {
      case name, latitude, longitude, sound, style, gain
    }

    init(from decoder: any Decoder) throws {
      try decoder.refuseKeys(besides: CodingKeys.self)
      let values = try decoder.container(keyedBy: CodingKeys.self)
      name = try values.decodeIfPresent(String.self, forKey: .name)
      latitude = try values.decode(Double.self, forKey: .latitude)
      longitude = try values.decode(Double.self, forKey: .longitude)
      sound = try values.decodeIfPresent(String.self, forKey: .sound)
      style = try values.decodeIfPresent(String.self, forKey: .style)
      gain = try values.decodeIfPresent(Double.self, forKey: .gain)
      guard GeodeticCoordinate(latitude: latitude, longitude: longitude).isValid else {
        throw decoder.corrupted("\(latitude), \(longitude) is no place on Earth")
      }
      guard gain ?? 0 <= 0 else { throw decoder.corrupted("a gain of more than 0 dB") }
    }
  }

  var track: String?
  var head: String?
  var phone: String?
  var calibration: String?
  var sound: String?
  var hrtf: String?
  var fitting: HRTFFitting
  var rate: Int?
  var course: CourseSource
  var calibrator: CalibratorName
  var headReference: HeadReference
  var yawOnly: Bool
  var style: String?
  var route: String?
  var advance: Double?
  var vicinity: Vicinity?
  var distanceModel: DistanceModel?
  var gain: Double?
  var callouts: Callouts?
  var beacons: [Beacon]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case track, head, phone, calibration, sound, hrtf, equalize, headCircumference, nearField
    case rate, course, calibrator, headReference, yawOnly, style, route, advance, vicinity,
      distanceModel, gain,
      callouts
    case beacons
  }

  init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: CodingKeys.self)
    let values = try decoder.container(keyedBy: CodingKeys.self)
    track = try values.decodeIfPresent(String.self, forKey: .track)
    head = try values.decodeIfPresent(String.self, forKey: .head)
    phone = try values.decodeIfPresent(String.self, forKey: .phone)
    calibration = try values.decodeIfPresent(String.self, forKey: .calibration)
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
    fitting = HRTFFitting(
      equalization: equalization, headCircumference: circumference,
      isNearField: try values.decodeIfPresent(Bool.self, forKey: .nearField) ?? false)
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
    let referenceName = try values.decodeIfPresent(String.self, forKey: .headReference) ?? "unknown"
    guard let reference = HeadReference(rawValue: referenceName) else {
      throw decoder.corrupted("headReference \"\(referenceName)\" is not unknown or north")
    }
    headReference = reference
    yawOnly = try values.decodeIfPresent(Bool.self, forKey: .yawOnly) ?? false
    style = try values.decodeIfPresent(String.self, forKey: .style)
    route = try values.decodeIfPresent(String.self, forKey: .route)
    advance = try values.decodeIfPresent(Double.self, forKey: .advance)
    guard advance ?? 1 > 0 else { throw decoder.corrupted("an advance of no length") }
    vicinity = try values.decodeIfPresent([Double].self, forKey: .vicinity).map { distances in
      guard distances.count == 2, let vicinity = Vicinity(entry: distances[0], exit: distances[1])
      else {
        throw decoder.corrupted(
          "vicinity \(distances) is not two distances in metres, the second not less")
      }
      return vicinity
    }
    distanceModel = try values.decodeIfPresent(ModelFile.self, forKey: .distanceModel)?.model
    gain = try values.decodeIfPresent(Double.self, forKey: .gain)
    guard gain ?? 0 <= 0 else { throw decoder.corrupted("a gain of more than 0 dB") }
    callouts = try values.decodeIfPresent(CalloutFile.self, forKey: .callouts)?.callouts
    beacons = try values.decodeIfPresent([Beacon].self, forKey: .beacons) ?? []
  }

  func scene(path: String) throws(FileError) -> Scene {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    func beside(_ name: String) -> String { name.hasPrefix("/") ? name : folder + name }
    // A style is named by its folder or by itself.
    func styleBeside(_ name: String) -> String {
      let isFolder = access(beside(name) + "/style.json", F_OK) == 0
      return name.contains("/") || isFolder && !BeaconStyle.shipped.contains(name)
        ? beside(name) : name
    }
    var scene = Scene(
      track: track.map(beside), head: head.map(beside), phone: phone.map(beside),
      calibration: calibration.map(beside),
      beacons: beacons.map { beacon in
        Scene.Beacon(
          Navigation.Beacon(
            name: beacon.name,
            coordinate: GeodeticCoordinate(
              latitude: beacon.latitude, longitude: beacon.longitude)),
          sound: beacon.sound.map(beside), style: beacon.style.map(styleBeside),
          gain: beacon.gain ?? 0)
      },
      sound: sound.map(beside),
      // A data set is named by its file or by itself.
      hrtf: hrtf.map { $0.hasSuffix(".sofa") || $0.hasSuffix(".mhr") ? beside($0) : $0 },
      fitting: fitting, sampleRate: rate, course: course, calibrator: calibrator, isYawOnly: yawOnly
    )
    scene.headReference = headReference
    scene.style = style.map(styleBeside)
    scene.route = route.map(beside)
    scene.advance = advance ?? scene.advance
    scene.vicinity = vicinity
    scene.distanceModel = distanceModel ?? scene.distanceModel
    scene.gain = gain ?? 0
    scene.callouts = callouts
    return scene
  }
}

/// A distance model as it stands.
private struct ModelFile: Decodable {
  let model: DistanceModel

  enum CodingKeys: String, CodingKey, CaseIterable {
    case curve, clamped, reference, maximum, rolloff
  }

  init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: CodingKeys.self)
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let name = try values.decode(String.self, forKey: .curve)
    guard let curve = DistanceModel.Curve(rawValue: name) else {
      let names = DistanceModel.Curve.allCases.map(\.rawValue).joined(separator: ", ")
      throw decoder.corrupted("curve \"\(name)\" is none of \(names)")
    }
    guard
      let model = DistanceModel(
        curve, isClamped: try values.decodeIfPresent(Bool.self, forKey: .clamped) ?? true,
        reference: try values.decodeIfPresent(Double.self, forKey: .reference) ?? 10,
        maximum: try values.decodeIfPresent(Double.self, forKey: .maximum)
          ?? .greatestFiniteMagnitude,
        rolloff: try values.decodeIfPresent(Double.self, forKey: .rolloff) ?? 1)
    else { throw decoder.corrupted("parameters that make no distance model") }
    self.model = model
  }
}

/// When beacons are said, as it stands.
private struct CalloutFile: Decodable {
  let callouts: Callouts

  enum CodingKeys: String, CodingKey, CaseIterable { case every, approach, voice }

  init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: CodingKeys.self)
    let values = try decoder.container(keyedBy: CodingKeys.self)
    var callouts = Callouts()
    callouts.interval = try values.decodeIfPresent(Double.self, forKey: .every)
    let intervals = Callouts.intervals
    guard callouts.interval.map(intervals.contains) ?? true else {
      throw decoder.corrupted(
        "every \(callouts.interval ?? 0) is not from \(intervals.lowerBound) to "
          + "\(intervals.upperBound) s")
    }
    callouts.isOnApproach = try values.decodeIfPresent(Bool.self, forKey: .approach) ?? true
    callouts.voice =
      try values.decodeIfPresent(String.self, forKey: .voice) ?? callouts.voice
    self.callouts = callouts
  }
}
