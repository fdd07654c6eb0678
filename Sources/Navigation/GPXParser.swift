internal import CExpat
import Files
import Geometry
import Glibc

/// Builds a `GPX` value from the events of libexpat, which reads the file a chunk at a time.
final class GPXParser {
  /// The elements that matter, by local name.
  private enum Element: String {
    case gpx, metadata, wpt, rte, rtept, trk, trkseg, trkpt, extensions
    case name, ele, time, speed, course, bearing, accuracy, bearingAccuracyDegrees
    case other

    /// The one element that may hold this one, for those that give the file its structure.
    var parent: Element? {
      switch self {
      case .wpt, .rte, .trk: .gpx
      case .trkseg: .trk
      case .trkpt: .trkseg
      case .rtept: .rte
      default: nil
      }
    }

    var isPoint: Bool { self == .wpt || self == .rtept || self == .trkpt }
  }

  private let parser: XML_Parser
  private var gpx: GPX
  private var fault: FileError?
  /// The elements that are open, outermost first.
  private var open: [Element] = []
  private var point: GPX.Point?
  private var motion = LoggedMotion()
  private var text: [UInt8] = []

  private static let chunkSize = 1 << 16

  init(path: String) throws(FileError) {
    guard let parser = XML_ParserCreate(nil) else {
      throw .system(.unreadable, file: path, errno: ENOMEM)
    }
    self.parser = parser
    gpx = GPX(emptyAt: path)
  }

  deinit { XML_ParserFree(parser) }

  func read() throws(FileError) -> GPX {
    let descriptor = Glibc.open(gpx.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(.unreadable, file: gpx.path, errno: errno) }
    defer { close(descriptor) }
    setHandlers()
    var isEmpty = true
    while true {
      guard let buffer = XML_GetBuffer(parser, Int32(Self.chunkSize)) else { throw parserFault() }
      let count = Glibc.read(descriptor, buffer, Self.chunkSize)
      guard count >= 0 else { throw .system(.unreadable, file: gpx.path, errno: errno) }
      if count == 0, isEmpty {
        throw FileError(.malformed, file: gpx.path, "the file is empty")
      }
      isEmpty = false
      let status = XML_ParseBuffer(parser, Int32(count), count == 0 ? 1 : 0)
      if let fault { throw fault }
      guard status == XML_STATUS_OK else { throw parserFault(isAtEndOfFile: count == 0) }
      if count == 0 { return gpx }
    }
  }

