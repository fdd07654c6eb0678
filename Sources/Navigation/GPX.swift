public import Files

/// What a GPX file holds: waypoints, routes and tracks.
///
/// Reads GPX 1.0 and 1.1 ([schema](https://www.topografix.com/GPX/1/1/)), in any namespace or none.
/// Besides the schema's fields it knows `speed` and `course` of 1.0 and of Garmin's
/// TrackPointExtension, and `bearing`, `bearingAccuracyDegrees` and `accuracy` as phone loggers write
/// them; times are dates of ISO 8601 or numbers since 1970.
public struct GPX: Equatable, Sendable {
  /// A point of any kind.
  public struct Point: Equatable, Sendable {
    /// The text of `name`, if there is any.
    public var name: String?
    /// Where it is, and whatever else the file says of it.
    public var fix: LocationFix
    /// The line on which the point starts, counted from 1.
    public var line: Int
  }

  /// A way that somebody planned.
  public struct Route: Equatable, Sendable {
    /// The text of `name`, if there is any.
    public var name: String?
    /// The points in the order of travel.
    public var points: [Point] = []
  }

  /// A way that somebody went.
  public struct Track: Equatable, Sendable {
    /// The text of `name`, if there is any.
    public var name: String?
    /// Stretches without an interruption of the reception; some may be empty.
    public var segments: [[Point]] = []
  }

  /// The file, as the user named it.
  public let path: String
  /// The text of `name` in the file's metadata, or of GPX 1.0's own, if there is any.
  public internal(set) var name: String?
  /// Places of interest, in no order of travel.
  public internal(set) var waypoints: [Point] = []
  /// The routes in the file's order.
  public internal(set) var routes: [Route] = []
  /// The tracks in the file's order.
  public internal(set) var tracks: [Track] = []
  /// Optional numbers that could not be read and were left out, each with its line.
  public internal(set) var warnings: [FileError] = []

  /// Reads a file.
  ///
  /// A number other than latitude and longitude that cannot be read is left out and goes to
  /// `warnings`.
  /// - Throws: `FileError` if there is no such file, it is no XML, stops early, has another root
  ///   element than `gpx`, declares entities, or has a point without a valid latitude and longitude
  ///   or with an unreadable time.
  public init(path: String) throws(FileError) { self = try GPXParser(path: path).read() }

  init(emptyAt path: String) { self.path = path }
}
