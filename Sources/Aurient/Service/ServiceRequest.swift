import Files
import Geometry
import HeadTracking
import Navigation

/// What a client of a service asks for in a message; see `docs/serve.md` for the addresses.
enum ServiceRequest: Equatable {
  /// Something that a session takes as it is.
  case input(SessionInput)
  /// A style for a beacon, by a name below the folders of sounds.
  case style(beacon: String, String)
  /// A sound for a beacon, likewise.
  case sound(beacon: String, String)
  /// Words from a beacon's place.
  case say(beacon: String, String)
  /// Another data set; nil for the one that ships for the device's rate.
  case dataSet(String?)
  /// An answer once all that came before has been done.
  case sync(Int32)
  /// The state, once.
  case state
  /// The state, so many times a second for so many seconds.
  case subscribe(rate: Double, seconds: Double)
  /// No more of it.
  case unsubscribe

  /// Why a message asks for nothing that can be done.
  struct Refusal: Error, Equatable, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// Addresses of a place, which is said where it comes from.
  static let location = "/location"
  /// What a service itself sends; never answered, so that two services cannot go on for ever.
  static func isAnswer(_ address: String) -> Bool {
    address == "/aurient/error" || address.hasPrefix("/aurient/reply/")
      || address.hasPrefix("/aurient/state/")
  }

  /// Bytes of the longest name of a beacon.
  static let longestName = 64
  /// Decibels of a gain.
  static let gains = -120.0...0.0
  /// Hz and seconds of a subscription.
  static let rates = 0.1...50.0
  static let durations = 1.0...60.0

  /// What a message asks for.
  init(_ message: OSCMessage) throws(Refusal) {
    var values = Values(message)
    switch message.address {
    case "/aurient/beacon/place":
      let name = try values.name()
      self = .input(.command(.place(name: name, try values.place())))
    case "/aurient/beacon/remove": self = .input(.command(.remove(name: try values.name())))
    case "/aurient/beacon/style":
      self = .style(beacon: try values.name(), try values.string("the style"))
    case "/aurient/beacon/sound":
      self = .sound(beacon: try values.name(), try values.string("the sound"))
    case "/aurient/beacon/gain":
      let name = try values.name()
      self = .input(.command(.gain(name: name, try values.number("the gain", in: Self.gains))))
    case "/aurient/beacon/mute":
      let name = try values.name()
      self = .input(.command(.mute(name: name, try values.isOn("the second argument"))))
    case "/aurient/beacon/say":
      let name = try values.name()
      self = .say(beacon: name, try values.string("the text"))
    case "/aurient/volume":
      self = .input(.command(.volume(try values.number("the volume", in: Self.gains))))
    case "/aurient/recenter":
      let heading = try values.numberIfAny("the heading", in: -360...360)
      self = .input(.command(.recenter(heading.map(positiveDegrees))))
    case "/aurient/route":
      let place = try values.number("the place's number", in: 0...1e6)
      guard let number = Int(exactly: place) else { throw Refusal("a place's number is whole") }
      self = .input(.command(.route(number)))
    case "/aurient/hrtf":
      let name = try values.stringIfAny("the data set")
      self = .dataSet(name?.isEmpty == true ? nil : name)
    case "/aurient/sync":
      self = .sync(Int32(try values.number("the number", in: -0x1p31...0x1p31 - 1)))
    case "/aurient/state": self = .state
    case "/aurient/subscribe":
      self = .subscribe(
        rate: try values.numberIfAny("the rate", in: Self.rates) ?? 10,
        seconds: try values.numberIfAny("the duration", in: Self.durations)
          ?? Self.durations.upperBound)
    case "/aurient/unsubscribe": self = .unsubscribe
    case "/location": self = .input(.fix(try values.fix()))
    case "/location/lost": self = .input(.noFix)
    default: throw Refusal("there is no such address")
    }
    try values.end()
  }
}

/// The arguments of a message, taken one after the other.
private struct Values {
  private var rest: ArraySlice<OSCMessage.Argument>

  init(_ message: OSCMessage) { rest = message.arguments[...] }

  func end() throws(ServiceRequest.Refusal) {
    guard rest.isEmpty else { throw .init("more arguments than it takes") }
  }

  mutating func stringIfAny(_ what: String) throws(ServiceRequest.Refusal) -> String? {
    guard let value = rest.popFirst() else { return nil }
    guard case .string(let text) = value else { throw .init("\(what) is no string") }
    return text
  }

  mutating func string(_ what: String) throws(ServiceRequest.Refusal) -> String {
    guard let text = try stringIfAny(what) else { throw .init("\(what) is missing") }
    return text
  }

  mutating func name() throws(ServiceRequest.Refusal) -> String {
    let name = try string("the beacon's name")
    guard 1...ServiceRequest.longestName ~= name.utf8.count,
      name.unicodeScalars.allSatisfy({ !$0.properties.generalCategory.isControl })
    else {
      throw .init("a beacon's name has 1 to \(ServiceRequest.longestName) bytes, none of control")
    }
    return name
  }

  mutating func numberIfAny(
    _ what: String, in range: ClosedRange<Double>
  ) throws(ServiceRequest.Refusal) -> Double? {
    let number: Double
    switch rest.popFirst() {
    case nil: return nil
    case .int(let value): number = Double(value)
    case .float(let value): number = Double(value)
    case .double(let value): number = value
    default: throw .init("\(what) is no number")
    }
    guard range.contains(number) else {
      throw .init("\(what) \(number) is outside \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  mutating func number(
    _ what: String, in range: ClosedRange<Double>
  ) throws(ServiceRequest.Refusal) -> Double {
    guard let number = try numberIfAny(what, in: range) else { throw .init("\(what) is missing") }
    return number
  }

  mutating func isOn(_ what: String) throws(ServiceRequest.Refusal) -> Bool {
    if case .bool(let isOn)? = rest.first {
      rest.removeFirst()
      return isOn
    }
    return try number(what, in: 0...1) != 0
  }

  mutating func place() throws(ServiceRequest.Refusal) -> GeodeticCoordinate {
    GeodeticCoordinate(
      latitude: try number("the latitude", in: -90...90),
      longitude: try number("the longitude", in: -180...180))
  }

  /// A place; a negative number after it is not known, as with Core Location.
  mutating func fix() throws(ServiceRequest.Refusal) -> LocationFix {
    var fix = LocationFix(coordinate: try place())
    fix.course = try known("the course", upTo: 360).map(positiveDegrees)
    fix.speed = try known("the speed", upTo: 1e4)
    fix.horizontalAccuracy = try known("the accuracy", upTo: 1e8)
    fix.courseAccuracy = try known("the course's accuracy", upTo: 180)
    return fix
  }

  private mutating func known(
    _ what: String, upTo most: Double
  ) throws(ServiceRequest.Refusal) -> Double? {
    try numberIfAny(what, in: -1e8...most).flatMap { $0 < 0 ? nil : $0 }
  }
}

extension Unicode.GeneralCategory {
  fileprivate var isControl: Bool {
    switch self {
    case .control, .lineSeparator, .paragraphSeparator, .format: true
    default: false
    }
  }
}
