import Aurient
public import CAurient
import HRTF
import HeadTracking
import Navigation
import SpatialAudio
import Synchronization

/// A session that a handle means, and what went wrong last.
final class SessionEntry: Sendable {
  let session: AurientSession
  let message = Mutex("")

  init(_ session: AurientSession) { self.session = session }
}

/// The sessions of the process.
let sessions = HandleTable<SessionEntry>(capacity: 1024)

/// See `aurient.h`.
@c @implementation
public func aurient_session_open_pulled(
  _ options: UnsafePointer<aurient_session_options>!,
  _ session: UnsafeMutablePointer<OpaquePointer?>!
) -> aurient_status {
  open(options, session) { try AurientSession(pulling: $0, options: $1) }
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_open_live(
  _ options: UnsafePointer<aurient_session_options>!,
  _ session: UnsafeMutablePointer<OpaquePointer?>!
) -> aurient_status {
  open(options, session) { try AurientSession(playing: $0, options: $1) }
}

private func open(
  _ pointer: UnsafePointer<aurient_session_options>?,
  _ session: UnsafeMutablePointer<OpaquePointer?>?,
  _ make: (Scene, AurientSession.Options) throws -> AurientSession
) -> aurient_status {
  call {
    guard let session else { throw Fault.invalid("session is NULL") }
    session.pointee = nil
    let options = try pointer.map { try copied($0, aurient_session_options()) }
    let opened = try make(
      try options.map(scene) ?? Scene(), try options.map(sessionOptions) ?? .init())
    guard let handle = sessions.insert(SessionEntry(opened)) else {
      throw Fault(AURIENT_FULL, "there are too many sessions")
    }
    session.pointee = handle
  }
}

private func scene(_ options: aurient_session_options) throws -> Scene {
  var scene = try textIfAny(options.scene_path, "scene_path").map { try Scene(path: $0) } ?? Scene()
  scene.hrtf = try textIfAny(options.hrtf, "hrtf") ?? scene.hrtf
  if let sound = try textIfAny(options.sound, "sound") {
    scene.sound = sound
    scene.style = nil
  }
  scene.style = try textIfAny(options.style, "style") ?? scene.style
  scene.route = try textIfAny(options.route, "route") ?? scene.route
  scene.gain += try number(options.gain, "gain", in: -120...0)
  scene.sampleRate = try sampleRate(options.sample_rate) ?? scene.sampleRate
  switch options.head_reference {
  case AURIENT_HEAD_UNKNOWN: break
  case AURIENT_HEAD_NORTH: scene.headReference = .north
  default: throw Fault.invalid("head_reference \(options.head_reference.rawValue) is none")
  }
  switch options.calibrator {
  case AURIENT_CALIBRATOR_ADAPTIVE: break
  case AURIENT_CALIBRATOR_CLASSIC: scene.calibrator = .classic
  default: throw Fault.invalid("calibrator \(options.calibrator.rawValue) is none")
  }
  if options.is_yaw_only != 0 { scene.isYawOnly = true }
  if options.is_near_field != 0 { scene.fitting.isNearField = true }
  return scene
}

private func sessionOptions(_ options: aurient_session_options) throws -> AurientSession.Options {
  var made = AurientSession.Options()
  if options.beacon_capacity != 0 {
    guard 1...Int32(Session.mostBeacons) ~= options.beacon_capacity else {
      throw Fault.invalid(
        "beacon_capacity \(options.beacon_capacity) is not from 1 to \(Session.mostBeacons)")
    }
    made.beaconCapacity = Int(options.beacon_capacity)
  }
  made.headPort = try headPort(options)
  switch options.latency {
  case AURIENT_LATENCY_CONFIGURED: break
  case AURIENT_LATENCY_LOW: made.latency = .low
  case AURIENT_LATENCY_NORMAL: made.latency = .normal
  case AURIENT_LATENCY_SAFE: made.latency = .safe
  default: throw Fault.invalid("latency \(options.latency.rawValue) is none")
  }
  made.device = try textIfAny(options.device, "device")
  made.recordFolder = try textIfAny(options.record_folder, "record_folder")
  let (gpsd, nmea) = (try textIfAny(options.gpsd, "gpsd"), try textIfAny(options.nmea, "nmea"))
  do throws(LocationSourceError) {
    if let gpsd { made.gpsd = try GPSDAddress(gpsd) }
    if let nmea { made.nmea = try NMEAEndpoint(nmea) }
  } catch {
    throw Fault.invalid("\(error)")
  }
  guard made.gpsd == nil || made.nmea == nil else {
    throw Fault.invalid("gpsd and nmea cannot both be given")
  }
  return made
}

private func headPort(
  _ options: aurient_session_options
) throws(Fault) -> AurientSession.Options.HeadPort? {
  let address = try textIfAny(options.listen_address, "listen_address")
  guard options.osc_port == 0 || options.opentrack_port == 0 else {
    throw .invalid("osc_port and opentrack_port cannot both be given")
  }
  let (port, format): (Int32, NetworkMotionSource.Format) =
    options.osc_port != 0 ? (options.osc_port, .osc) : (options.opentrack_port, .opentrack)
  guard port != 0 else { return nil }
  guard -1...65_535 ~= port else { throw .invalid("port \(port) is not from -1 to 65535") }
  var made = AurientSession.Options.HeadPort(format, port: port < 0 ? 0 : UInt16(port))
  made.address = address ?? made.address
  made.isInverse = options.is_head_inverse != 0
  return made
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_close(_ session: OpaquePointer!) -> aurient_status {
  call {
    guard let entry = sessions.remove(session) else {
      throw Fault(AURIENT_INVALID_HANDLE, "no session, or one that is closed")
    }
    OpenALContext.leavingThreadAsItWas { entry.session.close() }
  }
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_message(
  _ session: OpaquePointer!, _ buffer: UnsafeMutablePointer<CChar>!, _ capacity: Int
) -> Int {
  var text = ""
  if let use = sessions.use(session) {
    defer { sessions.release(use) }
    text = use.object._withUnsafeGuaranteedRef { entry in
      let message = entry.message.withLock { $0 }
      return message.isEmpty ? entry.session.fault.map { Fault($0).message } ?? "" : message
    }
  }
  return copy(text, to: buffer, capacity: capacity)
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_pull(
  _ session: OpaquePointer!, _ samples: UnsafeMutablePointer<Float>!, _ frameCount: Int
) -> aurient_status {
  guard let use = sessions.use(session) else { return AURIENT_INVALID_HANDLE }
  defer { sessions.release(use) }
  guard 0...(1 << 20) ~= frameCount, samples != nil || frameCount == 0 else {
    return AURIENT_INVALID_ARGUMENT
  }
  return use.object._withUnsafeGuaranteedRef { entry in
    do throws(AurientSession.PullError) {
      try entry.session.pull(
        into: UnsafeMutableBufferPointer(start: samples, count: 2 * frameCount))
      return AURIENT_OK
    } catch {
      return error == .busy ? AURIENT_BUSY : AURIENT_WRONG_STATE
    }
  }
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_sample_rate(
  _ session: OpaquePointer!, _ sampleRate: UnsafeMutablePointer<Int32>!
) -> aurient_status {
  call(session) { entry in
    guard let sampleRate else { throw Fault.invalid("sample_rate is NULL") }
    sampleRate.pointee = Int32(entry.session.sampleRate)
  }
}

/// See `aurient.h`.
@c @implementation
public func aurient_session_port(
  _ session: OpaquePointer!, _ port: UnsafeMutablePointer<Int32>!
) -> aurient_status {
  call(session) { entry in
    guard let port else { throw Fault.invalid("port is NULL") }
    port.pointee = Int32(entry.session.port ?? 0)
  }
}
