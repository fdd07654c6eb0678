import Aurient
public import CAurient
import Geometry
import HeadTracking
import Navigation

/// Does the work of a call that pushes something, with the time that it has.
private func push(
  _ session: OpaquePointer?, _ time: Double,
  _ work: (AurientSession, Double?) throws -> Void
) -> aurient_status {
  call(session) { entry in
    guard !time.isInfinite else { throw Fault.invalid("time \(time) is none") }
    // What has passed, or is not said, is now.
    try work(entry.session, time >= 0 ? time : nil)
  }
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_push_head_quaternion(
  _ session: OpaquePointer!, _ time: Double, _ x: Double, _ y: Double, _ z: Double, _ w: Double
) -> aurient_status {
  push(session, time) { try $0.pushHead(Quaternion(x: x, y: y, z: z, w: w), at: $1) }
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_push_head_angles(
  _ session: OpaquePointer!, _ time: Double, _ yaw: Double, _ pitch: Double, _ roll: Double
) -> aurient_status {
  push(session, time) { try $0.pushHead(yaw: yaw, pitch: pitch, roll: roll, at: $1) }
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_push_head_lost(
  _ session: OpaquePointer!, _ time: Double
) -> aurient_status {
  push(session, time) { try $0.pushHeadLost(at: $1) }
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_push_phone_heading(
  _ session: OpaquePointer!, _ time: Double, _ trueHeading: Double, _ magneticHeading: Double,
  _ accuracy: Double
) -> aurient_status {
  push(session, time) { session, time in
    let heading = PhoneHeading(
      time: Timestamp(nanoseconds: 0),
      magneticHeading: try numberIfAny(magneticHeading, "magnetic_heading", in: 0...360),
      trueHeading: try numberIfAny(trueHeading, "true_heading", in: 0...360),
      headingAccuracy: try numberIfAny(accuracy, "accuracy", in: -360...180))
    guard
      heading.magneticHeading != nil || heading.trueHeading != nil
        || heading.headingAccuracy ?? 0 < 0
    else { throw Fault.invalid("neither heading is known") }
    try session.pushPhone(heading, at: time)
  }
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_push_location(
  _ session: OpaquePointer!, _ time: Double, _ latitude: Double, _ longitude: Double,
  _ course: Double, _ courseAccuracy: Double
) -> aurient_status {
  push(session, time) { session, time in
    var fix = LocationFix(coordinate: try place(latitude, longitude))
    fix.course = try numberIfAny(course, "course", in: 0...360)
    fix.courseAccuracy = try numberIfAny(courseAccuracy, "course_accuracy", in: 0...180)
    try session.pushLocation(fix, at: time)
  }
}

/// A place that a caller gives.
func place(_ latitude: Double, _ longitude: Double) throws(Fault) -> GeodeticCoordinate {
  GeodeticCoordinate(
    latitude: try number(latitude, "latitude", in: -90...90),
    longitude: try number(longitude, "longitude", in: -180...180))
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_push_course(
  _ session: OpaquePointer!, _ time: Double, _ course: Double, _ courseAccuracy: Double
) -> aurient_status {
  push(session, time) { session, time in
    try session.pushCourse(
      try numberIfAny(course, "course", in: 0...360),
      accuracy: try numberIfAny(courseAccuracy, "course_accuracy", in: 0...180), at: time)
  }
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_push_location_lost(
  _ session: OpaquePointer!, _ time: Double
) -> aurient_status {
  push(session, time) { try $0.pushLocationLost(at: $1) }
}
