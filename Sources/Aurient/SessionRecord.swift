public import Files
import Geometry
import HeadTracking
import Navigation

/// Keeps what comes to a session, so that it can be rendered again, sample for sample: a folder with the
/// scene (`scene.json`) and, a row each, the inputs (`inputs.csv`).
///
/// Inputs that were made heard together have the same `frame`, the first with them; `made` is the frame up
/// to which sound was made before them. Numbers read back as the same Doubles. A row `device` says that the
/// device was opened anew, whose frames count from 0; the beginning of a time without sound is that of the
/// frame before it.
public final class SessionRecorder {
  private let writer: TextWriter
  /// What was told the newest frame, which may yet turn out to be another.
  private var pending: [(input: SessionInput, time: Timestamp, made: Int)] = []
  private var frame = 0

  static let inputsName = "/inputs.csv"
  static let sceneName = "/scene.json"
  static let header = "frame,made,time_ns,input,a,b,c,d,e,f,g\n"

  /// Makes the folder, or writes into an empty one.
  ///
  /// - Throws: `FileError` if that cannot be done, or the folder holds files.
  public init(folder: String, scene: Scene, sampleRate: Int) throws(FileError) {
    try Folder.make(folder)
    try OutputFile.write(scene.recorded(sampleRate: sampleRate).utf8, to: folder + Self.sceneName)
    writer = try TextWriter(path: folder + Self.inputsName)
    writer.append(Self.header)
  }

  /// Appends a batch of inputs that are heard from a frame on, up to which sound was made before.
  ///
  /// - Parameter late: The frame that was told of batches before which are heard with this one; see
  ///   `PlaybackDevice.lateFrame`.
  public func append(
    _ inputs: [(input: SessionInput, time: Timestamp)], frame: Int, made: Int, late: Int?
  ) {
    if late == nil || late != self.frame, frame != self.frame { flush() }
    self.frame = frame
    for (input, time) in inputs { pending.append((input, time, made)) }
  }

  /// Says that another device sounds from now on, and the frame of it from which the scene does.
  public func appendDevice(sampleRate: Int, frame: Int, at time: Timestamp) {
    flush()
    writer.append("\(frame),0,\(time.nanoseconds),device,\(sampleRate),,,,,,\n")
  }

  private func flush() {
    for (input, time, made) in pending { write(input, at: time, frame: frame, made: made) }
    pending.removeAll(keepingCapacity: true)
  }

  private func write(_ input: SessionInput, at time: Timestamp, frame: Int, made: Int) {
    writer.append("\(frame),\(made),\(time.nanoseconds),")
    func values(_ name: String, _ numbers: Double?...) {
      writer.append(name)
      for index in 0..<7 {
        writer.append(",")
        writer.append(index < numbers.count ? numbers[index] : nil)
      }
      writer.append("\n")
    }
    func texts(_ name: String, _ texts: [String]) {
      writer.append(name)
      for index in 0..<7 {
        writer.append("," + (index < texts.count ? csvField(texts[index]) : ""))
      }
      writer.append("\n")
    }
    switch input {
    case .head(let frame):
      let q = frame.attitude
      values("head", q.x, q.y, q.z, q.w, frame.yaw)
    case .headLost: values("headLost")
    case .fix(let fix):
      values(
        "fix", fix.coordinate.latitude, fix.coordinate.longitude, fix.altitude, fix.speed,
        fix.course, fix.courseAccuracy, fix.horizontalAccuracy)
    case .course(let course, let accuracy): values("course", course, accuracy)
    case .noFix: values("noFix")
    case .phone(let heading):
      values("phone", heading.magneticHeading, heading.trueHeading, heading.headingAccuracy)
    case .tick: values("tick")
    case .turn: values("turn")
    case .command(let command):
      switch command {
      case .place(let name, let place):
        texts("place", [name, place.latitude.description, place.longitude.description])
      case .placeAround(let name, let bearing, let distance):
        texts("placeAround", [name, bearing.description, distance.description])
      case .remove(let name): texts("remove", [name])
      case .style(let name, let style, _): texts("style", [name, style])
      case .sound(let name, let path, _): texts("sound", [name, path])
      case .gain(let name, let decibels): texts("gain", [name, decibels.description])
      case .mute(let name, let isOff): texts("mute", [name, isOff ? "1" : "0"])
      case .volume(let decibels): texts("volume", [decibels.description])
      case .say(let name, let text, _): texts("say", [name, text])
      case .recenter(let heading): texts("recenter", [heading?.description ?? ""])
      case .route(let index): texts("route", [String(index)])
      }
    }
  }

