import Geometry
import Glibc

/// The last 200 differences between a reference direction and the head's yaw, and the offset that
/// they agree on.
///
/// While someone walks, their head looks on average where they go. A window whose differences keep
/// together gives the offset; one whose spread is too large slides on.
struct CalibrationWindow: Sendable {
  /// What a window says about the offset between yaw and heading, degrees.
  struct Estimate: Equatable, Sendable {
    /// Circular mean of the differences, [0, 360).
    var offset: Double
    /// Their circular standard deviation.
    var accuracy: Double
  }

  /// Number of differences that an estimate rests on: 8 s at 25 Hz.
  static let size = 200
  /// The circular standard deviation, degrees, that a window must stay below.
  static let gate = 10.0

  /// Sine and cosine of each difference; a ring once it is full.
  private var differences = InlineArray<200, SIMD2<Double>>(repeating: .zero)
  private var count = 0
  private var oldest = 0

  /// Forgets all differences.
  mutating func clear() {
    count = 0
    oldest = 0
  }

  /// Takes a reference direction and the yaw at the same time, both degrees clockwise.
  ///
  /// Returns an estimate and forgets all differences as soon as there is one before the last 200, and
  /// these keep together.
  mutating func add(reference: Double, yaw: Double) -> Estimate? {
    let angle = radians(degrees: signedDegrees(reference - yaw))
    let difference = SIMD2(sin(angle), cos(angle))
    if count < Self.size {
      differences[count] = difference
      count += 1
      return nil
    }
    differences[oldest] = difference
    oldest = (oldest + 1) % Self.size
    let moments = self.moments
    guard let accuracy = moments.standardDeviationDegrees, accuracy < Self.gate,
      let offset = moments.meanDegrees
    else { return nil }
    clear()
    return Estimate(offset: offset, accuracy: accuracy)
  }

  /// The sums over a full window, from the oldest to the newest.
  private var moments: CircularMoments {
    // Read through a span: the array's own subscript copies it all.
    let span = differences.span
    var sum = SIMD2<Double>.zero
    for index in oldest..<Self.size { sum += span[index] }
    for index in 0..<oldest { sum += span[index] }
    return CircularMoments(sineSum: sum.x, cosineSum: sum.y, count: Self.size)
  }
}
