import Geometry
import Glibc

/// The part of the sphere that a set measures: all that lies within 20° of a direction of it, or within
/// twice the usual angle between neighbours if that is more. Beyond, what is rendered is carried on from
/// the edge.
///
/// Kept as a map of 2 by 2 degrees, so that looking up costs nothing however many directions there are.
public struct MeasuredPart: Equatable, Sendable {
  private static let columns = 180
  private static let rows = 90
  /// One byte a field, 1 if its centre is measured: from the lowest row up, counterclockwise from ahead.
  private var fields: [UInt8]

  /// The part that a set measures.
  init(of set: HRIRSet) {
    let index = DirectionIndex(set.directions.map(\.unitVector))
    let step = max(1, set.directions.count / 1000)
    let spacings = stride(from: 0, to: set.directions.count, by: step).map { direction in
      // The same direction at another distance is no neighbour.
      index.nearest(to: index.directions[direction], beyond: 1e-3)?.distance ?? 2
    }.sorted()
    let usual = 2 * asin(min(1, spacings[spacings.count / 2] / 2))
    // As a chord.
    let reach = 2 * sin(min(.pi, max(radians(degrees: 20), 2 * usual)) / 2)
    fields = parallelMap(Self.rows * Self.columns, worker: {}) { _, field in
      let (row, column) = field.quotientAndRemainder(dividingBy: Self.columns)
      let centre = SphericalDirection(
        azimuth: Double(2 * column + 1), elevation: Double(2 * row + 1) - 90)
      guard let nearest = index.nearest(to: centre.unitVector) else { return 0 }
      return nearest.distance <= reach ? 1 : 0
    }
  }

  /// The part that `bytes` tells of; nil if they are no such map.
  init?(bytes: [UInt8]) {
    guard bytes.count == Self.rows * Self.columns, bytes.allSatisfy({ $0 <= 1 }) else { return nil }
    fields = bytes
  }

  /// The map, to be kept in a file.
  var bytes: [UInt8] { fields }

  /// Whether a direction is of the measured part.
  public func contains(_ direction: SphericalDirection) -> Bool {
    let row = max(0, min(Self.rows - 1, Int((direction.elevation + 90) / 2)))
    let column = max(0, min(Self.columns - 1, Int(direction.azimuth / 2)))
    return fields[row * Self.columns + column] == 1
  }
}
