import Geometry
import HeadTracking

/// What there is to see of a head at one moment.
struct HeadWatchState {
  /// Seconds since the watch began, or since the log's first frame.
  var seconds = 0.0
  /// The newest pose; nil while nothing is connected.
  var pose: HeadPose?
  var status = HeadTrackerStatus.disconnected
  /// Frames a second; nil before the first second is over.
  var rate: Double?
  var counts = MotionSourceCounts()

  private var angles: CoreMotionAngles? { pose.map { CoreMotionAngles($0.frame.attitude) } }
  private var pitch: Double? { angles.map { degrees(radians: $0.pitch) } }
  private var roll: Double? { angles.map { degrees(radians: $0.roll) } }

  /// For people: fields of constant width, in 80 columns unless something was dropped.
  var text: String {
    func field(_ value: Double?, _ width: Int) -> String {
      let text = value.map(tenths) ?? "-"
      return String(repeating: " ", count: max(0, width - text.count)) + text
    }
    let status = status.rawValue + String(repeating: " ", count: 12 - status.rawValue.count)
    return "\(status) head \(field(pose?.heading, 5)) ±\(field(pose?.uncertainty, 4))"
      + " yaw \(field(pose?.frame.frameYaw, 5)) pitch \(field(pitch, 5)) roll \(field(roll, 6))"
      + " off \(field(pose?.offset, 5)) \(field(rate, 5))/s"
      + (counts.dropped.isEmpty ? "" : " dropped \(counts.droppedTotal)")
  }

  /// For programs: one JSON object, `null` for what isn't known.
  var json: String {
    func number(_ value: Double?) -> String { value?.description ?? "null" }
    let dropped = MotionFault.allCases.compactMap { fault in
      counts.dropped[fault].map { "\"\(fault.name)\": \($0)" }
    }
    return """
      {"time_s": \(seconds), "status": "\(status.rawValue)", \
      "yaw_deg": \(number(pose?.frame.frameYaw)), "pitch_deg": \(number(pitch)), \
      "roll_deg": \(number(roll)), "offset_deg": \(number(pose?.offset)), \
      "head_deg": \(number(pose?.heading)), "uncertainty_deg": \(number(pose?.uncertainty)), "rate_hz": \(number(rate)), \
      "frames": \(counts.frames), "dropped": {\(dropped.joined(separator: ", "))}}
      """
  }
}

extension MotionFault {
  /// The cause as a key: `unknown_address`.
  fileprivate var name: String {
    "\(self)".map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
  }
}
