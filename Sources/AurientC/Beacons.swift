import Aurient
public import CAurient
import Geometry

/// Has a command carried out.
private func send(
  _ session: OpaquePointer?, _ command: () throws -> SceneCommand
) -> aurient_status {
  call(session) { entry in try entry.session.send(try command()) }
}

/// The name of a beacon that a caller gives.
private func beaconName(_ pointer: UnsafePointer<CChar>?) throws(Fault) -> String {
  let name = try text(pointer, "the beacon's name")
  guard name.utf8.count <= 64, name == name.onOneLine else {
    throw .invalid("a beacon's name has 1 to 64 bytes, none of control")
  }
  return name
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_recenter(_ session: OpaquePointer!, _ heading: Double) -> aurient_status
{
  send(session) {
    .recenter(try numberIfAny(heading, "heading", in: -360...360).map(positiveDegrees))
  }
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_place_beacon(
  _ session: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ latitude: Double, _ longitude: Double
) -> aurient_status {
  send(session) { .place(name: try beaconName(name), try place(latitude, longitude)) }
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_place_beacon_around(
  _ session: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ bearing: Double, _ distance: Double
) -> aurient_status {
  send(session) {
    .placeAround(
      name: try beaconName(name),
      bearing: positiveDegrees(try number(bearing, "bearing", in: -360...360)),
      distance: try number(distance, "distance", in: Double.leastNormalMagnitude...2e7))
  }
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_remove_beacon(
  _ session: OpaquePointer!, _ name: UnsafePointer<CChar>!
) -> aurient_status {
  send(session) { .remove(name: try beaconName(name)) }
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_set_beacon_style(
  _ session: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ style: UnsafePointer<CChar>!
) -> aurient_status {
  send(session) { .style(name: try beaconName(name), try text(style, "style")) }
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_set_beacon_sound(
  _ session: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ path: UnsafePointer<CChar>!
) -> aurient_status {
  send(session) { .sound(name: try beaconName(name), path: try text(path, "path")) }
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_set_beacon_gain(
  _ session: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ gain: Double
) -> aurient_status {
  send(session) { .gain(name: try beaconName(name), try number(gain, "gain", in: -120...0)) }
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_mute_beacon(
  _ session: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ isMuted: Int32
) -> aurient_status {
  send(session) { .mute(name: try beaconName(name), isMuted != 0) }
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_say(
  _ session: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ words: UnsafePointer<CChar>!
) -> aurient_status {
  send(session) { .say(name: try beaconName(name), text: try text(words, "words")) }
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_set_volume(_ session: OpaquePointer!, _ gain: Double) -> aurient_status
{
  send(session) { .volume(try number(gain, "gain", in: -120...0)) }
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_set_route_place(
  _ session: OpaquePointer!, _ place: Int32
) -> aurient_status {
  send(session) {
    guard place >= 0 else { throw Fault.invalid("place \(place) is less than 0") }
    return .route(Int(place))
  }
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_set_hrtf(
  _ session: OpaquePointer!, _ hrtf: UnsafePointer<CChar>!
) -> aurient_status {
  call(session) { entry in try entry.session.setHRTF(try textIfAny(hrtf, "hrtf")) }
}