  private func setHandlers() {
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { user, name, attributes in
        guard let name, let attributes else { return }
        GPXParser.from(user)?.start(localName(name), attributes)
      },
      { user, _ in GPXParser.from(user)?.end() })
    XML_SetCharacterDataHandler(parser) { user, characters, count in
      guard let characters else { return }
      GPXParser.from(user)?.append(
        UnsafeRawBufferPointer(start: characters, count: Int(count)))
    }
    // Entities that stand for entities grow without bound; no GPX file needs its own.
    XML_SetEntityDeclHandler(parser) { user, _, _, _, _, _, _, _, _ in
      GPXParser.from(user)?.stop("an entity declaration, which is not read", .unsupported)
    }
  }

  private static func from(_ user: UnsafeMutableRawPointer?) -> GPXParser? {
    user.map { Unmanaged<GPXParser>.fromOpaque($0).takeUnretainedValue() }
      .flatMap { $0.fault == nil ? $0 : nil }
  }

  // MARK: Faults

  private var place: String { "line \(XML_GetCurrentLineNumber(parser))" }

  private func stop(_ cause: String, _ code: FileError.Code = .malformed) {
    fault = FileError(code, file: gpx.path, place: place, cause)
    XML_StopParser(parser, 0)
  }

  private func parserFault(isAtEndOfFile: Bool = false) -> FileError {
    let message = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
    return FileError(
      .malformed, file: gpx.path, place: place,
      isAtEndOfFile ? "the XML stops before its end" : "no valid XML: \(message ?? "unknown fault")"
    )
  }

  private func leaveOut(_ element: Element, _ content: String, _ cause: String) {
    gpx.warnings.append(
      FileError(
        .malformed, file: gpx.path, place: place,
        "\(element.rawValue) \(quoted(content)) \(cause); left out"))
  }

  // MARK: Events

  private func start(_ name: String, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>) {
    var element = Element(rawValue: name) ?? .other
    if open.isEmpty, element != .gpx {
      return stop("the root element is \(quoted(name)), not gpx: no GPX file")
    }
    let outer = open.last ?? .other
    if element == .gpx, !open.isEmpty { element = .other }
    if let parent = element.parent, parent != outer {
      guard outer == .extensions || outer == .other else {
        return stop("\(name) inside \(outer.rawValue)")
      }
      element = .other
    }
    open.append(element)
    text.removeAll(keepingCapacity: true)
    switch element {
    case .rte: gpx.routes.append(GPX.Route())
    case .trk: gpx.tracks.append(GPX.Track())
    case .trkseg: gpx.tracks[gpx.tracks.count - 1].segments.append([])
    case .wpt, .rtept, .trkpt: startPoint(name, attributes)
    default: break
    }
  }

  private func startPoint(
    _ element: String, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>
  ) {
    var latitude: String?
    var longitude: String?
    var next = attributes
    while let name = next[0], let value = next[1] {
      switch localName(name) {
      case "lat": latitude = trimmed(String(cString: value))
      case "lon": longitude = trimmed(String(cString: value))
      default: break
      }
      next += 2
    }
    guard let latitude else { return stop("\(element) has no lat") }
    guard let longitude else { return stop("\(element) has no lon") }
    do throws(CoordinateAxis.Unreadable) {
      let coordinate = GeodeticCoordinate(
        latitude: try CoordinateAxis.latitude.degrees(latitude),
        longitude: try CoordinateAxis.longitude.degrees(longitude))
      point = GPX.Point(
        fix: LocationFix(coordinate: coordinate), line: Int(XML_GetCurrentLineNumber(parser)))
      motion = LoggedMotion()
    } catch {
      stop(error.cause)
    }
  }

  private func append(_ characters: UnsafeRawBufferPointer) {
    switch open.last {
    case .name, .ele, .time, .speed, .course, .bearing, .accuracy, .bearingAccuracyDegrees:
      text.append(contentsOf: characters)
    default: break
    }
  }

  private func end() {
    guard let element = open.popLast() else { return }
    let outer = open.last ?? .other
    switch element {
    case .wpt, .rtept, .trkpt: endPoint(element)
    case .name: endName(of: outer)
    case .time where outer.isPoint: endTime()
    case .ele where outer.isPoint: takeNumber(of: element) { $0.point?.fix.altitude = $1 }
    // These may also lie somewhere in the point's extensions.
    case .speed: takeNumber(of: element) { $0.motion.speed = $0.motion.speed ?? $1 }
    case .course: takeNumber(of: element) { $0.motion.course = $0.motion.course ?? $1 }
    case .bearing: takeNumber(of: element) { $0.motion.bearing = $0.motion.bearing ?? $1 }
    case .bearingAccuracyDegrees:
      takeNumber(of: element) { $0.motion.courseAccuracy = $0.motion.courseAccuracy ?? $1 }
    case .accuracy:
      takeNumber(of: element) { $0.motion.horizontalAccuracy = $0.motion.horizontalAccuracy ?? $1 }
    default: break
    }
    text.removeAll(keepingCapacity: true)
  }

  private func endPoint(_ element: Element) {
    guard var point else { return }
    self.point = nil
    point.fix.take(motion)
    switch element {
    case .wpt: gpx.waypoints.append(point)
    case .rtept: gpx.routes[gpx.routes.count - 1].points.append(point)
    default:
      let track = gpx.tracks.count - 1
      gpx.tracks[track].segments[gpx.tracks[track].segments.count - 1].append(point)
    }
  }

  // MARK: Fields

  private var content: String { trimmed(String(decoding: text, as: UTF8.self)) }

  private func endName(of outer: Element) {
    guard !content.isEmpty else { return }
    switch outer {
    case .gpx, .metadata: if open.count < 3 { gpx.name = content }
    case .wpt, .rtept, .trkpt: point?.name = content
    case .rte: gpx.routes[gpx.routes.count - 1].name = content
    case .trk: gpx.tracks[gpx.tracks.count - 1].name = content
    default: break
    }
  }

  private func endTime() {
    guard !content.isEmpty else { return }
    guard let time = Timestamp(text: content) else {
      return stop("time \(quoted(content)) is not a time")
    }
    point?.fix.time = time
  }

  private func takeNumber(of element: Element, _ take: (GPXParser, Double) -> Void) {
    var content = content
    guard point != nil, !content.isEmpty else { return }
    let value = content.withUTF8 { decimalNumber(UnsafeRawBufferPointer($0)) }
    guard let value else { return leaveOut(element, content, "is not a finite number") }
    if element == .course || element == .bearing, value > 360 {
      return leaveOut(element, content, "is beyond 360 degrees")
    }
    take(self, value)
  }
}

/// A name without its namespace prefix.
private func localName(_ name: UnsafePointer<CChar>) -> String {
  let colon = strchr(name, Int32(UInt8(ascii: ":")))
  return String(cString: colon.map { UnsafePointer($0) + 1 } ?? name)
}
