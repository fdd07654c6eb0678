public import Files
import Geometry

/// Reads a log of head motion a frame at a time, so that a log of any length takes the same memory.
///
/// A log is a CSV file whose columns are found by name, in any order: the time as `timestamp` (the
/// AirPods record of the AWARE framework) or `time` (the phone app Sensor Logger), and the attitude as
/// `quaternionX` to `quaternionW`, or `yaw`, `pitch` and `roll` in radians (Core Motion's), or both.
/// A file that has a `yaw` column means that yaw; one without quaternions may lack pitch and roll.
/// The module `MotionLog` opens logs of other formats as well.
public struct HeadLog: ~Copyable {
  private let read: () throws(FileError) -> MotionFrame?

  /// Opens a CSV log.
  ///
  /// - Throws: `FileError` if it cannot be read or a column is missing.
  public init(path: String) throws(FileError) {
    let frames = try CSVFrames(path: path)
    self.init(frames: frames.next)
  }

  /// A log of frames from elsewhere.
  ///
  /// - Parameter frames: gives the next frame, in the order of time, or nil at the end.
  public init(frames: @escaping () throws(FileError) -> MotionFrame?) { read = frames }

  /// The next frame, or nil at the end.
  ///
  /// - Throws: `FileError` with line and column for a value that is empty, no number or out of range,
  ///   for quaternions that are no rotation, for time that goes backwards, and for a log of no frames.
  public mutating func next() throws(FileError) -> MotionFrame? { try read() }

  /// All frames of a CSV log.
  public static func frames(path: String) throws(FileError) -> [MotionFrame] {
    var log = try HeadLog(path: path)
    var frames: [MotionFrame] = []
    while let frame = try log.next() { frames.append(frame) }
    return frames
  }
}

/// The frames of a CSV log.
private final class CSVFrames {
  private let reader: CSVReader
  private let time: Int
  private let quaternion: QuaternionColumns?
  private let yaw: Int?
  private let pitch: Int?
  private let roll: Int?
  private var last: Timestamp?

  private struct QuaternionColumns { let x, y, z, w: Int }

  init(path: String) throws(FileError) {
    let reader = try CSVReader(path: path)
    let time = try reader.requiredColumn(of: ["timestamp", "time"])
    let leading = try reader.requiredColumn(of: ["quaternionX", "yaw"])
    quaternion =
      reader.header[leading] == "yaw"
      ? nil
      : QuaternionColumns(
        x: leading, y: try reader.requiredColumn("quaternionY"),
        z: try reader.requiredColumn("quaternionZ"), w: try reader.requiredColumn("quaternionW"))
    yaw = reader.column("yaw")
    pitch = reader.column("pitch")
    roll = reader.column("roll")
    self.time = time
    self.reader = reader
  }

  func next() throws(FileError) -> MotionFrame? {
    guard try reader.next() else {
      guard last != nil else { throw FileError(.malformed, file: reader.path, "no frames") }
      return nil
    }
    let now = try reader.timestamp(time)
    if let last, now < last { throw reader.bad(time, "is earlier than the frame before") }
    last = now
    guard let columns = quaternion else {
      let angles = CoreMotionAngles(
        yaw: try angle(yaw), pitch: try angle(pitch), roll: try angle(roll))
      return MotionFrame(time: now, attitude: angles.quaternion, yaw: angles.yaw)
    }
    guard
      let attitude = Quaternion(
        normalizing: try reader.requiredNumber(columns.x), try reader.requiredNumber(columns.y),
        try reader.requiredNumber(columns.z), try reader.requiredNumber(columns.w))
    else { throw reader.bad(columns.w, "ends a quaternion that is not of length 1") }
    guard yaw != nil else { return MotionFrame(time: now, attitude: attitude) }
    return MotionFrame(time: now, attitude: attitude, yaw: try angle(yaw))
  }

  /// An angle of at most a full turn, radians; 0 where the file has no such column.
  private func angle(_ column: Int?) throws(FileError) -> Double {
    guard let column else { return 0 }
    let value = try reader.requiredNumber(column)
    guard abs(value) <= 2 * .pi + 1e-6 else {
      throw reader.bad(column, "is more than a full turn; angles are in radians")
    }
    return value
  }
}
