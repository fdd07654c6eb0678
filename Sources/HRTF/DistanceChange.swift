import Geometry
import Glibc

/// What changes in a head's responses when a source comes nearer or goes farther than it was measured.
///
/// Each ear gets the response of the direction in which it sees the source (the parallax of the ears;
/// D. Romblom and B. Cook, "Near-field compensation for HRTF processing", AES 125th Convention, 2008)
/// times the ratio of a spherical head's pressures at the two distances (the distance variation function
/// of A. Kan, C. Jin and A. van Schaik, J. Acoust. Soc. Am. 125 (2009)), and the difference of the ways
/// around that head. The level at the head's centre stays: a source does not grow louder by coming
/// near, only unequal at the ears.
struct DistanceChange: Sendable {
  private let head: SphericalHead
  private let model: MinimumPhaseModel
  private let interpolation: SphericalInterpolation
  /// Metres: of the source, and of the measurement.
  private let distance, measured: Double
  private let near, far: PressureTable

  /// What one ear gets: the magnitude in nepers a bin, and the onset in samples.
  struct Response {
    var logMagnitude: [Float]
    var onset: Double
  }

  /// Prepares for sources at a distance.
  ///
  /// - Parameters:
  ///   - distance: Metres; at least 1.1 radii of the head.
  ///   - measured: The model's distance, metres.
  init(
    _ model: MinimumPhaseModel, measuredAt measured: Double, to distance: Double,
    head: SphericalHead = SphericalHead()
  ) {
    self.head = head
    self.model = model
    self.measured = max(measured, 1.1 * head.radius)
    self.distance = max(distance, 1.1 * head.radius)
    interpolation = SphericalInterpolation(model.directions)
    near = PressureTable(head, distance: self.distance, sampleRate: model.sampleRate)
    far = PressureTable(head, distance: self.measured, sampleRate: model.sampleRate)
  }

  /// What an ear (0 left, 1 right) gets from a source in a direction, seen from the head's centre.
  func response(_ direction: Vector3, ear: Int) -> Response {
    let seen = head.seen(direction * distance, fromEar: ear, atRadius: measured)
    let weights = interpolation.weights(at: seen)
    let (incidence, measuredIncidence) = (
      head.incidence(direction, ear: ear), head.incidence(seen, ear: ear)
    )
    let (nearer, farther) = (near.row(incidence), far.row(measuredIncidence))
    var magnitude = model.mean(weights, ear: ear)
    let step = model.sampleRate / Double(model.transformSize)
    for bin in magnitude.indices {
      let place = near.place(frequency: Double(bin) * step)
      magnitude[bin] += Float(nearer.value(at: place) - farther.value(at: place))
    }
    let detour =
      head.detour(distance: distance, incidence: incidence)
      - head.detour(distance: measured, incidence: measuredIncidence)
    return Response(
      logMagnitude: magnitude,
      onset: model.onset(weights, ear: ear)
        + detour / SphericalHead.speedOfSound * model.sampleRate)
  }
}

/// Pressures on a spherical head of a source at one distance, by incidence and frequency.
private struct PressureTable: Sendable {
  /// Points a third of an octave, and degrees from one incidence to the next.
  private static let pointsPerThird = 3.0
  private static let step = 1.5
  private static let lowest = 50.0

  private let rows: [[Double]]

  /// The values of one incidence.
  struct Row {
    var below, above: [Double]
    var share: Double

    func value(at place: Double) -> Double {
      let index = min(Int(place), below.count - 2)
      let part = place - Double(index)
      func mixed(_ values: [Double]) -> Double {
        (1 - part) * values[index] + part * values[index + 1]
      }
      return (1 - share) * mixed(below) + share * mixed(above)
    }
  }

  init(_ head: SphericalHead, distance: Double, sampleRate: Double) {
    let count = Int(3 * Self.pointsPerThird * log2(sampleRate / 2 / Self.lowest)) + 2
    let frequencies = (0..<count).map {
      Self.lowest * exp2(Double($0) / (3 * Self.pointsPerThird))
    }
    rows = parallelMap(Int(180 / Self.step) + 1, worker: { 0 }) { _, index in
      let incidence = radians(degrees: Double(index) * Self.step)
      let exact = frequencies.map {
        head.logPressure(frequency: $0, distance: distance, incidence: incidence)
      }
      // A third of an octave wide: a sphere's sharp interference behind it is no real head's.
      return exact.indices.map { point in
        let around = exact[max(0, point - 1)...min(count - 1, point + 1)]
        return log(around.reduce(0) { $0 + exp(2 * $1) } / Double(around.count)) / 2
      }
    }
  }

  func row(_ incidence: Double) -> Row {
    let place = degrees(radians: incidence) / Self.step
    let index = min(Int(place), rows.count - 2)
    return Row(below: rows[index], above: rows[index + 1], share: place - Double(index))
  }

  /// Where a frequency lies in a row.
  func place(frequency: Double) -> Double {
    max(
      0,
      min(
        Double(rows[0].count - 1), 3 * Self.pointsPerThird * log2(max(1, frequency) / Self.lowest)))
  }
}
