import Geometry
import Glibc

extension HRIRSet {
  /// The radius of the rigid sphere whose interaural times fit the set's best in the least-squares
  /// sense, metres; nil if there are no directions to tell by, or the set's times are not a head's.
  ///
  /// Woodworth's formula (*Experimental Psychology*, 1938) for a source far away at the lateral angle θ
  /// is r/c·(θ + sin θ); sets' own radii are found by least squares as V. R. Algazi, C. Avendano and
  /// R. O. Duda do it, "Estimation of a spherical-head model from anthropometry", J. Audio Eng. Soc. 49
  /// (2001). The formula is that of the wavefront, at high frequencies. Lower down times are longer
  /// (G. F. Kuhn, J. Acoust. Soc. Am. 62 (1977)): of the sphere's own responses (R. O. Duda and
  /// W. L. Martens, J. Acoust. Soc. Am. 104 (1998)) the time that counts here, by correlation below
  /// 1.6 kHz, is 1.217 times the formula's for a radius of 8.75 cm, within 3 % for 7 to 11 cm.
  public var headRadius: Double? { headRadius(times: interauralTimes) }

  private static let lowBandFactor = 1.217
  /// Metres per second.
  private static let speedOfSound = 343.0

  private func headRadius(times: [Double]) -> Double? {
    var (product, square) = (0.0, 0.0)
    for (index, direction) in directions.enumerated() {
      let sine = direction.unitVector.y
      // Beyond 75° the correlation has no single maximum.
      guard abs(sine) <= 0.9659 else { continue }
      let formula = Self.lowBandFactor / Self.speedOfSound * (asin(sine) + sine)
      // The left ear leads, negative, for a source on the left, y > 0.
      product -= times[index] * formula
      square += formula * formula
    }
    // Directions of the median plane alone tell nothing.
    guard square > 1e-9 else { return nil }
    let radius = product / square
    return (0.04...0.2).contains(radius) ? radius : nil
  }

  /// Interaural time differences of all directions, left minus right, seconds.
  private var interauralTimes: [Double] {
    parallelMap(
      directions.count,
      worker: { BinauralComparison(sampleRate: sampleRate, length: length) }
    ) { comparison, direction in
      comparison.timeDifference(of: self, direction: direction) / sampleRate
    }
  }

  /// The set with its interaural times multiplied by a factor: the later ear gets more delay, or the
  /// other if they become shorter.
  func scalingTimes(by factor: Double) -> HRIRSet {
    var set = self
    for (index, time) in interauralTimes.enumerated() {
      let change = Float((factor - 1) * time * sampleRate)
      set.delays[2 * index] += max(0, change)
      set.delays[2 * index + 1] += max(0, -change)
    }
    return set
  }
}
