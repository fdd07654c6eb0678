import Geometry
import Glibc
import HRTF

/// The directions that a set was measured at, by their distances.
struct MeasuredGrid: Sendable {
  private struct Shell: Sendable {
    var distance: Double
    var directions: [SphericalDirection]
    var index: DirectionIndex
  }
  /// The nearest first.
  private let shells: [Shell]
  /// Whether distances nearer than measured are made up.
  private let isNearField: Bool

  /// Metres nearer than which nothing is made up.
  private static let nearest = 0.15
  /// How far a distance may be from a measured one that stands for it: a twentieth.
  private static let tolerance = 1.05

  init(_ set: HRIRSet, isNearField: Bool) {
    let shells = Dictionary(grouping: set.directions) { thousandths($0.distance) }
    self.shells = shells.keys.sorted().map { distance in
      let directions = shells[distance] ?? []
      return Shell(
        distance: distance, directions: directions,
        index: DirectionIndex(directions.map(\.unitVector)))
    }
    self.isNearField = isNearField
  }

  /// The distance at which a sound is heard where a design names none: the farthest measured.
  var usualDistance: Double { shells[shells.count - 1].distance }

  /// Distances that can be heard, metres.
  var distances: ClosedRange<Double> {
    let far = usualDistance * Self.tolerance
    return (isNearField ? Self.nearest : shells[0].distance / Self.tolerance)...far
  }

  /// The measured direction nearest to one, at the measured distance nearest to its own.
  func nearest(to direction: SphericalDirection) -> SphericalDirection {
    func ratio(_ shell: Shell) -> Double { abs(log(shell.distance / direction.distance)) }
    let shell = shells.min { ratio($0) < ratio($1) } ?? shells[0]
    let found = shell.index.nearest(to: direction.unitVector)
    return shell.directions[found?.index ?? 0]
  }
}
