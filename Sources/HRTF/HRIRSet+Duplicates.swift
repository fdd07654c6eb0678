extension HRIRSet {
  /// Leaves out every response of a place (to about 0.005 degrees and a millimetre) that has one
  /// already: azimuth 0 again as 360, poles once an azimuth. The first is kept, since a mean of two
  /// measurements has the timbre of neither.
  ///
  /// - Returns: how many were left out.
  mutating func removeDuplicates() -> Int {
    var places: Set<[Int]> = []
    let kept = directions.indices.filter { index in
      let direction = directions[index]
      let unit = direction.unitVector * 1e4
      return places.insert(
        [unit.x, unit.y, unit.z, direction.distance * 1e3].map { Int($0.rounded()) }
      ).inserted
    }
    let duplicateCount = directions.count - kept.count
    guard duplicateCount > 0 else { return 0 }
    samples = kept.flatMap { samples[$0 * 2 * length..<($0 + 1) * 2 * length] }
    delays = kept.flatMap { delays[$0 * 2..<$0 * 2 + 2] }
    directions = kept.map { directions[$0] }
    return duplicateCount
  }
}
