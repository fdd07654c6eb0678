/// Mean, 95th percentile and maximum of a kind of error.
public struct ErrorSummary: Equatable, Sendable {
  /// Over all values; 0 where there are none.
  public var mean, percentile95, maximum: Double

  /// Sums values up.
  public init(_ values: [Double]) {
    let sorted = values.sorted()
    mean = values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
    percentile95 = sorted.isEmpty ? 0 : sorted[Int(0.95 * Double(sorted.count - 1) + 0.5)]
    maximum = sorted.last ?? 0
  }
}
