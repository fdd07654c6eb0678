import Files
import Geometry
import Glibc

extension SOFAContent {
  /// Where each response comes from, as the listener's head sees it: measurement by measurement, and
  /// in it emitter by emitter.
  func directions(count: Int, emitters: Int) throws(FileError) -> [SphericalDirection] {
    let sources = try values("SourcePosition", counts: [3, count * 3])
    let isCartesian = try self.isCartesian("SourcePosition", otherwise: false)
    let places = try Places(of: self, count: count, emitters: emitters)
    var directions: [SphericalDirection] = []
    directions.reserveCapacity(count * emitters)
    for row in 0..<count * emitters {
      let (measurement, emitter) = row.quotientAndRemainder(dividingBy: emitters)
      let start = sources.count == 3 ? 0 : measurement * 3
      let (a, b, c) = (
        Double(sources[start]), Double(sources[start + 1]), Double(sources[start + 2])
      )
      var direction =
        isCartesian
        ? SphericalDirection(cartesian: Vector3(a, b, c))
        : SphericalDirection(azimuth: a, elevation: b, distance: c)
      if let places {
        let source = direction.unitVector * direction.distance
        direction = SphericalDirection(
          cartesian: places.seen(source, measurement: measurement, emitter: emitter))
      }
      guard abs(direction.elevation) <= 90.01, direction.distance > 0, direction.distance < 1e4
      else {
        throw fault(
          "SourcePosition, row \(row)", "(\(a), \(b), \(c)) is not a direction")
      }
      directions.append(direction)
    }
    return directions
  }

  fileprivate func isCartesian(_ name: String, otherwise: Bool) throws(FileError) -> Bool {
    let type = variables[name]?.type ?? ""
    if type.isEmpty { return otherwise }
    if type.hasPrefix("cart") { return true }
    guard type == "spherical" else {
      throw FileError(
        .unsupported, file: path, place: name, "coordinates of the type \"\(type)\" are not read")
    }
    return false
  }

  /// The places that a variable's rows hold, in metres; empty where there is no such variable.
  fileprivate func places(
    _ name: String, counts: [Int], sameTypeAs other: String? = nil
  ) throws(FileError) -> [Vector3] {
    guard variables[name] != nil else { return [] }
    let values = try values(name, counts: counts.map { $0 * 3 }).map(Double.init)
    var isCartesian = true
    let isTop = other != nil && variables[name]?.type == ""
    if let other { isCartesian = try self.isCartesian(other, otherwise: true) }
    isCartesian = try self.isCartesian(name, otherwise: isCartesian)
    return stride(from: 0, to: values.count, by: 3).map { start in
      let place = Vector3(values[start], values[start + 1], values[start + 2])
      // Views and tops that were left at (1, 0, 0) and (0, 0, 1) when the view's type became spherical.
      if isCartesian || place == Vector3(1, 0, 0) || (isTop && place == Vector3(0, 0, 1)) {
        return place
      }
      return SphericalDirection(azimuth: place.x, elevation: place.y).unitVector * place.z
    }
  }
}

/// Where listener and emitters are and look, in a file that does not leave them where they are usually.
private struct Places {
  private let listeners: [Vector3]
  private let heads: [Frame]
  private let sourceFrames: [Frame]
  /// Emitter by emitter, and measurement by measurement in it, as the file has them.
  private let emitters: [Vector3]
  private let emitterCount: Int

  /// The places, or nil if the listener is at the origin and looks ahead, and each source is one
  /// emitter.
  init?(of content: SOFAContent, count: Int, emitters: Int) throws(FileError) {
    listeners = try content.places("ListenerPosition", counts: [1, count])
    heads = try Frame.frames("Listener", of: content, count: count)
    guard emitters > 1 else {
      (self.emitters, sourceFrames, emitterCount) = ([], [], 1)
      let isUsual =
        listeners.allSatisfy { $0.length < 1e-6 } && heads.allSatisfy(\.isUsual)
      guard !isUsual else { return nil }
      return
    }
    self.emitters = try content.emitterPlaces(emitters, count: count)
    sourceFrames = try Frame.frames("Source", of: content, count: count)
    emitterCount = emitters
  }

