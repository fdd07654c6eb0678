/// Changes the responses of a grid's nodes so that what OpenAL blends from them at the measured
/// directions is what was measured there, although the nodes lie elsewhere.
///
/// First what is missing is interpolated to the nodes as the responses were, which changes whole
/// neighbourhoods and so also serves the directions between. The small rest is met by the nodes next
/// to each direction: with W the shares of the nodes in the measured directions, g the nodes'
/// responses and h the measured ones, g + Wᵀ(WWᵀ + εI)⁻¹(h − Wg) is the least change that does it
/// (Tikhonov's regularisation, for where more is measured than there are nodes). The system is solved
/// by conjugate gradients (Hestenes and Stiefel, J. Res. NBS 49 (1952)), each tap on its own.
struct BlendCorrection {
  private let shares: [[OpenALGrid.Share]]
  private let interpolation: [[SphericalInterpolation.Weight]]
  private let nodeCount: Int
  private let tapCount: Int

  private static let regularization: Float = 3e-2
  private static let steps = 60
  private static let smoothSteps = 3

  /// A correction for measured directions, each with its shares, and for nodes, each with the weights
  /// of the directions that it is interpolated from.
  init(
    shares: [[OpenALGrid.Share]], interpolation: [[SphericalInterpolation.Weight]], tapCount: Int
  ) {
    self.shares = shares
    self.interpolation = interpolation
    self.tapCount = tapCount
    nodeCount = interpolation.count
  }

  /// Corrects `nodes` (node, tap) towards `measured` (direction, tap).
  func apply(to nodes: inout [Float], measured: [Float]) {
    for _ in 0..<Self.smoothSteps {
      interpolate(residual(nodes, measured), onto: &nodes)
    }
    spread(solve(residual(nodes, measured)), onto: &nodes)
  }

  private func residual(_ nodes: [Float], _ measured: [Float]) -> [Float] {
    var residual = blend(nodes)
    for index in residual.indices { residual[index] = measured[index] - residual[index] }
    return residual
  }

  /// Adds to each node the value at the directions, interpolated there.
  private func interpolate(_ values: [Float], onto nodes: inout [Float]) {
    for (node, weights) in interpolation.enumerated() {
      for weight in weights {
        let factor = Float(weight.value)
        for tap in 0..<tapCount {
          nodes[node * tapCount + tap] += factor * values[weight.index * tapCount + tap]
        }
      }
    }
  }

  /// W times the nodes' responses.
  private func blend(_ nodes: [Float]) -> [Float] {
    var result = [Float](repeating: 0, count: shares.count * tapCount)
    for (direction, shares) in shares.enumerated() {
      for share in shares where share.weight != 0 {
        let weight = Float(share.weight)
        for tap in 0..<tapCount {
          result[direction * tapCount + tap] += weight * nodes[share.node * tapCount + tap]
        }
      }
    }
    return result
  }

  /// Adds Wᵀ times values at the directions to the nodes.
  private func spread(_ values: [Float], onto nodes: inout [Float]) {
    for (direction, shares) in shares.enumerated() {
      for share in shares where share.weight != 0 {
        let weight = Float(share.weight)
        for tap in 0..<tapCount {
          nodes[share.node * tapCount + tap] += weight * values[direction * tapCount + tap]
        }
      }
    }
  }

  private func solve(_ right: [Float]) -> [Float] {
    var solution = [Float](repeating: 0, count: right.count)
    var residual = right
    var direction = right
    var power = columnProducts(residual, residual)
    let enough = power.map { $0 * 1e-8 }
    for _ in 0..<Self.steps {
      var nodes = [Float](repeating: 0, count: nodeCount * tapCount)
      spread(direction, onto: &nodes)
      var image = blend(nodes)
      for index in image.indices { image[index] += Self.regularization * direction[index] }
      let curvature = columnProducts(direction, image)
      let step = zip(power, curvature).map { $1 > 0 ? $0 / $1 : 0 }
      eachRow { row, tap in
        solution[row] += step[tap] * direction[row]
        residual[row] -= step[tap] * image[row]
      }
      let next = columnProducts(residual, residual)
      if zip(next, enough).allSatisfy({ $0 <= $1 }) { break }
      let turn = zip(next, power).map { $1 > 0 ? $0 / $1 : 0 }
      eachRow { row, tap in direction[row] = residual[row] + turn[tap] * direction[row] }
      power = next
    }
    return solution
  }

  /// The sums over all directions of two values' products, tap by tap.
  private func columnProducts(_ left: [Float], _ right: [Float]) -> [Float] {
    var sums = [Float](repeating: 0, count: tapCount)
    eachRow { row, tap in sums[tap] += left[row] * right[row] }
    return sums
  }

  private func eachRow(_ body: (_ index: Int, _ tap: Int) -> Void) {
    for direction in shares.indices {
      for tap in 0..<tapCount { body(direction * tapCount + tap, tap) }
    }
  }
}
