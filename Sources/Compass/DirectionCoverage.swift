public import Geometry
import Glibc

/// How much of the sphere of directions readings have reached.
public struct DirectionCoverage: Equatable, Sendable {
  /// Share of 200 cells of equal area that were reached, [0, 1].
  public let share: Double
  /// The direction that is farthest from all that were reached, to within 5°.
  public let farthest: Vector3
  /// How far that is, degrees.
  public let gap: Double
  /// The standard deviation of the unit vectors along the axis where it is least: 0 for directions in one
  /// plane or on one cone, 0.58 for even ones.
  public let thickness: Double

  /// The coverage of directions of any length; ones that are zero or not finite count for nothing.
  public init(_ directions: some Sequence<Vector3>) {
    let units = directions.map(\.normalized).filter { $0.length.isFinite }
    let mean = units.reduce(Vector3(), +) / Double(max(1, units.count))
    var scatter = SymmetricMatrix3(xx: 0, yy: 0, zz: 0)
    for unit in units { scatter.add(unit - mean, weight: 1 / Double(units.count)) }
    thickness = max(0, scatter.eigensystem[0].value).squareRoot()
    let cells = EqualAreaCells(bands: 10, sectors: 20)
    let reached = units.reduce(into: Set<Int>()) { $0.insert(cells.cell(of: $1)) }
    share = Double(reached.count) / Double(cells.count)
    let probes = EqualAreaCells(bands: 20, sectors: 40)
    var widest = (direction: Vector3(0, 0, 1), cosine: 1.0)
    for probe in (0..<probes.count).map(probes.middle) + [Vector3(0, 0, 1), Vector3(0, 0, -1)] {
      var nearest = -1.0
      for unit in units where unit.dot(probe) > nearest {
        nearest = unit.dot(probe)
        if nearest >= widest.cosine { break }
      }
      if nearest < widest.cosine { widest = (probe, nearest) }
    }
    farthest = widest.direction
    gap = degrees(radians: acos(min(1, widest.cosine)))
  }
}

/// Cells of a sphere that are those of a cylinder about z: by Archimedes, bands of equal height have
/// equal area.
private struct EqualAreaCells {
  let bands, sectors: Int
  var count: Int { bands * sectors }

  func cell(of unit: Vector3) -> Int {
    let band = min(bands - 1, Int(max(0, unit.z + 1) / 2 * Double(bands)))
    let turn = atan2(unit.y, unit.x) / (2 * .pi) + 0.5
    return band * sectors + min(sectors - 1, Int(turn * Double(sectors)))
  }

  func middle(_ cell: Int) -> Vector3 {
    let z = (Double(cell / sectors) + 0.5) / Double(bands) * 2 - 1
    let turn = ((Double(cell % sectors) + 0.5) / Double(sectors) - 0.5) * 2 * .pi
    let radius = (1 - z * z).squareRoot()
    return Vector3(radius * cos(turn), radius * sin(turn), z)
  }
}
