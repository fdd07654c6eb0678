extension OpenALGrid {
  /// A node's share in what OpenAL plays for a direction.
  struct Share {
    var node: Int
    var weight: Double
  }

  /// The four nodes that OpenAL Soft blends for a direction, bilinearly in elevation and azimuth
  /// (`GetHrtfCoeffs` in its sources; taps and delays alike).
  func shares(at direction: SphericalDirection) -> [Share] {
    let last = azimuthCounts.count - 1
    let level = max(0, min(1, (direction.elevation + 90) / 180)) * Double(last)
    let lower = min(last, Int(level))
    let upper = min(last, lower + 1)
    let rise = level - Double(lower)
    return shares(ring: lower, azimuth: direction.azimuth, weight: 1 - rise)
      + shares(ring: upper, azimuth: direction.azimuth, weight: rise)
  }

  private func shares(ring: Int, azimuth: Double, weight: Double) -> [Share] {
    let count = azimuthCounts[ring]
    let first = azimuthCounts[..<ring].reduce(0, +)
    let position = (azimuth == 0 ? 0 : 360 - azimuth) / 360 * Double(count)
    let index = Int(position)
    let turn = position - Double(index)
    return [
      Share(node: first + index % count, weight: weight * (1 - turn)),
      Share(node: first + (index + 1) % count, weight: weight * turn),
    ]
  }
}
