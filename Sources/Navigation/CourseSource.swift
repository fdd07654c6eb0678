import Files
import Geometry

/// Where the course of a track's fixes comes from.
public enum CourseSource: String, CaseIterable, Sendable {
  /// The file's own.
  case logged
  /// The way between the fixes, `Track.derivedCourses`.
  case derived
  /// The file's own where any of its fixes has one, else derived.
  case automatic
}

extension Track {
  /// The track with courses from `source`. Derived ones have no accuracy.
  public func courses(from source: CourseSource) -> Track {
    let isLogged =
      switch source {
      case .logged: true
      case .derived: false
      case .automatic: fixes.contains { $0.course != nil }
      }
    if isLogged { return self }
    var track = self
    for (index, course) in derivedCourses.enumerated() {
      track.fixes[index].course = course
      track.fixes[index].courseAccuracy = nil
    }
    return track
  }

  /// The course at each fix as its place and those of earlier fixes tell it, degrees clockwise from
  /// true north, [0, 360); nil where that is not known.
  ///
  /// It is the direction in which the geodesic arrives that comes from the newest earlier fix at
  /// least 5 m away. A shorter way would be mostly receiver noise, a longer one cuts corners: along
  /// two walks, logged by a phone at 1 Hz, courses over 3, 5, 8, 10 and 15 m differ from the logged
  /// ones by 4.9, 5.1, 5.5, 5.9, 5.3 degrees and 6.2, 5.8, 6.1, 6.2, 6.0 degrees (median), and by
  /// 22, 28, 33, 37, 46 and 27, 31, 36, 71, 109 degrees (95th percentile). Making the way at least
  /// as long as the horizontal accuracy was no better: the errors of successive fixes are much alike.
  ///
  /// Whoever took longer than 12.5 s for the 5 m, or was otherwise slower than 0.4 m/s, is taken to
  /// stay: there is no course then.
  public var derivedCourses: [Double?] {
    fixes.indices.map { index in
      let end = fixes[index].coordinate
      var start = index
      while start > 0 {
        start -= 1
        let seconds = times[index].seconds(since: times[start])
        guard seconds <= baseline / slowestWalk || start == index - 1 else { return nil }
        let way = end.geodesic(to: fixes[start].coordinate)
        if way.distance >= baseline {
          return way.distance >= slowestWalk * seconds ? positiveDegrees(way.bearing + 180) : nil
        }
      }
      return nil
    }
  }
}

/// Metres that a derived course reaches back at least.
private let baseline = 5.0
/// Metres a second below which somebody stays.
private let slowestWalk = 0.4
