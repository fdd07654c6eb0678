import Aurient
public import CAurient
import HeadTracking
import Navigation

/// See `aurient.h`.
@c @implementation
public func aurient_session_state(
  _ session: OpaquePointer!, _ state: UnsafeMutablePointer<aurient_state>!
) -> aurient_status {
  call(session) { entry in
    // What is wrong with the structure is told before the peak is taken.
    try give(aurient_state(), to: state)
    try give(aurient_state(entry.session.state), to: state)
  }
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_beacons(
  _ session: OpaquePointer!, _ beacons: UnsafeMutablePointer<aurient_beacon_state>!,
  _ capacity: Int, _ elementSize: Int, _ count: UnsafeMutablePointer<Int>!
) -> aurient_status {
  call(session) { entry in
    try give([], to: beacons, capacity: capacity, elementSize: elementSize, count: count)
    let states = entry.session.state(takingPeak: false).beacons.map { aurient_beacon_state($0) }
    try give(states, to: beacons, capacity: capacity, elementSize: elementSize, count: count)
  }
}

extension aurient_state {
  fileprivate init(_ state: AurientSession.State) {
    self.init()
    time = state.time
    latitude = state.user.location?.latitude ?? .nan
    longitude = state.user.location?.longitude ?? .nan
    heading = state.heading?.degrees ?? .nan
    heading_source =
      switch state.heading?.source {
      case nil: AURIENT_HEADING_NONE
      case .head: AURIENT_HEADING_HEAD
      case .course: AURIENT_HEADING_COURSE
      case .phone: AURIENT_HEADING_PHONE
      }
    tracking =
      switch state.tracking {
      case .unavailable: AURIENT_TRACKING_UNAVAILABLE
      case .inactive: AURIENT_TRACKING_INACTIVE
      case .disconnected: AURIENT_TRACKING_DISCONNECTED
      case .connected: AURIENT_TRACKING_CONNECTED
      case .calibrated: AURIENT_TRACKING_CALIBRATED
      }
    heading_uncertainty = state.headingUncertainty ?? .nan
    head_heading = state.user.headHeading ?? .nan
    course = state.user.course ?? .nan
    phone_heading = state.user.phoneHeading ?? .nan
    location_age = state.ages.location ?? .nan
    course_age = state.ages.course ?? .nan
    phone_age = state.ages.phone ?? .nan
    head_age = state.ages.head ?? .nan
    peak = Double(state.peak)
    is_location_stale = state.isLocationStale ? 1 : 0
    is_playing = state.isPlaying ? 1 : 0
    has_ended = state.hasEnded ? 1 : 0
    reopenings = Int32(clamping: state.reopenings)
    route_place = Int32(clamping: state.route.place)
    route_count = Int32(clamping: state.route.count)
    beacon_count = Int32(clamping: state.beacons.count)
    frame_count = UInt64(state.frameCount)
    refused_count = UInt64(state.refusedCount)
  }
}

extension aurient_beacon_state {
  fileprivate init(_ beacon: AurientSession.State.Beacon) {
    self.init()
    put(beacon.name, into: &name)
    latitude = beacon.coordinate.latitude
    longitude = beacon.coordinate.longitude
    bearing = beacon.geometry.bearing
    distance = beacon.geometry.distance
    relative_bearing = beacon.geometry.relative ?? .nan
    presence =
      switch beacon.presence {
      case .sounding: AURIENT_BEACON_SOUNDING
      case .off: AURIENT_BEACON_OFF
      case .waiting: AURIENT_BEACON_WAITING
      case .arrived: AURIENT_BEACON_ARRIVED
      }
    region =
      switch beacon.region {
      case nil: AURIENT_REGION_NONE
      case .on: AURIENT_REGION_ON
      case .near: AURIENT_REGION_NEAR
      case .beside: AURIENT_REGION_BESIDE
      case .behind: AURIENT_REGION_BEHIND
      }
  }
}
