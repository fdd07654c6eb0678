import Navigation

/// What the beacons of a session are called, in their order: it says which one a command means, and which commands
/// cannot be carried out.
struct BeaconNames: Sendable {
  /// The beacon that a command means.
  enum Target: Equatable {
    /// None: the command is for all.
    case all
    /// The one of this number.
    case known(Int)
    /// One that comes at the end.
    case new
  }

  /// Places of the route, which come first.
  let routeCount: Int
  private let capacity: Int
  private var names: [String?]

  /// Metres to the other side of the Earth.
  private static let farthest = 2e7

  /// The names of these beacons.
  ///
  /// - Parameter capacity: Beacons that there may be.
  init(_ beacons: [Scene.Beacon], routeCount: Int, capacity: Int) {
    names = beacons.map(\.beacon.name)
    self.routeCount = routeCount
    self.capacity = capacity
  }

  /// How many there are.
  var count: Int { names.count }

  /// What a beacon is called; see `BeaconScene.name(_:)`.
  func name(_ index: Int) -> String { names[index] ?? "beacon \(index + 1)" }

  /// Takes a command.
  ///
  /// - Returns: The beacon that it means, by its number before the command.
  /// - Throws: `SessionError` if it cannot be carried out; nothing has changed then.
  mutating func take(_ command: SceneCommand) throws(SessionError) -> Target {
    switch command {
    case .place(let name, let place):
      guard place.isValid else {
        throw SessionError(.invalid, "beacon \(quoted(name)): no place on Earth")
      }
      return try put(name)
    case .placeAround(let name, let bearing, let distance):
      guard bearing.isFinite, distance > 0, distance <= Self.farthest else {
        throw SessionError(.invalid, "beacon \(quoted(name)): no direction and distance on Earth")
      }
      return try put(name)
    case .remove(let name):
      let index = try index(of: name)
      guard index >= routeCount else {
        throw SessionError(.unavailable, "beacon \(quoted(name)) is a place of the route")
      }
      names.remove(at: index)
      return .known(index)
    case .style(let name, _, _), .sound(let name, _, _), .gain(let name, _), .mute(let name, _),
      .say(let name, _, _):
      return .known(try index(of: name))
    case .route:
      guard routeCount > 0 else { throw SessionError(.unavailable, "there is no route") }
      return .all
    case .volume, .recenter: return .all
    }
  }

  private func index(of name: String) throws(SessionError) -> Int {
    guard let index = names.indices.first(where: { self.name($0) == name }) else {
      throw SessionError(.unknownBeacon, "no beacon \(quoted(name))")
    }
    return index
  }

  private mutating func put(_ name: String) throws(SessionError) -> Target {
    if let index = try? index(of: name) { return .known(index) }
    guard count < capacity else { throw SessionError(.full, "more than \(capacity) beacons") }
    names.append(name)
    return .new
  }
}
