/// A Latin square balanced for what comes before: over its rows each of `count` conditions stands once in
/// each place, and directly after each other one equally often.
///
/// E. J. Williams, "Experimental designs balanced for the estimation of residual effects of treatments",
/// Aust. J. Sci. Res. A 2 (1949): a row 0, 1, n−1, 2, n−2 …, and the same plus 1, 2 …, modulo n; for an
/// odd n also all rows backwards.
enum LatinSquare {
  /// The rows: as many as conditions, twice as many if they are odd; one row for one condition.
  static func rows(_ count: Int) -> [[Int]] {
    guard count > 1 else { return [[Int](0..<count)] }
    let first = (0..<count).map { place in
      place % 2 == 1 ? (place + 1) / 2 : (count - place / 2) % count
    }
    let rows = (0..<count).map { shift in first.map { ($0 + shift) % count } }
    return count % 2 == 0 ? rows : rows + rows.map { $0.reversed() }
  }
}