  /// Writes the rest and lets the record appear.
  ///
  /// - Throws: `FileError` for the first fault of any write.
  public func commit() throws(FileError) {
    flush()
    try writer.commit()
  }
}

/// Reads the inputs of a record, in order.
struct SessionRecordReader {
  /// What happened, and when.
  struct Row {
    var frame: Int
    var made: Int
    var time: Timestamp
    var event: Event
  }

  /// What a row tells.
  enum Event {
    case input(SessionInput)
    /// The device was opened anew.
    case device(sampleRate: Int)
  }

  private let reader: CSVReader
  private let columns: [Int]
  private let sampleRate: Int
  private var last: Row?
  private var start: Timestamp?
  /// Hours; a longer record is a damaged one.
  private static let longest = 48
  private static let names = [
    "frame", "made", "time_ns", "input", "a", "b", "c", "d", "e", "f", "g",
  ]

  /// Opens the record of a session that began at a rate, Hz.
  init(folder: String, sampleRate: Int) throws(FileError) {
    let reader = try CSVReader(path: folder + SessionRecorder.inputsName)
    var columns: [Int] = []
    for name in Self.names { columns.append(try reader.requiredColumn(name)) }
    self.reader = reader
    self.columns = columns
    self.sampleRate = sampleRate
  }

  /// How much of the record has been read, 0 to 1.
  var fractionRead: Double { reader.fractionRead }

  /// The next row, or nil at the end.
  mutating func next() throws(FileError) -> Row? {
    guard try reader.next() else { return nil }
    let time = Timestamp(nanoseconds: Int64(try whole(2)))
    let row = Row(frame: try whole(0), made: try whole(1), time: time, event: try event(time))
    try check(row)
    last = row
    return row
  }

  /// Whatever the file says, rendering it ends.
  private mutating func check(_ row: Row) throws(FileError) {
    let start = self.start ?? row.time
    self.start = start
    guard abs(row.time.seconds(since: start)) <= Double(Self.longest * 3600) else {
      throw reader.bad(columns[2], "is over \(Self.longest) hours from the first row")
    }
    guard row.frame <= Self.longest * 3600 * sampleRate else {
      throw reader.bad(columns[0], "is over \(Self.longest) hours of sound")
    }
    if case .input = row.event, let last, row.frame < last.frame {
      throw reader.bad(columns[0], "comes before the frame of the row above")
    }
    guard row.made <= row.frame + 2 * SceneAudio.lead else {
      throw reader.bad(columns[1], "is farther ahead of the frame than sound is made")
    }
  }

  private func whole(_ column: Int) throws(FileError) -> Int {
    guard let value = Int(reader.text(columns[column])), value >= 0 else {
      throw reader.bad(columns[column], "is not a whole number")
    }
    return value
  }

  private func text(_ index: Int) -> String { reader.text(columns[4 + index]) }

  private func number(_ index: Int) throws(FileError) -> Double {
    try reader.requiredNumber(columns[4 + index])
  }

  private func numberIfAny(_ index: Int) throws(FileError) -> Double? {
    try reader.number(columns[4 + index])
  }

  private func event(_ time: Timestamp) throws(FileError) -> Event {
    guard reader.text(columns[3]) == "device" else { return .input(try input(time)) }
    guard let rate = Int(text(0)), Scene.sampleRates.contains(rate) else {
      throw reader.bad(columns[4], "is no sample rate")
    }
    return .device(sampleRate: rate)
  }

