import Geometry
import Testing

@testable import HRTF

/// The layout of a data set by `docs/hrtf.txt` of OpenAL Soft: elevations from −90° to 90° in equal
/// steps, in each ring azimuths clockwise from ahead. SOFA counts azimuths the other way.
@Suite struct OpenALGridTests {
  @Test func ringsGoUpwards() {
    let grid = OpenALGrid(azimuthCounts: [1, 4, 8, 4, 1])
    #expect(grid.nodeCount == 18)
    #expect((0..<5).map(grid.elevation) == [-90, -45, 0, 45, 90])
  }

  @Test func nodesGoClockwise() {
    let nodes = OpenALGrid(azimuthCounts: [1, 4, 8, 4, 1]).nodes
    #expect(
      nodes.map(\.elevation) == [-90] + [-45, -45, -45, -45] + [0, 0, 0, 0, 0, 0, 0, 0]
        + [45, 45, 45, 45] + [90])
    // Ahead, right, behind, left.
    #expect(nodes[1...4].map(\.azimuth) == [0, 270, 180, 90])
    #expect(nodes[5...12].map(\.azimuth) == [0, 315, 270, 225, 180, 135, 90, 45])
  }

  /// KEMAR was measured on rings of 10° of elevation with these numbers of evenly spaced azimuths
  /// (Gardner and Martin, table 1): each fits the loader's limits.
  @Test(arguments: [
    (-40, 56), (-30, 60), (-20, 72), (-10, 72), (0, 72), (10, 72), (20, 72), (30, 60), (40, 56),
    (50, 45), (60, 36), (70, 24), (80, 12), (90, 1),
  ])
  func kemarRings(elevation: Int, count: Int) throws {
    let grid = OpenALGrid(fitting: try SOFAFile(path: shippedKEMAR).responses.directions)
    let ring = try #require(
      grid.azimuthCounts.indices.first {
        abs(grid.elevation(ring: $0) - Double(elevation)) < 1e-9
      })
    #expect(grid.azimuthCounts[ring] % count == 0)
  }

  /// Each measured direction lies on a node, so that it is heard as measured.
  @Test func kemarDirectionsAreNodes() throws {
    let set = try SOFAFile(path: shippedKEMAR).responses
    let nodes = OpenALGrid(fitting: set.directions).nodes.map(\.unitVector)
    #expect(set.directions.count == 710)
    let farthest = set.directions.map(\.unitVector).map { direction in
      nodes.reduce(2) { min($0, ($1 - direction).length) }
    }.max()
    // 0.05° as a chord.
    #expect(try #require(farthest) < 0.00088)
  }

  @Test(arguments: [
    // A plane alone, one direction, one pole alone, more azimuths than a ring can have.
    (0..<360).map { SphericalDirection(azimuth: Double($0), elevation: 0) },
    [SphericalDirection(azimuth: 12.3, elevation: 4.56)],
    [SphericalDirection(azimuth: 0, elevation: 90)],
    (0..<1000).map { SphericalDirection(azimuth: Double($0) * 0.36, elevation: 33.3) },
  ])
  func staysWithinTheLoadersLimits(directions: [SphericalDirection]) {
    let grid = OpenALGrid(fitting: directions)
    #expect((5...128).contains(grid.azimuthCounts.count))
    #expect(grid.azimuthCounts.allSatisfy { (1...128).contains($0) })
    #expect(grid.azimuthCounts.first == 1 && grid.azimuthCounts.last == 1)
  }
}
