import Dispatch
public import Files

/// A head log played through a head tracker, each frame with the phone heading and course that were
/// the newest at its time.
///
/// What comes out depends on the files alone, and memory doesn't grow with the log.
public struct HeadReplay: ~Copyable {
  private var log: HeadLog
  private var phoneHeadings: ReferenceSeries
  private var courses: ReferenceSeries
  private var tracker: HeadTracker

  /// Opens a CSV log.
  public init(
    headLog path: String, phoneHeadings: ReferenceSeries = ReferenceSeries(),
    courses: ReferenceSeries = ReferenceSeries(), calibrator: CalibratorName = .adaptive
  ) throws(FileError) {
    self.init(
      try HeadLog(path: path), phoneHeadings: phoneHeadings, courses: courses,
      calibrator: calibrator)
  }

  /// Plays a log that is open.
  public init(
    _ log: consuming HeadLog, phoneHeadings: ReferenceSeries = ReferenceSeries(),
    courses: ReferenceSeries = ReferenceSeries(), calibrator: CalibratorName = .adaptive
  ) {
    self.log = log
    self.phoneHeadings = phoneHeadings
    self.courses = courses
    tracker = HeadTracker(calibrator: calibrator)
    tracker.becomeAvailable()
    tracker.start()
    tracker.connect()
  }

  /// The pose at the log's next frame, or nil at its end.
  ///
  /// - Throws: `FileError` as `HeadLog.next` does.
  public mutating func next() throws(FileError) -> HeadPose? {
    guard let frame = try log.next() else { return nil }
    return tracker.update(
      frame, phoneHeading: phoneHeadings.reading(at: frame.time),
      course: courses.reading(at: frame.time))
  }

  /// Plays the whole log into a CSV file `time_s,yaw_deg,offset_deg,head_deg,status,uncertainty_deg`, one
  /// row a frame: seconds since the first frame, its yaw clockwise, the calibration's offset, the heading
  /// and, after the status, how far off that may be (see `HeadPose.uncertainty`). A field is empty where
  /// there is no value. Numbers read back as the same Double.
  ///
  /// - Parameter check: Called with the time from the first frame to the last; the file appears only
  ///   if it throws nothing.
  public consuming func write(
    to path: String, check: (ClosedRange<Timestamp>) throws(FileError) -> Void = { _ in }
  ) throws(FileError) {
    nonisolated(unsafe) var replay = self
    nonisolated(unsafe) var rows = ReplayRows(try TextWriter(path: path))
    nonisolated(unsafe) var (poses, earlier) = ([HeadPose](), [HeadPose]())
    nonisolated(unsafe) var isOver = false
    nonisolated(unsafe) var fault: FileError?
    repeat {
      // One core tracks on while another writes what was tracked before.
      swap(&poses, &earlier)
      poses.removeAll(keepingCapacity: true)
      DispatchQueue.concurrentPerform(iterations: 2) { half in
        guard half == 0 else { return rows.append(earlier) }
        do throws(FileError) {
          while !isOver, poses.count < Self.batch {
            if let pose = try replay.next() { poses.append(pose) } else { isOver = true }
          }
        } catch {
          fault = error
        }
      }
      if let fault { throw fault }
    } while !poses.isEmpty
    if let span = rows.span { try check(span) }
    try rows.output.commit()
  }

  /// Poses that are written together.
  private static let batch = 1024
}

/// The rows of a replay's output.
private struct ReplayRows {
  let output: TextWriter
  private var first: Timestamp?
  private var last: Timestamp?
  // Texts are kept: the classic offset holds for 200 frames, an uncertainty for many.
  private var offset: Double?
  private var offsetText = ""
  private var uncertainty: Double?
  private var uncertaintyText = ""

  init(_ output: TextWriter) {
    self.output = output
    output.append("time_s,yaw_deg,offset_deg,head_deg,status,uncertainty_deg\n")
  }

  /// From the first frame to the last.
  var span: ClosedRange<Timestamp>? {
    guard let first, let last else { return nil }
    return first...last
  }

  mutating func append(_ poses: [HeadPose]) {
    for pose in poses { append(pose) }
  }

  private mutating func append(_ pose: HeadPose) {
    let start = first ?? pose.time
    first = start
    last = pose.time
    if pose.offset != offset {
      offset = pose.offset
      offsetText = offset?.description ?? ""
    }
    output.append(pose.time.seconds(since: start))
    output.append(",")
    output.append(pose.frame.frameYaw)
    output.append(",")
    output.append(offsetText)
    output.append(",")
    output.append(pose.heading)
    output.append(",")
    output.append(pose.status.rawValue)
    output.append(",")
    if pose.uncertainty != uncertainty {
      uncertainty = pose.uncertainty
      uncertaintyText = uncertainty?.description ?? ""
    }
    output.append(uncertaintyText)
    output.append("\n")
  }
}
