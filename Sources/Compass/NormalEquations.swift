/// Linear least squares, an equation at a time: the sums AᵀWA, AᵀWb and bᵀWb.
///
/// Forming the sums squares the condition of A, which is harmless here: callers centre and scale their
/// readings, so that a well-covered sphere has a condition of about 10, and what is not well covered is
/// refused by the pivots and variances below. For nine unknowns that is a hundred lines fewer than
/// LAPACK's interface needs, and no library to load at the start.
struct NormalEquations {
  private let count: Int
  private var matrix: [Double]
  private var right: [Double]
  private var square = 0.0
  private var equations = 0.0

  /// No equations yet, of `count` unknowns.
  init(unknowns count: Int) {
    self.count = count
    matrix = Array(repeating: 0, count: count * count)
    right = Array(repeating: 0, count: count)
  }

  /// Takes the equation row · x = value.
  mutating func add(_ row: [Double], equals value: Double, weight: Double) {
    for i in 0..<count {
      let scaled = weight * row[i]
      for j in 0...i { matrix[i * count + j] += scaled * row[j] }
      right[i] += scaled * value
    }
    square += weight * value * value
    equations += weight
  }

  /// The solution with the standard deviation of each unknown; nil where the equations do not determine
  /// it to half the precision of a Double.
  ///
  /// By Cholesky's factors (Golub and Van Loan, *Matrix Computations*, section 4.2).
  func solve() -> (values: [Double], deviations: [Double])? {
    guard let factor else { return nil }
    let values = substitute(right, factor)
    let residual = zip(values, right).reduce(square) { $0 - $1.0 * $1.1 }
    let freedom = max(1, equations - Double(count))
    let deviations = (0..<count).map { index in
      var unit = Array(repeating: 0.0, count: count)
      unit[index] = 1
      return (max(0, residual) / freedom * substitute(unit, factor)[index]).squareRoot()
    }
    return values.allSatisfy(\.isFinite) ? (values, deviations) : nil
  }

  /// The lower triangular L of L Lᵀ = AᵀWA.
  private var factor: [Double]? {
    var lower = matrix
    for i in 0..<count {
      for j in 0...i {
        var sum = lower[i * count + j]
        for k in 0..<j { sum -= lower[i * count + k] * lower[j * count + k] }
        if i == j {
          guard sum > 1e-9 * matrix[i * count + i] else { return nil }
          lower[i * count + i] = sum.squareRoot()
        } else {
          lower[i * count + j] = sum / lower[j * count + j]
        }
      }
    }
    return lower
  }

  private func substitute(_ right: [Double], _ lower: [Double]) -> [Double] {
    var x = right
    for i in 0..<count {
      for k in 0..<i { x[i] -= lower[i * count + k] * x[k] }
      x[i] /= lower[i * count + i]
    }
    for i in (0..<count).reversed() {
      for k in (i + 1)..<max(count, i + 1) { x[i] -= lower[k * count + i] * x[k] }
      x[i] /= lower[i * count + i]
    }
    return x
  }
}
