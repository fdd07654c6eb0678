import Glibc

/// Distances for which there are data sets, and how a source at any distance is shared among them.
///
/// A source between two is crossfaded linearly in the logarithm of its distance. Both play the same
/// sound with nearly the same delays, so that their sum keeps the level. Nearer than the first and
/// beyond the last it is the first's and the last's alone.
struct DistanceShells: Equatable, Sendable {
  /// Metres, ascending.
  let distances: [Double]

  /// The gain, a factor, with which a shell plays a source.
  func gain(_ shell: Int, at distance: Double) -> Double {
    func share(_ lower: Int) -> Double {
      let (near, far) = (distances[lower], distances[lower + 1])
      return max(0, min(1, log(max(distance, 1e-9) / near) / log(far / near)))
    }
    var gain = 1.0
    if shell > 0 { gain *= share(shell - 1) }
    if shell + 1 < distances.count { gain *= 1 - share(shell) }
    return gain
  }
}
