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
    var gain = 1.0
    if shell > 0 { gain *= share(after: shell - 1, at: distance) }
    if shell + 1 < distances.count { gain *= 1 - share(after: shell, at: distance) }
    return gain
  }

  /// How far a distance is from a shell to the next, 0 to 1.
  private func share(after shell: Int, at distance: Double) -> Double {
    let (near, far) = (distances[shell], distances[shell + 1])
    return max(0, min(1, log(max(distance, 1e-9) / near) / log(far / near)))
  }
}
