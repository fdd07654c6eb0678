import Geometry
import Glibc

extension HRIRSet {
  /// The largest gap of the measurements: the greatest angle from any point of the sphere to the
  /// nearest direction, degrees. Half the spacing of a dense grid, 90 for a horizontal plane alone.
  ///
  /// Found by climbing from the worst of some thousand even points; exact to 0.01 degrees but for gaps
  /// narrower than those points' 3 degrees.
  public var largestGap: Double {
    let units = directions.map(\.unitVector)
    /// The cosine of the angle to the nearest direction.
    func nearness(_ point: Vector3) -> Double {
      var best = -1.0
      for unit in units { best = max(best, point.dot(unit)) }
      return best
    }
    let starts = evenSphere(4000).map { (point: $0, nearness: nearness($0)) }
      .sorted { $0.nearness < $1.nearness }
    let gaps = starts.prefix(12).map { start in
      var (point, least, step) = (start.point, start.nearness, 0.05)
      while step > 1e-5 {
        let across = point.cross(abs(point.z) < 0.9 ? Vector3(0, 0, 1) : Vector3(1, 0, 0))
          .normalized
        let along = point.cross(across)
        var moved = false
        for turn in 0..<16 {
          let angle = Double(turn) * .pi / 8
          let next = (point + (across * cos(angle) + along * sin(angle)) * step).normalized
          let value = nearness(next)
          if value < least - 1e-14 { (point, least, moved) = (next, value, true) }
        }
        if !moved { step /= 2 }
      }
      return degrees(radians: acos(max(-1, min(1, least))))
    }
    return gaps.max() ?? 180
  }
}
