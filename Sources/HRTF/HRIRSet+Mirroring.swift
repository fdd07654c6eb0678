import Geometry

extension HRIRSet {
  /// Whether left and right are exchanged: the ear that is farther from the source leads.
  ///
  /// Told from the measured interaural time differences of directions at least 20 degrees off the median
  /// plane, each weighing as much as it is lateral; never from what the file says of its receivers.
  /// Nil if there are no such directions, or if they do not agree.
  public var isMirrored: Bool? {
    let lateral = directions.indices.filter { abs(directions[$0].unitVector.y) > 0.34 }
    let picked = stride(from: 0, to: lateral.count, by: max(1, lateral.count / 64)).map {
      lateral[$0]
    }
    let comparison = BinauralComparison(sampleRate: sampleRate, length: length)
    var (sum, total) = (0.0, 0.0)
    for direction in picked {
      // Negative where the left ear leads, as it should to a source on the left, y > 0.
      let late = comparison.timeDifference(of: self, direction: direction)
      sum += late * directions[direction].unitVector.y
      total += abs(late * directions[direction].unitVector.y)
    }
    guard total > 0, abs(sum) > 0.5 * total else { return nil }
    return sum > 0
  }

  /// The set with its azimuths counted the other way round: what a mirrored set should have been if its
  /// azimuths are those of a turning head, or clockwise.
  public func mirrored() -> HRIRSet {
    var set = self
    for index in set.directions.indices {
      set.directions[index] = SphericalDirection(
        azimuth: -directions[index].azimuth, elevation: directions[index].elevation,
        distance: directions[index].distance)
    }
    return set
  }
}
