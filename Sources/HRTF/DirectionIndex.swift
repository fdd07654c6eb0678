package import Geometry

/// Finds which of some directions lie near a point of the sphere, by their heights.
package struct DirectionIndex: Sendable {
  /// A direction and its chord to the point, in radii.
  package typealias Neighbour = (index: Int, distance: Double)

  /// The directions, unit vectors, in their own order.
  let directions: [Vector3]
  /// Their places in `directions`, from the lowest up, and their heights.
  private let order: [Int]
  private let heights: [Double]

  /// An index of unit vectors.
  package init(_ directions: [Vector3]) {
    self.directions = directions
    order = directions.indices.sorted { directions[$0].z < directions[$1].z }
    heights = order.map { directions[$0].z }
  }

  /// The chord that holds about `count` of as many directions if they lie evenly, twice over.
  func reach(of count: Int) -> Double {
    4 * (Double(count) / Double(max(1, directions.count))).squareRoot()
  }

  /// The directions within a chord of a point, nearest first.
  func within(_ reach: Double, of point: Vector3) -> [Neighbour] {
    var near: [Neighbour] = []
    forEach(within: reach, of: point) { near.append($0) }
    return near.sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }
  }

  /// The direction nearest to a point of those farther than `least`, the first of equals; nil if there
  /// is none.
  package func nearest(to point: Vector3, beyond least: Double = -1) -> Neighbour? {
    var reach = reach(of: 1)
    while true {
      var best: Neighbour?
      forEach(within: reach, of: point) { found in
        guard found.distance > least else { return }
        guard let known = best, (known.distance, known.index) <= (found.distance, found.index)
        else { return best = found }
      }
      if best != nil || reach > 2 { return best }
      reach *= 2
    }
  }

  private func forEach(within reach: Double, of point: Vector3, _ body: (Neighbour) -> Void) {
    var low = 0
    var high = heights.count
    while low < high {
      let middle = (low + high) / 2
      if heights[middle] < point.z - reach { low = middle + 1 } else { high = middle }
    }
    while low < heights.count, heights[low] <= point.z + reach {
      let distance = (directions[order[low]] - point).length
      if distance <= reach { body((order[low], distance)) }
      low += 1
    }
  }
}
