public import Geometry
import Glibc

/// How much of the sphere of directions readings have reached, in cells of equal area.
///
/// The cells are those of a cylinder about z: by Archimedes, bands of equal height have equal area.
public struct DirectionCoverage: Equatable, Sendable {
  private var isHit = Array(repeating: false, count: bands * sectors)
  private static let (bands, sectors) = (10, 20)

  /// No directions.
  public init() {}

  /// The coverage of directions of any length.
  public init(_ directions: some Sequence<Vector3>) {
    for direction in directions { add(direction) }
  }

  /// Takes a direction; one that is zero or not finite has none.
  public mutating func add(_ direction: Vector3) {
    let unit = direction.normalized
    guard unit.z.isFinite else { return }
    let band = min(Self.bands - 1, Int((unit.z + 1) / 2 * Double(Self.bands)))
    let turn = atan2(unit.y, unit.x) / (2 * .pi) + 0.5
    isHit[band * Self.sectors + min(Self.sectors - 1, Int(turn * Double(Self.sectors)))] = true
  }

  /// Share of the sphere's cells that were reached, [0, 1].
  public var share: Double { Double(isHit.count { $0 }) / Double(isHit.count) }

  /// The widest gap: the direction that is farthest from all that were reached, and how far that is,
  /// degrees, to within about 9 (half a cell's width). Nil where none was reached.
  public var gap: (direction: Vector3, angle: Double)? {
    let reached = isHit.indices.filter { isHit[$0] }.map(Self.direction)
    guard !reached.isEmpty else { return nil }
    var widest = (direction: reached[0], cosine: 1.0)
    for cell in isHit.indices where !isHit[cell] {
      let direction = Self.direction(cell)
      let nearest = reached.reduce(-1) { max($0, $1.dot(direction)) }
      if nearest < widest.cosine { widest = (direction, nearest) }
    }
    return (widest.direction, degrees(radians: acos(min(1, widest.cosine))))
  }

  /// The middle of a cell.
  private static func direction(_ cell: Int) -> Vector3 {
    let z = (Double(cell / sectors) + 0.5) / Double(bands) * 2 - 1
    let turn = ((Double(cell % sectors) + 0.5) / Double(sectors) - 0.5) * 2 * .pi
    let radius = (1 - z * z).squareRoot()
    return Vector3(radius * cos(turn), radius * sin(turn), z)
  }
}
