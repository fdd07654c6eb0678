public import Files
public import Geometry

/// A place in a track that walks along with the time.
///
/// Asked for later and later moments it passes every fix once; asked for an earlier one it searches.
public struct TrackCursor: Sendable {
  /// The track it walks.
  public let track: Track
  /// The newest fix that is not later than the last moment asked for, or −1 before the first.
  private var index = -1
  /// The way from the fix at `index` to the next, once it was needed.
  private var leg: (distance: Double, bearing: Double)?

  /// A cursor before the first fix.
  public init(_ track: Track) { self.track = track }

  /// The newest fix not later than `time`, however old; nil before the first.
  public mutating func fix(at time: Timestamp) -> LocationFix? {
    move(to: time)
    return index < 0 ? nil : track.fixes[index]
  }

  /// Where the way was at `time`: between the fixes before and after it on the geodesic that joins
  /// them, as far along as the time is between theirs. Before the first fix it is the first's place,
  /// after the last the last's.
  ///
  /// The speed is so taken as even between two fixes, across a gap of any length too. Positions move
  /// smoothly, and with them the bearings of what is near.
  public mutating func position(at time: Timestamp) -> GeodeticCoordinate {
    move(to: time)
    guard index >= 0 else { return track.fixes[0].coordinate }
    let from = track.fixes[index].coordinate
    guard index + 1 < track.fixes.count, time > track.times[index] else { return from }
    let way = leg ?? from.geodesic(to: track.fixes[index + 1].coordinate)
    leg = way
    let duration = track.times[index + 1].seconds(since: track.times[index])
    let part = time.seconds(since: track.times[index]) / duration
    return from.destination(bearing: way.bearing, distance: part * way.distance)
  }

  private mutating func move(to time: Timestamp) {
    let before = index
    if index >= 0, time < track.times[index] {
      // The first fix later than `time`, by bisection.
      var (low, high) = (0, index)
      while low < high {
        let middle = (low + high) / 2
        if track.times[middle] > time { high = middle } else { low = middle + 1 }
      }
      index = low - 1
    } else {
      while index + 1 < track.times.count, track.times[index + 1] <= time { index += 1 }
    }
    if index != before { leg = nil }
  }
}
