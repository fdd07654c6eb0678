/// A measured quantity of a record, in the order of the columns; the names are those of AWARE's table
/// `airpods_motion`.
public enum MotionField: Int, CaseIterable, Sendable {
  /// Core Motion's Euler angles, radians.
  case roll, pitch, yaw
  /// The attitude as a unit quaternion.
  case quaternionX, quaternionY, quaternionZ, quaternionW
  /// The attitude as Core Motion's rotation matrix, row by row.
  case rotationMatrixM11, rotationMatrixM12, rotationMatrixM13
  /// The second row.
  case rotationMatrixM21, rotationMatrixM22, rotationMatrixM23
  /// The third row.
  case rotationMatrixM31, rotationMatrixM32, rotationMatrixM33
  /// The rotation rate about the body's axes, radians a second.
  case rotationX, rotationY, rotationZ
  /// Gravity in the body's axes, in units of standard gravity.
  case gravityX, gravityY, gravityZ
  /// Acceleration without gravity in the body's axes, in units of standard gravity.
  case userAccX, userAccY, userAccZ

  /// How many there are.
  public static var count: Int { 25 }
  /// The names, by raw value.
  public static let names = allCases.map { "\($0)" }

  /// The column's name.
  public var name: String { Self.names[rawValue] }
}

/// What a record says of itself, after the measured quantities.
enum MotionAttribute: Int, CaseIterable {
  case headphonePlacement, label, deviceId, timestamp, timezone, os, jsonVersion, nanoseconds

  static let names = allCases.map { "\($0)" }

  var name: String { Self.names[rawValue] }
}

/// A column of a record: a measured quantity or an attribute.
enum MotionColumn: Equatable {
  case field(MotionField)
  case attribute(MotionAttribute)

  /// All of them, in order.
  static let all =
    MotionField.allCases.map { MotionColumn.field($0) }
    + MotionAttribute.allCases.map { MotionColumn.attribute($0) }

  var name: String {
    switch self {
    case .field(let field): field.name
    case .attribute(let attribute): attribute.name
    }
  }
}

/// Which measured quantities there are.
struct MotionFields: Equatable, Sendable {
  private(set) var bits: UInt32 = 0

  init() {}
  init(_ fields: MotionField...) { for field in fields { insert(field) } }

  static let angles = MotionFields(.roll, .pitch, .yaw)
  static let quaternion = MotionFields(.quaternionX, .quaternionY, .quaternionZ, .quaternionW)

  func contains(_ field: MotionField) -> Bool { bits & 1 << UInt32(field.rawValue) != 0 }
  func isSuperset(of other: MotionFields) -> Bool { bits & other.bits == other.bits }
  func isDisjoint(from other: MotionFields) -> Bool { bits & other.bits == 0 }
  mutating func insert(_ field: MotionField) { bits |= 1 << UInt32(field.rawValue) }
  mutating func remove(_ field: MotionField) { bits &= ~(1 << UInt32(field.rawValue)) }
}