  private func input(_ time: Timestamp) throws(FileError) -> SessionInput {
    switch reader.text(columns[3]) {
    case "head":
      let attitude = Quaternion(
        x: try number(0), y: try number(1), z: try number(2), w: try number(3))
      guard Quaternion(normalizing: attitude.x, attitude.y, attitude.z, attitude.w) != nil else {
        throw reader.bad(columns[4], "and the three after it are no attitude")
      }
      return .head(MotionFrame(time: time, attitude: attitude, yaw: try number(4)))
    case "headLost": return .headLost
    case "fix":
      return .fix(
        LocationFix(
          time: nil, coordinate: try place(0), altitude: try numberIfAny(2),
          speed: try numberIfAny(3), course: try numberIfAny(4),
          courseAccuracy: try numberIfAny(5), horizontalAccuracy: try numberIfAny(6)))
    case "course": return .course(try numberIfAny(0), accuracy: try numberIfAny(1))
    case "noFix": return .noFix
    case "phone":
      return .phone(
        PhoneHeading(
          time: time, magneticHeading: try numberIfAny(0), trueHeading: try numberIfAny(1),
          headingAccuracy: try numberIfAny(2)))
    case "tick": return .tick
    case "turn": return .turn
    case "place": return .command(.place(name: text(0), try place(1)))
    case "placeAround":
      return .command(
        .placeAround(name: text(0), bearing: try number(1), distance: try number(2)))
    case "remove": return .command(.remove(name: text(0)))
    case "style": return .command(.style(name: text(0), text(1)))
    case "sound": return .command(.sound(name: text(0), path: text(1)))
    case "gain": return .command(.gain(name: text(0), try number(1)))
    case "mute": return .command(.mute(name: text(0), text(1) == "1"))
    case "volume": return .command(.volume(try number(0)))
    case "say": return .command(.say(name: text(0), text: text(1)))
    case "recenter": return .command(.recenter(try numberIfAny(0)))
    case "route":
      guard let index = Int(text(0)) else { throw reader.bad(columns[4], "is no whole number") }
      return .command(.route(index))
    default: throw reader.bad(columns[3], "is no input of a session")
    }
  }

  private func place(_ index: Int) throws(FileError) -> GeodeticCoordinate {
    GeodeticCoordinate(latitude: try number(index), longitude: try number(index + 1))
  }
}

extension Scene {
  /// The scene as a file that says all that a session takes from it, at the rate at which it played.
  fileprivate func recorded(sampleRate: Int) -> String {
    func text(_ value: String?) -> String { value.map(jsonText) ?? "null" }
    func path(_ value: String?) -> String { text(value.map(Folder.absolutePath)) }
    // Styles are named by themselves or by their folder.
    func style(_ value: String?) -> String {
      text(value.map { $0.contains("/") ? Folder.absolutePath($0) : $0 })
    }
    let isFile = hrtf.map { $0.hasSuffix(".sofa") || $0.hasSuffix(".mhr") || $0.contains("/") }
    let beacons = self.beacons.map { beacon in
      """
      {"name": \(text(beacon.beacon.name)), "latitude": \(beacon.beacon.coordinate.latitude), \
      "longitude": \(beacon.beacon.coordinate.longitude), "sound": \(path(beacon.sound)), \
      "style": \(style(beacon.style)), "gain": \(beacon.gain)}
      """
    }
    let vicinity = self.vicinity.map { "[\($0.entry), \($0.exit)]" } ?? "null"
    let model = distanceModel
    return """
      {
        "hrtf": \(isFile == true ? path(hrtf) : text(hrtf)),
        "equalize": \(jsonText(fitting.equalization.rawValue)),
        "headCircumference": \(fitting.headCircumference.map { "\($0)" } ?? "null"),
        "nearField": \(fitting.isNearField),
        "rate": \(sampleRate),
        "callouts": \(callouts.map { "{\"voice\": \(jsonText($0.voice))}" } ?? "null"),
        "calibrator": \(jsonText(calibrator.rawValue)),
        "headReference": \(jsonText(headReference.rawValue)),
        "yawOnly": \(isYawOnly),
        "sound": \(path(sound)),
        "style": \(style(self.style)),
        "gain": \(gain),
        "route": \(path(route)),
        "advance": \(advance),
        "vicinity": \(vicinity),
        "distanceModel": {
          "curve": \(jsonText(model.curve.rawValue)), "clamped": \(model.isClamped),
          "reference": \(model.reference), "maximum": \(model.maximum), "rolloff": \(model.rolloff)
        },
        "beacons": [\(beacons.joined(separator: ", "))]
      }

      """
  }
}
