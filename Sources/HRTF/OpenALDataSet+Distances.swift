import Geometry
import Glibc

extension OpenALDataSet {
  /// How a set of several distances is laid out for OpenAL.
  public enum Layout: Sendable {
    /// A data set a distance, each played by a device of its own and crossfaded: at most a factor of 2
    /// from one to the next. All that OpenAL Soft 1.19.1 can do.
    case single
    /// One data set of up to 16 fields in which OpenAL takes the one that a source is in: as dense as
    /// that allows, since nothing is crossfaded.
    case fields

    fileprivate var steps: [Double] {
      switch self {
      case .single: [2]
      case .fields: [1.15, 1.2, 1.25, 1.3, 1.4, 1.5, 1.7, 2, 2.5, 3, 1000]
      }
    }
  }

  /// The most fields, and the most nodes of all of them, of one data set.
  static let mostFields = 16
  static let mostNodes = 65_535
  /// The nearest distance that is made up, metres: a hand's breadth from the ear.
  private static let nearest = 0.15

  /// A distance to be played: measured (of the shell `inner`), made from `inner` and the shell after it, or
  /// made of the first shell for a nearer place.
  struct Distance: Equatable {
    var metres: Double
    var inner: Int
    /// The share of the shell after `inner`, 0 to 1.
    var outerShare = 0.0
    var isMeasured: Bool
  }

  /// The distances to be played, the nearest first.
  ///
  /// - Parameters:
  ///   - measured: Metres, ascending.
  ///   - nearField: Whether there shall be nearer ones than measured.
  ///   - most: How many there may be if they are to be fields of one data set.
  static func distances(
    measured: [Double], nearField: Bool, layout: Layout, most: Int = mostFields
  ) -> [Distance] {
    var plan: [Distance] = []
    for step in layout.steps {
      plan = distances(
        measured: measured, nearField: nearField, step: step, layout: layout)
      if plan.count <= most { break }
    }
    return plan
  }

  private static func distances(
    measured: [Double], nearField: Bool, step: Double, layout: Layout
  ) -> [Distance] {
    var plan: [Distance] = []
    if nearField, let first = measured.first, first > nearest * 1.05 {
      // Made-up shells at most a factor of the root of 2 apart: the ears grow unequal fast.
      let count = Int(
        (log(first / nearest) / log(min(step, layout == .single ? 2.0.squareRoot() : 2))).rounded(
          .up))
      plan += (0..<count).map { index in
        Distance(
          metres: nearest * pow(first / nearest, Double(index) / Double(count)), inner: 0,
          isMeasured: false)
      }
    }
    for (index, metres) in measured.enumerated() {
      plan.append(Distance(metres: metres, inner: index, isMeasured: true))
      guard index + 1 < measured.count else { break }
      let ratio = measured[index + 1] / metres
      let count = max(1, Int((log(ratio) / log(step) - 1e-9).rounded(.up)))
      plan += (1..<count).map { part in
        let share = Double(part) / Double(count)
        return Distance(
          metres: metres * pow(ratio, share), inner: index, outerShare: share, isMeasured: false)
      }
    }
    return plan
  }

  /// Converts measured responses of one or several distances: a data set for each distance to be played,
  /// the nearest first.
  ///
  /// Measured distances are converted as they are, see `init(converting:sampleRate:)`. Distances in
  /// between are made of the responses on both sides, weighed by the logarithm of the distance, and
  /// nearer ones, if asked for, of the nearest measured, each as `DistanceChange` says.
  ///
  /// - Parameters:
  ///   - sampleRate: Hz; nil for the set's own.
  ///   - fitting: Whether distances nearer than measured are made up, and for a head of which size; what
  ///     else it says has been done to the set.
  public static func converting(
    _ set: HRIRSet, sampleRate rate: Int? = nil, fitting: HRTFFitting, layout: Layout
  ) -> [OpenALDataSet] {
    let nearField = fitting.isNearField
    let head = fitting.headCircumference.map { SphericalHead(radius: $0 / 100 / (2 * .pi)) }
    let rate = rate ?? Int(set.sampleRate.rounded())
    let shells = set.shells.map { MeasuredShell($0, sampleRate: rate) }
    let plan = distances(
      measured: shells.map(\.distance), nearField: nearField, layout: layout,
      most: min(mostFields, mostNodes / (shells.map(\.grid.nodeCount).max() ?? 1)))
    let reference = commonReference(shells.map(\.reference), nearField: nearField)
    return plan.map { distance in
      let inner = shells[distance.inner]
      guard !distance.isMeasured else {
        return OpenALDataSet(converting: inner, sampleRate: rate, from: reference)
      }
      var parts = [(inner, 1 - distance.outerShare)]
      if distance.outerShare > 0 {
        parts.append((shells[distance.inner + 1], distance.outerShare))
      }
      let changes = parts.map { shell, share in
        (
          change: DistanceChange(
            shell.model, measuredAt: shell.distance, to: distance.metres,
            head: head ?? SphericalHead()),
          share: share
        )
      }
      return OpenALDataSet(
        changed: changes, distance: distance.metres, transformSize: inner.model.transformSize,
        sampleRate: rate, grid: inner.grid, from: reference)
    }
  }

  /// One reference of time for distances that are crossfaded.
  private static func commonReference(
    _ references: [EarDelays.Reference], nearField: Bool
  ) -> EarDelays.Reference {
    let longest = references.compactMap { reference in
      if case .centre(let longest) = reference { longest } else { nil }
    }.max()
    // Near the head the time between the ears grows by up to a third.
    return longest.map { .centre(longest: nearField ? 1.35 * $0 : $0) } ?? .nearerEar
  }
}
