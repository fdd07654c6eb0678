public import Files
import Glibc

/// A way that somebody went: location fixes in the order of time, at least one.
public struct Track: Equatable, Sendable {
  /// The fixes; each has a time, none earlier than the one before.
  public internal(set) var fixes: [LocationFix]
  /// The times of `fixes`.
  public let times: [Timestamp]
  /// From the first fix to the last.
  public var span: ClosedRange<Timestamp> { times[0]...times[times.count - 1] }
  /// What its file held that could not be read and was left out, each with its line.
  public private(set) var warnings: [FileError] = []

  /// The track of these fixes, or nil if there is none, one has no time, or one is earlier than the
  /// one before.
  public init?(fixes: [LocationFix]) {
    let times = fixes.compactMap(\.time)
    guard !fixes.isEmpty, times.count == fixes.count,
      zip(times, times.dropFirst()).allSatisfy({ $0 <= $1 })
    else { return nil }
    self.fixes = fixes
    self.times = times
  }

  /// Fixes that are in the order of time.
  init(unchecked fixes: [LocationFix], warnings: [FileError]) {
    self.fixes = fixes
    times = fixes.compactMap(\.time)
    self.warnings = warnings
  }

  /// Reads a GPX, NMEA 0183 or CSV file, told apart by the content: XML starts with `<`, and NMEA has
  /// a sentence within the first 4 KiB.
  ///
  /// All segments of all tracks of a GPX file make one track. For the columns of a CSV file see
  /// `init(csv:)`.
  /// - Throws: `FileError` if the file cannot be read, holds no track, or a fix of it has no time or
  ///   an earlier one than the fix before.
  public init(path: String) throws(FileError) {
    let head = try beginning(of: path)
    if isXML(head) {
      self = try Track(GPX(path: path))
    } else if isNMEA(head) {
      self = try Track(nmea: path)
    } else {
      self = try Track(csv: path)
    }
  }

  /// The tracks of a GPX file as one.
  ///
  /// - Throws: `FileError` if it has no track points, or one has no time or an earlier one than the
  ///   point before.
  public init(_ gpx: GPX) throws(FileError) {
    let points = gpx.tracks.flatMap(\.segments).joined()
    guard !points.isEmpty else {
      throw FileError(
        .unsupported, file: gpx.path,
        "no track: \(count(gpx.waypoints.count, "waypoint")) and \(count(gpx.routes.count, "route"))"
      )
    }
    var last: Timestamp?
    for point in points {
      let place = "line \(point.line)"
      guard let time = point.fix.time else {
        throw FileError(.unsupported, file: gpx.path, place: place, "the track point has no time")
      }
      if let last, time < last {
        throw FileError(
          .malformed, file: gpx.path, place: place,
          "the time is \(last.seconds(since: time)) s before that of the track point before")
      }
      last = time
    }
    self.init(unchecked: points.map(\.fix), warnings: gpx.warnings)
  }
}

private func count(_ number: Int, _ noun: String) -> String {
  "\(number) \(noun)\(number == 1 ? "" : "s")"
}

/// The first 4 KiB of a file, without a byte-order mark of UTF-8.
private func beginning(of path: String) throws(FileError) -> ArraySlice<UInt8> {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw .system(.unreadable, file: path, errno: errno) }
  defer { close(descriptor) }
  var start = [UInt8](repeating: 0, count: 4096)
  // Does not move on, and so fails for a pipe, which cannot be opened anew.
  let size = pread(descriptor, &start, start.count, 0)
  guard size >= 0 || errno != ESPIPE else {
    throw FileError(.unsupported, file: path, "is a pipe; a track is read from a file")
  }
  guard size >= 0 else { throw .system(.unreadable, file: path, errno: errno) }
  let head = start[..<size]
  return head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head
}

/// Whether a file that begins so is XML: `<` after white space, or the mark of UTF-16, which only XML
/// may be in.
private func isXML(_ head: ArraySlice<UInt8>) -> Bool {
  if head.starts(with: [0xFE, 0xFF]) || head.starts(with: [0xFF, 0xFE]) { return true }
  return head.first { $0 != 32 && !(9...13).contains($0) } == UInt8(ascii: "<")
}
