import Files

extension HRIRSet {
  /// One set of several of the same head: the directions and distances of all, shorter responses followed
  /// by silence.
  ///
  /// - Returns: the set, and how many responses were left out because an earlier one is of the same
  ///   place.
  /// - Precondition: There is at least one set, and all are of one rate.
  public static func merging(_ sets: [HRIRSet]) -> (set: HRIRSet, duplicateCount: Int) {
    var merged = sets[0]
    precondition(sets.allSatisfy { $0.sampleRate == merged.sampleRate })
    merged.length = sets.map(\.length).max() ?? 0
    merged.directions = sets.flatMap(\.directions)
    merged.delays = sets.flatMap(\.delays)
    merged.samples = []
    merged.samples.reserveCapacity(merged.directions.count * 2 * merged.length)
    for set in sets {
      let silence = [Float](repeating: 0, count: merged.length - set.length)
      for direction in set.directions.indices {
        for ear in 0...1 { merged.samples += set.response(direction, ear: ear) + silence }
      }
    }
    let duplicateCount = merged.removeDuplicates()
    return (merged, duplicateCount)
  }
}
