extension HRIRSet {
  /// Distances nearer to each other than this ratio are one: measured places scatter by centimetres.
  private static let sameDistance = 1.1

  /// The set's middle distance, metres.
  public var distance: Double {
    let distances = directions.map(\.distance).sorted()
    return distances.isEmpty ? 1 : distances[distances.count / 2]
  }

  /// The set's distances, one set each, the nearest first: its directions are parted wherever none lies
  /// within a tenth of the next.
  public var shells: [HRIRSet] {
    let order = directions.indices.sorted { directions[$0].distance < directions[$1].distance }
    var parts: [[Int]] = []
    var last = 0.0
    for index in order {
      let distance = directions[index].distance
      if parts.isEmpty || distance > last * Self.sameDistance { parts.append([]) }
      parts[parts.count - 1].append(index)
      last = distance
    }
    return parts.count < 2 ? [self] : parts.map { subset($0.sorted()) }
  }

  /// The set of some of its directions, in the order given.
  func subset(_ kept: [Int]) -> HRIRSet {
    var set = self
    set.samples = []
    set.samples.reserveCapacity(kept.count * 2 * length)
    for index in kept { set.samples += samples[index * 2 * length..<(index + 1) * 2 * length] }
    set.delays = kept.flatMap { delays[$0 * 2..<$0 * 2 + 2] }
    set.directions = kept.map { directions[$0] }
    return set
  }
}
