public import Files
import Geometry
public import HeadTracking

extension HeadLog {
  /// Opens a log of head motion in any format of `MotionLogFormat`; its content tells which.
  ///
  /// A database's records come in the order of time; those of other logs must be in it.
  ///
  /// - Parameter withReadings: whether frames shall have what else the headphones measured.
  /// - Throws: `FileError` as `HeadLog.init(path:)` does, and where a database has records of more
  ///   than one device, once the second comes.
  public init(motionLog path: String, withReadings: Bool = false) throws(FileError) {
    let format = try detectedFormat(path)
    if format == .csv, !withReadings {
      try self.init(path: path)
      return
    }
    let reader = try openMotionLog(path: path, format: format, isTimeOrdered: true)
    var record = MotionRecord()
    var last: (time: Timestamp, deviceId: String)?
    self.init { () throws(FileError) -> MotionFrame? in
      guard try reader.next(&record) else {
        guard last != nil else { throw FileError(.malformed, file: path, "no frames") }
        return nil
      }
      let frame = try record.frame(path, reader.place)
      if let last, frame.time < last.time {
        throw FileError(
          .malformed, file: path, place: reader.place, "is earlier than the frame before")
      }
      if let last, record.deviceId != last.deviceId {
        throw FileError(
          .unsupported, file: path, place: reader.place,
          "is of device \"\(record.deviceId)\", those before of \"\(last.deviceId)\"; "
            + "export one of them with 'aurient log export --device'")
      }
      last = (frame.time, record.deviceId)
      return frame
    }
  }
}

extension MotionRecord {
  /// The record as a frame of motion.
  ///
  /// - Throws: `FileError` where it has no attitude or its time is out of range.
  func frame(_ path: String, _ place: String) throws(FileError) -> MotionFrame {
    func malformed(_ cause: String) -> FileError {
      FileError(.malformed, file: path, place: place, cause)
    }
    guard let time else { throw malformed("its timestamp is not of the years 1678 to 2261") }
    for field in [MotionField.yaw, .pitch, .roll] {
      guard abs(self[field] ?? 0) <= 2 * .pi + 1e-6 else {
        throw malformed("\(field.name) is more than a full turn; angles are in radians")
      }
    }
    if let parts = quaternion {
      guard let attitude = Quaternion(normalizing: parts.x, parts.y, parts.z, parts.w) else {
        throw malformed("its quaternion is not of length 1")
      }
      guard let yaw = self[.yaw] else {
        var frame = MotionFrame(time: time, attitude: attitude)
        frame.readings = readings
        return frame
      }
      return MotionFrame(time: time, attitude: attitude, yaw: yaw, readings: readings)
    }
    guard let yaw = self[.yaw] else { throw malformed("has neither a quaternion nor a yaw") }
    let angles = CoreMotionAngles(yaw: yaw, pitch: self[.pitch] ?? 0, roll: self[.roll] ?? 0)
    return MotionFrame(
      time: time, attitude: angles.quaternion, yaw: yaw, readings: readings)
  }
}