  /// A place of the room, as the listener of a measurement sees it.
  func seen(_ source: Vector3, measurement: Int, emitter: Int) -> Vector3 {
    func row<Value>(_ values: [Value]) -> Value? {
      values.count > measurement ? values[measurement] : values.first
    }
    var place = source
    if !emitters.isEmpty {
      let perEmitter = emitters.count / emitterCount
      let offset = emitters[emitter * perEmitter + (perEmitter > 1 ? measurement : 0)]
      place += row(sourceFrames)?.outward(offset) ?? offset
    }
    place -= row(listeners) ?? Vector3()
    return row(heads)?.inward(place) ?? place
  }
}

extension SOFAContent {
  /// The emitters' places relative to the source: one each, or one each and measurement, emitter by
  /// emitter.
  fileprivate func emitterPlaces(_ emitters: Int, count: Int) throws(FileError) -> [Vector3] {
    guard let variable = variables["EmitterPosition"] else {
      throw fault("EmitterPosition", "missing")
    }
    guard variable.values.count != emitters * 3 else {
      return try places("EmitterPosition", counts: [emitters])
    }
    // (E, C, M): the coordinates of one place lie a measurement's count apart.
    let values = try values("EmitterPosition", counts: [emitters * 3 * count])
    var moved = self
    moved.variables["EmitterPosition"]?.values = (0..<values.count).map { index in
      let (place, coordinate) = index.quotientAndRemainder(dividingBy: 3)
      let (emitter, measurement) = place.quotientAndRemainder(dividingBy: count)
      return values[(emitter * 3 + coordinate) * count + measurement]
    }
    return try moved.places("EmitterPosition", counts: [emitters * count])
  }
}

/// The axes of a head or a loudspeaker: where it looks, its left and its top.
private struct Frame {
  private let ahead: Vector3
  private let left: Vector3
  private let up: Vector3

  /// Axes of a view and what is up; nil if they are one direction, or none.
  private init?(view: Vector3, up: Vector3) {
    let left = up.cross(view)
    guard view.length > 1e-6, left.length > 1e-3 * view.length * up.length else { return nil }
    ahead = view.normalized
    self.left = left.normalized
    self.up = ahead.cross(self.left)
  }

  var isUsual: Bool {
    (ahead - Vector3(1, 0, 0)).length < 1e-6 && (up - Vector3(0, 0, 1)).length < 1e-6
  }

  /// The frames of "Listener" or "Source"; none if the file does not say.
  static func frames(
    _ whose: String, of content: SOFAContent, count: Int
  ) throws(FileError) -> [Frame] {
    let views = try content.places("\(whose)View", counts: [1, count])
    let ups = try content.places(
      "\(whose)Up", counts: [1, count], sameTypeAs: "\(whose)View")
    var frames: [Frame] = []
    for row in 0..<max(views.count, ups.count) {
      var view = views.count > row ? views[row] : views.first ?? Vector3()
      var up = ups.count > row ? ups[row] : ups.first ?? Vector3()
      // What has no length says nothing.
      if view.length == 0 { view = Vector3(1, 0, 0) }
      if up.length == 0 { up = Vector3(0, 0, 1) }
      guard let frame = Frame(view: view, up: up) else {
        throw content.fault(
          "\(whose)View, row \(row)", "does not say, with \(whose)Up, where it looks")
      }
      frames.append(frame)
    }
    return frames
  }

  /// A vector of the room in this frame.
  func inward(_ vector: Vector3) -> Vector3 {
    Vector3(vector.dot(ahead), vector.dot(left), vector.dot(up))
  }

  /// A vector of this frame in the room.
  func outward(_ vector: Vector3) -> Vector3 {
    ahead * vector.x + left * vector.y + up * vector.z
  }
}
