import Files
import Geometry

/// Reads opentrack's "UDP over network": 48 bytes, which are six doubles in the machine's own byte
/// order: x, y, z (cm), yaw, pitch, roll (degrees; right, up and right ear down are positive).
///
/// Nothing in them tells their order. opentrack repeats a pose until it has another; a repetition counts
/// as duplicate unless it is the only thing to come for `longestRest`, so that a head at rest stays
/// connected.
struct OpentrackDecoder: MotionDatagramDecoder {
  static let size = 48
  /// Seconds after which a repeated pose is a frame of its own.
  static let longestRest = 0.1

  private var last: (pose: SIMD8<UInt64>, time: Timestamp)?

  mutating func forget() { last = nil }

  mutating func decode(
    _ datagram: UnsafeMutableRawBufferPointer, at now: Timestamp, to outlet: inout MotionOutlet
  ) {
    guard datagram.count == Self.size else { return outlet.drop(.malformed) }
    var pose = SIMD8<UInt64>.zero
    for index in 0..<6 {
      pose[index] = datagram.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
      guard Double(bitPattern: pose[index]).isFinite else { return outlet.drop(.notFinite) }
    }
    let angles = DegreeAngles(
      yaw: Double(bitPattern: pose[3]), pitch: Double(bitPattern: pose[4]),
      roll: Double(bitPattern: pose[5]))
    if let fault = angles.fault { return outlet.drop(fault) }
    if let last, last.pose == pose, now.seconds(since: last.time) < Self.longestRest {
      return outlet.drop(.duplicate)
    }
    last = (pose, now)
    outlet.deliver(AttitudeConvention.headRight.attitude(angles), at: now)
  }
}
