private import COSC
import Files
import Geometry
import Glibc

/// Reads head attitudes out of OSC 1.0 packets, whichever dialect they are in.
///
/// Bundles are taken apart here, with every size checked; a message is read by liblo. The time tag of a
/// bundle tells its place in order: one older than the newest is late, the same one with the same
/// attitude has come before. Messages without one, or with the tag "immediately", can't be told apart
/// from motion. Single angles of one bundle make one frame.
struct OSCDecoder: MotionDatagramDecoder {
  private typealias TimeTag = UInt64
  /// The bytes "#bundle" and 0.
  private static let bundle: UInt64 = 0x2362_756E_646C_6500
  /// "Immediately".
  private static let immediately: TimeTag = 1
  /// How deep bundles may lie in each other.
  private static let deepest = 8

  /// Whether all that comes is for it: else addresses that it does not know are no fault.
  private let isAlone: Bool
  private var angles = DegreeAngles()
  private var convention = AttitudeConvention.scene
  private var hasPendingAngles = false
  private var newest: (tag: TimeTag, attitude: Quaternion)?

  init(isAlone: Bool = true) { self.isAlone = isAlone }

  mutating func forget() { self = OSCDecoder(isAlone: isAlone) }

  mutating func decode(
    _ datagram: UnsafeMutableRawBufferPointer, at now: Timestamp, to outlet: inout MotionOutlet
  ) {
    decode(datagram, tag: Self.immediately, depth: 0, at: now, to: &outlet)
  }

  private mutating func decode(
    _ packet: UnsafeMutableRawBufferPointer, tag: TimeTag, depth: Int, at now: Timestamp,
    to outlet: inout MotionOutlet
  ) {
    guard packet.count >= 4, packet.count % 4 == 0 else { return outlet.drop(.malformed) }
    switch packet[0] {
    case UInt8(ascii: "/"):
      decodeMessage(packet, tag: tag, at: now, to: &outlet)
      if depth == 0 { deliverPendingAngles(tag: tag, at: now, to: &outlet) }
    case UInt8(ascii: "#"):
      guard packet.count >= 16, packet.loadUnaligned(as: UInt64.self) == Self.bundle.bigEndian,
        depth < Self.deepest
      else { return outlet.drop(.malformed) }
      decodeBundle(packet, depth: depth, at: now, to: &outlet)
    default: outlet.drop(.malformed)
    }
  }

  private mutating func decodeBundle(
    _ bundle: UnsafeMutableRawBufferPointer, depth: Int, at now: Timestamp,
    to outlet: inout MotionOutlet
  ) {
    let tag = TimeTag(bigEndian: bundle.loadUnaligned(fromByteOffset: 8, as: TimeTag.self))
    // Nothing of it may count, not even towards the angles that later ones leave as they were.
    if tag != Self.immediately, let newest, tag < newest.tag { return outlet.drop(.late) }
    var rest = UnsafeMutableRawBufferPointer(rebasing: bundle[16...])
    while !rest.isEmpty {
      let size = Int(UInt32(bigEndian: rest.loadUnaligned(as: UInt32.self)))
      guard size <= rest.count - 4 else {
        outlet.drop(.malformed)
        break
      }
      decode(
        UnsafeMutableRawBufferPointer(rebasing: rest[4..<4 + size]), tag: tag, depth: depth + 1,
        at: now, to: &outlet)
      // A size that is no multiple of 4 has been counted; what follows it can't be found.
      guard size % 4 == 0 else { break }
      rest = UnsafeMutableRawBufferPointer(rebasing: rest[(4 + size)...])
    }
    deliverPendingAngles(tag: tag, at: now, to: &outlet)
  }

  private mutating func decodeMessage(
    _ packet: UnsafeMutableRawBufferPointer, tag: TimeTag, at now: Timestamp,
    to outlet: inout MotionOutlet
  ) {
    guard let start = packet.baseAddress else { return outlet.drop(.malformed) }
    let path = UnsafeRawBufferPointer(start: start, count: strnlen(start, packet.count))
    guard path.count < packet.count else { return outlet.drop(.malformed) }
    let address = OSCAddress.named(path)
    let phone = address == nil ? OSCPhoneAddress.named(path) : nil
    guard phone != nil || address != nil else {
      return isAlone ? outlet.drop(.unknownAddress, example: path) : ()
    }
    var failure: Int32 = 0
    guard let message = lo_message_deserialise(start, packet.count, &failure) else {
      // Without type tags, as the oldest senders have it, or with one that nobody knows.
      return outlet.drop(failure == LO_EBADTYPE ? .wrongArguments : .malformed, example: path)
    }
    defer { lo_message_free(message) }
    if let phone { return take(message, of: phone, path, at: now, to: &outlet) }
    guard let address else { return }
    let count =
      switch address.content {
      case .angles: 3
      case .yaw, .pitch, .roll: 1
      case .wxyz, .xyzw: 4
      }
    guard let numbers = Self.numbers(message, count: count) else {
      return outlet.drop(.wrongArguments, example: path)
    }
    take(numbers, of: address, tag: tag, at: now, to: &outlet)
  }

