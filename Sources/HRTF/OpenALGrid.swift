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
  /// Spacing of nodes where no layout dictates it, degrees.
  private static let spacing = 3.0

  /// The grid for measured directions: with rings at their elevations and nodes at their azimuths
  /// where a grid within the loader's limits has them, else of 2.5° by 3°.
  init(fitting directions: [SphericalDirection]) {
    let elevations = Set(directions.map { ($0.elevation * 100).rounded() / 100 })
    let ringCount =
      (19...Self.elevationLimits.upperBound).first { count in
        let step = 180 / Double(count - 1)
        return elevations.allSatisfy { Self.isMultiple($0 + 90, of: step) }
      } ?? 73
    azimuthCounts = []
    for ring in 0..<ringCount {
      let elevation = -90 + 180 * Double(ring) / Double(ringCount - 1)
      let azimuths = directions.filter { abs($0.elevation - elevation) < Self.tolerance }
        .map(\.azimuth)
      azimuthCounts.append(Self.azimuthCount(at: elevation, measured: azimuths))
    }
  }

  private static func azimuthCount(at elevation: Double, measured: [Double]) -> Int {
    if abs(elevation) > 90 - tolerance { return 1 }
    // Fewer than that and the ring would be coarser than its neighbours.
    let circumference = 360 * cos(radians(degrees: elevation))
    let coarsest = max(4, Int(circumference / 6))
    let fitting = (coarsest...azimuthLimits.upperBound).first { count in
      !measured.isEmpty
        && measured.allSatisfy { isMultiple($0, of: 360 / Double(count)) }
    }
    let even = 4 * max(2, Int((circumference / spacing / 4).rounded()))
    return fitting ?? min(azimuthLimits.upperBound, even)
  }

  private static func isMultiple(_ angle: Double, of step: Double) -> Bool {
    abs(angle - (angle / step).rounded() * step) < tolerance
  }
}
