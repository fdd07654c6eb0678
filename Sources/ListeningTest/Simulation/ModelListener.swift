import Geometry
import Glibc
import HRTF

/// A listener who places sounds by the templates of a set: the Bayesian observer of R. Barumerli, P. Majdak,
/// M. Geronazzo, D. Meijer, F. Avanzini and R. Baumgartner, "A Bayesian model for human directional
/// localization of broadband static sound sources", Acta Acustica 7, 12 (2023), in its variant with spectral
/// gradients.
///
/// Noise is added to the sound's interaural time and level difference and its spectral gradients; the direction
/// whose template is the most probable, sounds being expected near the horizontal plane, is taken; pointing adds
/// its own noise. The parameters are those with which the authors' implementation in the Auditory Modeling
/// Toolbox is demonstrated (`demo_barumerli2023`). Here, levels are those of long-term spectra, for which the
/// half-wave rectification and square root of the paper come to half the decibels, and the level
/// difference is the mean over bands, so that a sound's own spectrum does not change it.
struct ModelListener: Sendable {
  /// Where the templates lie, and the logarithm of how much each is expected.
  private let directions: [Vector3]
  private let expectations: [Double]
  private let templates: [AuditoryCues]
  let noise: ListenerNoise

  /// Templates in the bands that the listener's sounds have too.
  ///
  /// - Parameters:
  ///   - plane: Whether sounds are known to come from the horizontal plane.
  ///   - count: How many templates the sphere has.
  init(
    _ set: HRIRSet, bands: AuditoryBands, noise: ListenerNoise = .init(), plane: Bool,
    count: Int
  ) {
    self.noise = noise
    let indices = Self.oneShell(set)
    let measured = Self.cues(set, indices, bands)
    let places = indices.map { set.directions[$0].unitVector }
    let grid =
      plane
      ? (0..<360).map { SphericalDirection(azimuth: Double($0), elevation: 0).unitVector }
      : evenSphere(count)
    // Where nothing was measured within 15° there is no template.
    let limit = cos(radians(degrees: 15))
    let covered = grid.filter { point in places.contains { $0.dot(point) > limit } }
    directions = covered.isEmpty ? places : covered
    let interpolation = SphericalInterpolation(places)
    templates =
      covered.isEmpty
      ? measured
      : parallelMap(covered.count, worker: { 0 }) { _, index in
        Self.mean(measured, interpolation.weights(at: covered[index]))
      }
    expectations = directions.map { direction in
      guard !plane else { return 0 }
      let elevation = degrees(radians: asin(max(-1, min(1, direction.z))))
      return -0.5 * (elevation / noise.elevationPrior) * (elevation / noise.elevationPrior)
    }
  }

  /// The directions of one distance: the most frequent, of equals the farthest.
  private static func oneShell(_ set: HRIRSet) -> [Int] {
    let byDistance = Dictionary(
      grouping: set.directions.indices,
      by: { Int((set.directions[$0].distance * 100).rounded()) })
    let best = byDistance.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }
    return best?.value ?? []
  }

  private static func cues(
    _ set: HRIRSet, _ indices: [Int], _ bands: AuditoryBands
  ) -> [AuditoryCues] {
    let size = max(
      EarSpectra.size(sampleRate: set.sampleRate), RealFFT.size(atLeast: set.length))
    return parallelMap(indices.count, worker: { RealFFT(size: size) }) { fft, place in
      let index = indices[place]
      let spectra = EarSpectra(
        (Array(set.response(index, ear: 0)), Array(set.response(index, ear: 1))),
        sampleRate: set.sampleRate, fft: fft)
      let offset = Double(set.delay(index, ear: 0) - set.delay(index, ear: 1)) / set.sampleRate
      return AuditoryCues(spectra, bands: bands, offset: offset)
    }
  }

  private static func mean(
    _ cues: [AuditoryCues], _ weights: [SphericalInterpolation.Weight]
  ) -> AuditoryCues {
    var result = AuditoryCues(
      time: 0, left: cues[0].left.map { _ in 0 }, right: cues[0].right.map { _ in 0 })
    for weight in weights {
      let other = cues[weight.index]
      result.time += weight.value * other.time
      for band in result.left.indices {
        result.left[band] += weight.value * other.left[band]
        result.right[band] += weight.value * other.right[band]
      }
    }
    return result
  }

  /// The templates as numbers, for sounds that are heard in these bands.
  func features(_ audible: [Bool]) -> TemplateFeatures {
    let rows = templates.map { $0.features(audible, noise) }
    return TemplateFeatures(width: rows.first?.count ?? 0, values: rows.flatMap { $0 })
  }

  /// Where the listener points.
  func response(
    to cues: AuditoryCues, _ features: TemplateFeatures,
    _ generator: inout SplitMix64
  ) -> Vector3 {
    let heard = self.heard(cues, &generator)
    let scores = logPosterior(heard, features)
    let best = scores.indices.max { scores[$0] < scores[$1] } ?? 0
    return scattered(directions[best], &generator)
  }

  /// The direction that is expected of a sound, its lateral angle and elevation each the mean of what is
  /// probable, degrees: what two intervals are compared by. No pointing adds noise.
  func impression(
    of cues: AuditoryCues, _ features: TemplateFeatures,
    _ generator: inout SplitMix64
  ) -> (lateral: Double, elevation: Double) {
    let heard = self.heard(cues, &generator)
    let scores = logPosterior(heard, features)
    let highest = scores.max() ?? 0
    var (sum, lateral, elevation) = (0.0, 0.0, 0.0)
    for (score, direction) in zip(scores, directions) {
      let weight = exp(score - highest)
      sum += weight
      lateral += weight * asin(max(-1, min(1, direction.y)))
      elevation += weight * asin(max(-1, min(1, direction.z)))
    }
    return (degrees(radians: lateral / sum), degrees(radians: elevation / sum))
  }

  private func heard(
    _ cues: AuditoryCues, _ generator: inout SplitMix64
  ) -> [Double] {
    cues.features(cues.audible, noise).map { $0 + generator.normal() }
  }

  private func logPosterior(_ heard: [Double], _ features: TemplateFeatures) -> [Double] {
    features.values.withUnsafeBufferPointer { values in
      heard.withUnsafeBufferPointer { heard in
        expectations.indices.map { template in
          let first = template * features.width
          var sum = 0.0
          for index in 0..<features.width {
            let difference = values[first + index] - heard[index]
            sum += difference * difference
          }
          return expectations[template] - 0.5 * sum
        }
      }
    }
  }

  /// A direction with the noise of pointing: of a normal distribution in the tangent plane, which for such
  /// widths is that of von Mises and Fisher with a concentration of 1/σ².
  private func scattered(
    _ direction: Vector3, _ generator: inout SplitMix64
  ) -> Vector3 {
    let helper: Vector3 = abs(direction.x) < 0.9 ? [1, 0, 0] : [0, 1, 0]
    let first = helper.cross(direction).normalized
    let second = direction.cross(first)
    let sigma = radians(degrees: noise.pointing)
    let offset = first * (sigma * generator.normal()) + second * (sigma * generator.normal())
    let angle = offset.length
    guard angle > 0 else { return direction }
    return direction * cos(angle) + offset * (sin(angle) / angle)
  }
}

/// Templates as numbers, one after the other.
struct TemplateFeatures: Sendable {
  /// Numbers of a template.
  var width: Int
  var values: [Double]
}