  private mutating func take(
    _ numbers: SIMD4<Double>, of address: OSCAddress, tag: TimeTag, at now: Timestamp,
    to outlet: inout MotionOutlet
  ) {
    var angles = address.convention == convention ? angles : DegreeAngles()
    switch address.content {
    case .wxyz, .xyzw:
      let q = address.content == .xyzw ? numbers : SIMD4(numbers.y, numbers.z, numbers.w, numbers.x)
      guard q.x.isFinite, q.y.isFinite, q.z.isFinite, q.w.isFinite else {
        return outlet.drop(.notFinite)
      }
      guard let quaternion = Quaternion(normalizing: q.x, q.y, q.z, q.w) else {
        return outlet.drop(.notARotation)
      }
      let attitude = address.convention.attitude(quaternion)
      return deliver(attitude, tag: tag, at: now, to: &outlet)
    case .angles: angles = DegreeAngles(yaw: numbers.x, pitch: numbers.y, roll: numbers.z)
    case .yaw: angles.yaw = numbers.x
    case .pitch: angles.pitch = numbers.x
    case .roll: angles.roll = numbers.x
    }
    if let fault = angles.fault { return outlet.drop(fault) }
    self.angles = angles
    convention = address.convention
    hasPendingAngles = true
    // Only single angles wait for the others of their bundle.
    if address.content == .angles { deliverPendingAngles(tag: tag, at: now, to: &outlet) }
  }

  private mutating func deliverPendingAngles(
    tag: TimeTag, at now: Timestamp, to outlet: inout MotionOutlet
  ) {
    guard hasPendingAngles else { return }
    hasPendingAngles = false
    deliver(convention.attitude(angles), tag: tag, at: now, to: &outlet)
  }

  private mutating func deliver(
    _ attitude: Quaternion, tag: TimeTag, at now: Timestamp, to outlet: inout MotionOutlet
  ) {
    if tag != Self.immediately {
      if let newest, tag == newest.tag, attitude == newest.attitude {
        return outlet.drop(.duplicate)
      }
      newest = (tag, attitude)
    }
    outlet.deliver(attitude, at: now)
  }

  /// Takes a reading of a phone's compass; a bundle's time tag says nothing of when it was measured.
  private func take(
    _ message: lo_message, of address: OSCPhoneAddress, _ path: UnsafeRawBufferPointer,
    at now: Timestamp, to outlet: inout MotionOutlet
  ) {
    let count = Int(lo_message_get_argc(message))
    guard 1...address.mostArguments ~= count,
      let numbers = Self.numbers(message, count: address.usedArguments(of: count), of: count)
    else { return outlet.drop(.wrongArguments, example: path) }
    guard numbers.x.isFinite, numbers.y.isFinite else { return outlet.drop(.notFinite) }
    guard let heading = address.heading(numbers, count: count, at: now) else {
      return outlet.drop(.outOfRange)
    }
    outlet.deliver(heading)
  }

  /// The first arguments of a message, or nil unless it has `total` and the first are numbers.
  private static func numbers(
    _ message: lo_message, count: Int, of total: Int? = nil
  ) -> SIMD4<Double>? {
    guard lo_message_get_argc(message) == total ?? count, let types = lo_message_get_types(message),
      let arguments = lo_message_get_argv(message)
    else { return nil }
    var numbers = SIMD4<Double>.zero
    for index in 0..<count {
      guard let argument = arguments[index].map(UnsafeRawPointer.init) else { return nil }
      switch UInt8(bitPattern: types[index]) {
      case UInt8(ascii: "i"): numbers[index] = Double(argument.loadUnaligned(as: Int32.self))
      case UInt8(ascii: "f"): numbers[index] = Double(argument.loadUnaligned(as: Float.self))
      case UInt8(ascii: "h"): numbers[index] = Double(argument.loadUnaligned(as: Int64.self))
      case UInt8(ascii: "d"): numbers[index] = argument.loadUnaligned(as: Double.self)
      default: return nil
      }
    }
    return numbers
  }
}
