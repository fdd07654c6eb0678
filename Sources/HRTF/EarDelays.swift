import Geometry
import Glibc

/// How late each ear's response is, and which part of that OpenAL's whole-sample delays take; the rest goes
/// into the taps. All in samples: place, ear.
///
/// Of the onsets only the time between the ears is kept: the nearer ear has no delay anywhere. So its
/// response is never blended from two delays, and an outlier of the measurement moves nothing but
/// itself. Where directions are measured too densely for whole delays, all delay goes into the taps,
/// half of it to either ear, since neighbours' taps then differ least.
struct EarDelays: Sendable {
  /// Onsets at the grid's nodes and at the measured directions.
  let nodes, measured: [[Double]]
  /// The nodes' delays that OpenAL is given.
  let whole: [[Double]]

  /// Samples by which a node may be later than a delay that it shares: more, and its neighbours' taps
  /// would be so far apart that their blend is a comb filter.
  private static let sharedLateness = -0.5...1.5

  /// From what moment onsets count. Data sets that are crossfaded must agree on it.
  enum Reference: Equatable, Sendable {
    /// From the nearer ear's.
    case nearerEar
    /// From half of this time, samples, before the middle between the ears'.
    case centre(longest: Double)

    /// What suits measured directions with these onsets and shares.
    init(measured: [[Double]], shares: [[OpenALGrid.Share]]) {
      self = .nearerEar
      if isCrowded(shares) {
        self = .centre(longest: measured.map { abs($0[0] - $0[1]) }.max() ?? 0)
      }
    }

    fileprivate func onsets(_ onsets: [Double]) -> [Double] {
      let late = onsets[0] - onsets[1]
      return switch self {
      case .nearerEar: [max(0, late), max(0, -late)]
      case .centre(let longest): [(longest + late) / 2, (longest - late) / 2]
      }
    }
  }

  /// Parts onsets, left and right, of nodes and of measured directions with their shares in the nodes.
  init(
    nodes: [[Double]], measured: [[Double]], shares: [[OpenALGrid.Share]], from reference: Reference
  ) {
    self.nodes = nodes.map(reference.onsets)
    self.measured = measured.map(reference.onsets)
    whole =
      reference == .nearerEar
      ? Self.wholeDelays(self.nodes, self.measured, shares: shares)
      : nodes.map { _ in [0, 0] }
  }

  /// The delay that OpenAL gives an ear at a direction of these shares: it rounds the blend.
  func blended(_ shares: [OpenALGrid.Share], ear: Int) -> Double {
    shares.reduce(0) { $0 + $1.weight * whole[$1.node][ear] }.rounded(.toNearestOrEven)
  }

  /// The delay in whole samples of each node and ear.
  ///
  /// OpenAL rounds the blend of four delays. The nodes around a measured direction share its delay, so
  /// that there is nothing to round there, unless their own is too far off; the steps from one delay
  /// to the next lie in between.
  private static func wholeDelays(
    _ onsets: [[Double]], _ measured: [[Double]], shares: [[OpenALGrid.Share]]
  ) -> [[Double]] {
    func whole(_ onset: Double) -> Double {
      min(onset, Double(OpenALDataSet.longestDelay)).rounded(.down)
    }
    var delays = onsets.map { $0.map(whole) }
    var greatest = [Double](repeating: 0, count: onsets.count)
    for (direction, shares) in shares.enumerated() {
      for share in shares where share.weight > greatest[share.node] {
        greatest[share.node] = share.weight
        for ear in 0...1 {
          let shared = whole(measured[direction][ear])
          if sharedLateness.contains(onsets[share.node][ear] - shared) {
            delays[share.node][ear] = shared
          }
        }
      }
    }
    return delays
  }
}

/// Whether more directions are measured than there are nodes around them, as in a plane of 1° steps: the
/// nodes' taps cannot make good then what OpenAL rounds off each direction's delay.
private func isCrowded(_ shares: [[OpenALGrid.Share]]) -> Bool {
  var nodes: Set<Int> = []
  for share in shares.joined() where share.weight > 1e-3 { nodes.insert(share.node) }
  return nodes.count < shares.count
}
