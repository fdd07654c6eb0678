import Geometry
import Glibc

/// The layout that OpenAL Soft looks directions up in: rings of equal elevation, evenly spaced from
/// straight down to straight up, each with its own number of evenly spaced azimuths from ahead on.
///
/// Between nodes OpenAL blends the four around, so nodes lie on measured directions where a layout
/// allows it.
public struct OpenALGrid: Equatable, Sendable {
  /// Azimuths of each ring, from −90° to 90° of elevation.
  public var azimuthCounts: [Int]

  /// What the loader of OpenAL Soft 1.19.1 takes.
  static let elevationLimits = 5...128
  static let azimuthLimits = 1...128

  /// A grid of these rings.
  public init(azimuthCounts: [Int]) { self.azimuthCounts = azimuthCounts }

  /// Number of nodes.
  public var nodeCount: Int { azimuthCounts.reduce(0, +) }

  /// The elevation of a ring, degrees.
  public func elevation(ring: Int) -> Double {
    -90 + 180 * Double(ring) / Double(azimuthCounts.count - 1)
  }

  /// All nodes in the order of a data set: rings upwards, in each clockwise from ahead, which is
  /// against SOFA's azimuth.
  public var nodes: [SphericalDirection] {
    azimuthCounts.indices.flatMap { ring in
      (0..<azimuthCounts[ring]).map { index in
        SphericalDirection(
          azimuth: -360 * Double(index) / Double(azimuthCounts[ring]),
          elevation: elevation(ring: ring))
      }
    }
  }
}

extension OpenALGrid {
  /// How near a measured direction must lie to a node to be taken as lying on it, degrees.
  private static let tolerance = 0.05
  /// Rings where no layout dictates them: near 2°, with one on the horizon, and with no whole degree
  /// of elevation half-way between two rings, where rounding would decide on a delay.
  private static let freeRingCount = 93

  /// The grid for measured directions: with rings at their elevations and nodes at their azimuths
  /// where a grid within the loader's limits has them, else as fine as those limits allow.
  init(fitting directions: [SphericalDirection]) {
    let elevations = Set(directions.map { ($0.elevation * 100).rounded() / 100 })
    let ringCount =
      (19...Self.elevationLimits.upperBound).first { count in
        let step = 180 / Double(count - 1)
        return elevations.allSatisfy { Self.isMultiple($0 + 90, of: step) }
      } ?? Self.freeRingCount
    let step = 180 / Double(ringCount - 1)
    azimuthCounts = (0..<ringCount).map { ring in
      let elevation = -90 + step * Double(ring)
      let near = directions.filter { abs($0.elevation - elevation) < step }
      let on = near.filter { abs($0.elevation - elevation) < Self.tolerance }
      return Self.azimuthCount(at: elevation, measured: on.map(\.azimuth), near: near.count)
    }
  }

  /// - Parameters:
  ///   - measured: Azimuths measured at the elevation.
  ///   - near: How many directions are measured between the rings above and below.
  private static func azimuthCount(at elevation: Double, measured: [Double], near: Int) -> Int {
    if abs(elevation) > 90 - tolerance { return 1 }
    // Fewer than that and the ring would be coarser than its neighbours.
    let circumference = 360 * cos(radians(degrees: elevation))
    let coarsest = max(4, Int(circumference / 6))
    let fitting = (coarsest...azimuthLimits.upperBound).first { count in
      !measured.isEmpty
        && measured.allSatisfy { isMultiple($0, of: 360 / Double(count)) }
    }
    // As dense as on the horizon, and with more nodes than there are directions to be met.
    let most = azimuthLimits.upperBound
    let even = Int(circumference / 360 * Double(most))
    return fitting ?? freeAzimuthCount(min(most, max(even, near * 5 / 4)))
  }

  /// The greatest count up to `most` that has no factor in common with 360, so that no whole degree
  /// of azimuth is half-way between two nodes.
  private static func freeAzimuthCount(_ most: Int) -> Int {
    (7...max(7, most)).last { count in [2, 3, 5].allSatisfy { count % $0 != 0 } } ?? 7
  }

  private static func isMultiple(_ angle: Double, of step: Double) -> Bool {
    abs(angle - (angle / step).rounded() * step) < tolerance
  }
}
