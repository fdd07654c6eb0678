/// An OSC address that head trackers send to, and what its arguments mean.
struct OSCAddress: Sendable {
  enum Content: Sendable {
    /// Yaw, pitch and roll in degrees.
    case angles
    /// One of them; the others stay as they were.
    case yaw, pitch, roll
    /// A quaternion, its real part first.
    case wxyz
    /// A quaternion, its real part last.
    case xyzw
  }

  let path: StaticString
  let content: Content
  let convention: AttitudeConvention

  private init(_ path: StaticString, _ content: Content, _ convention: AttitudeConvention) {
    self.path = path
    self.content = content
    self.convention = convention
  }

  /// All that are understood. IEM's SceneRotator compares without regard to case, and so do all here.
  static let all = [
    // IEM Plug-in Suite, SceneRotator.
    OSCAddress("/SceneRotator/quaternions", .wxyz, .scene),
    OSCAddress("/SceneRotator/ypr", .angles, .scene),
    OSCAddress("/SceneRotator/yaw", .yaw, .scene),
    OSCAddress("/SceneRotator/pitch", .pitch, .scene),
    OSCAddress("/SceneRotator/roll", .roll, .scene),
    // SPARTA: its plug-ins too rotate what is heard, about the same axes.
    OSCAddress("/ypr", .angles, .scene),
    OSCAddress("/yaw", .yaw, .scene),
    OSCAddress("/pitch", .pitch, .scene),
    OSCAddress("/roll", .roll, .scene),
    OSCAddress("/quaternion", .wxyz, .scene),
    // ADM-OSC, the listener.
    OSCAddress("/adm/lis/ypr", .angles, .headLeft),
    OSCAddress("/adm/lis/yaw", .yaw, .headLeft),
    OSCAddress("/adm/lis/pitch", .pitch, .headLeft),
    OSCAddress("/adm/lis/roll", .roll, .headLeft),
    // Mach1.
    OSCAddress("/orientation", .angles, .headRight),
    // This project's own.
    OSCAddress("/head/quaternion", .xyzw, .coreMotion),
  ]

  /// The address of these bytes, or nil.
  static func named(_ bytes: UnsafeRawBufferPointer) -> OSCAddress? {
    for index in 0..<all.count where isSame(bytes, all[index].path) { return all[index] }
    return nil
  }

  /// Whether the bytes are that path, in upper or lower case.
  static func isSame(_ bytes: UnsafeRawBufferPointer, _ path: StaticString) -> Bool {
    guard path.utf8CodeUnitCount == bytes.count else { return false }
    let path = UnsafeRawBufferPointer(start: path.utf8Start, count: bytes.count)
    var same = 0
    while same < bytes.count, lowercase(path[same]) == lowercase(bytes[same]) { same += 1 }
    return same == bytes.count
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte + 32 : byte }
}
