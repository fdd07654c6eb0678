import Geometry
import Glibc

extension HRIRSet {
  /// The largest gap of the measurements: the greatest angle from any point of the sphere to the
  /// nearest direction, degrees. Half the spacing of a dense grid, 90 for a horizontal plane alone.
  ///
  /// Found by climbing from the worst of some thousand even points; exact to 0.01 degrees but for gaps
  /// narrower than those points' 3 degrees.
  public var largestGap: Double {
    let index = DirectionIndex(directions.map(\.unitVector))
    /// The chord to the nearest direction.
    func chord(_ point: Vector3) -> Double { index.nearest(to: point)?.distance ?? 2 }
    let starts = evenSphere(4000).map { (point: $0, chord: chord($0)) }
      .sorted { $0.chord > $1.chord }
    let chords = starts.prefix(12).map { start in
      var (point, greatest, step) = (start.point, start.chord, 0.05)
      while step > 1e-5 {
        let across = point.cross(abs(point.z) < 0.9 ? Vector3(0, 0, 1) : Vector3(1, 0, 0))
          .normalized
        let along = point.cross(across)
        var moved = false
        for turn in 0..<16 {
          let angle = Double(turn) * .pi / 8
          let next = (point + (across * cos(angle) + along * sin(angle)) * step).normalized
          let value = chord(next)
          if value > greatest + 1e-14 { (point, greatest, moved) = (next, value, true) }
        }
        if !moved { step /= 2 }
      }
      return greatest
    }
    return 2 * degrees(radians: asin(min(1, (chords.max() ?? 2) / 2)))
  }
}
