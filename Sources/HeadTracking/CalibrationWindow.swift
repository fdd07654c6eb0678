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

  /// Cosine and sine of each difference, in units of 2⁻⁵²; a ring once it is full.
  ///
  /// Whole numbers add up exactly, so that the sum can follow the window for any time without drift.
  private var differences = InlineArray<200, SIMD2<Int64>>(repeating: .zero)
  private var sum = SIMD2<Int64>.zero
  private var count = 0
  private var oldest = 0

  private static let unit = 0x1p-52

  /// Forgets all differences.
  mutating func clear() {
    sum = .zero
    count = 0
    oldest = 0
  }

  /// Takes a reference direction and the yaw at the same time, both degrees clockwise.
  ///
  /// Returns an estimate and forgets all differences as soon as there is one before the last 200, and
  /// these keep together. A direction that isn't finite counts as missing, and clears the window.
  mutating func add(reference: Double, yaw: Double) -> Estimate? {
    let angle = radians(degrees: signedDegrees(reference - yaw))
    guard angle.isFinite else {
      clear()
      return nil
    }
    let difference = SIMD2(Int64(cos(angle) / Self.unit), Int64(sin(angle) / Self.unit))
    sum &+= difference
    if count < Self.size {
      differences[count] = difference
      count += 1
      return nil
    }
    sum &-= differences[oldest]
    differences[oldest] = difference
    oldest = (oldest + 1) % Self.size
    let moments = CircularMoments(
      sineSum: Double(sum.y) * Self.unit, cosineSum: Double(sum.x) * Self.unit, count: Self.size)
    guard let accuracy = moments.standardDeviationDegrees, accuracy < Self.gate,
      let offset = moments.meanDegrees
    else { return nil }
    clear()
    return Estimate(offset: offset, accuracy: accuracy)
  }
}
