public import Geometry
public import HeadTracking

extension MotionRecord {
  /// A record of a frame that a source of head motion delivers.
  public init(_ frame: MotionFrame) {
    self.init()
    time = frame.time
    set(quaternion: frame.attitude)
    complete(lacking: .all)
    self[.yaw] = frame.yaw
    guard let readings = frame.readings else { return }
    set(readings.rotationRate, from: .rotationX)
    set(readings.gravity, from: .gravityX)
    set(readings.userAcceleration, from: .userAccX)
    headphonePlacement = readings.placement.map { Int64($0.rawValue) }
  }

  /// The attitude as the record's quaternion has it, not normalised; nil if a part is missing.
  public var quaternion: Quaternion? {
    guard let x = self[.quaternionX], let y = self[.quaternionY], let z = self[.quaternionZ],
      let w = self[.quaternionW]
    else { return nil }
    return Quaternion(x: x, y: y, z: z, w: w)
  }

  /// What the headphones measured besides the attitude; nil if nothing.
  var readings: HeadphoneReadings? {
    let readings = HeadphoneReadings(
      rotationRate: vector(from: .rotationX), gravity: vector(from: .gravityX),
      userAcceleration: vector(from: .userAccX),
      placement: headphonePlacement.flatMap { HeadphoneSample.Location(rawValue: Int($0)) })
    return readings == HeadphoneReadings() ? nil : readings
  }

  /// Computes what the source has no column for, where it follows from another form of the attitude.
  mutating func complete(lacking absent: MotionFields) {
    if !absent.isDisjoint(from: .quaternion), let yaw = self[.yaw], let pitch = self[.pitch],
      let roll = self[.roll]
    {
      set(quaternion: CoreMotionAngles(yaw: yaw, pitch: pitch, roll: roll).quaternion)
    }
    guard !absent.isDisjoint(from: .derived), let parts = quaternion,
      let attitude = Quaternion(normalizing: parts.x, parts.y, parts.z, parts.w)
    else { return }
    if !absent.isDisjoint(from: .angles) {
      let angles = CoreMotionAngles(attitude)
      if absent.contains(.roll) { self[.roll] = angles.roll }
      if absent.contains(.pitch) { self[.pitch] = angles.pitch }
      if absent.contains(.yaw) { self[.yaw] = angles.yaw }
    }
    if absent.contains(.rotationMatrixM11) { set(rotationMatrix: attitude) }
  }

  private mutating func set(quaternion q: Quaternion) {
    self[.quaternionX] = q.x
    self[.quaternionY] = q.y
    self[.quaternionZ] = q.z
    self[.quaternionW] = q.w
  }

  /// `CMAttitude.rotationMatrix` takes a vector of the reference frame to the body's axes: it is the
  /// inverse of what the quaternion does, and its third column is where up is.
  private mutating func set(rotationMatrix q: Quaternion) {
    let inverse = q.conjugate
    for (column, axis) in [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)].enumerated() {
      let image = inverse.rotate(axis)
      for row in 0..<3 {
        let index = MotionField.rotationMatrixM11.rawValue + 3 * row + column
        if let field = MotionField(rawValue: index) { self[field] = image[row] }
      }
    }
  }

  private mutating func set(_ vector: Vector3?, from first: MotionField) {
    for axis in 0..<3 {
      if let field = MotionField(rawValue: first.rawValue + axis) { self[field] = vector?[axis] }
    }
  }

  private func vector(from first: MotionField) -> Vector3? {
    guard let x = self[first], let second = MotionField(rawValue: first.rawValue + 1),
      let y = self[second], let third = MotionField(rawValue: first.rawValue + 2),
      let z = self[third]
    else { return nil }
    return Vector3(x, y, z)
  }
}

extension MotionFields {
  static let all: MotionFields = {
    var all = MotionFields()
    for field in MotionField.allCases { all.insert(field) }
    return all
  }()

  static let matrix: MotionFields = {
    var matrix = MotionFields()
    for field in MotionField.allCases where field.name.hasPrefix("rotationMatrix") {
      matrix.insert(field)
    }
    return matrix
  }()

  /// What follows from a quaternion.
  static let derived: MotionFields = {
    var derived = angles
    for field in MotionField.allCases where matrix.contains(field) { derived.insert(field) }
    return derived
  }()
}
