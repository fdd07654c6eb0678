import Geometry
import Glibc

/// How two measured sets differ, direction by direction.
///
/// Each direction of the first is compared with the nearest of the second, if that is within 2°. Levels
/// count from 200 Hz to 16 kHz or 0.45 of the lower rate, and are read at the same frequencies in both.
public struct HRTFComparison: Sendable {
  /// A direction, and what the second set has there against the first.
  public struct Row: Sendable {
    /// The first set's direction.
    public var direction: SphericalDirection
    /// The angle to the second set's, degrees.
    public var angle: Double
    /// Log-spectral distortion of the left and the right ear, one gain common to all directions taken
    /// out, dB.
    public var spectralDistortion: [Double]
    /// Interaural time differences, left minus right, of both sets, µs.
    public var times: [Double]
    /// Interaural level differences, left minus right, of both sets, dB.
    public var levels: [Double]

    /// Second minus first interaural time difference, µs.
    public var timeDifference: Double { times[1] - times[0] }
    /// Second minus first interaural level difference, dB.
    public var levelDifference: Double { levels[1] - levels[0] }
    /// Whether the direction is within 75° of the median plane, where interaural times are clear.
    public var isTimeClear: Bool { abs(direction.unitVector.y) <= 0.9659 }
    /// Where it lies.
    public var region: Region { Region(direction) }
  }

  /// The part of the sphere whose middle is nearest.
  public enum Region: String, CaseIterable, Sendable {
    case front, back, left, right, above, below

    init(_ direction: SphericalDirection) {
      let unit = direction.unitVector
      let greatest = max(abs(unit.x), abs(unit.y), abs(unit.z))
      if abs(unit.z) == greatest {
        self = unit.z > 0 ? .above : .below
      } else if abs(unit.y) == greatest {
        self = unit.y > 0 ? .left : .right
      } else {
        self = unit.x > 0 ? .front : .back
      }
    }
  }

  /// By how much the second set is louder on the whole, dB.
  public let gain: Double
  /// The common directions, in the first set's order.
  public let rows: [Row]
  /// By how much the second set is louder in octave bands, the gain taken out: middle frequency, Hz, and
  /// mean over directions and ears, dB.
  public let octaves: [(frequency: Double, level: Double)]

  /// Directions up to this angle apart are the same.
  private static let tolerance = 2.0
  /// Hz between the frequencies at which levels are read.
  private static let spacing = 25.0

  /// Middles of octave bands, Hz.
  private static let middles = [250.0, 500, 1000, 2000, 4000, 8000, 16_000]
  /// Directions between two calls of `progress`.
  private static let step = 500

  /// Compares a set with another; nil if they have no direction in common.
  ///
  /// - Parameter progress: Called with the fraction that is done.
  public init?(
    _ first: HRIRSet, with second: HRIRSet, progress: (Double) -> Void = { _ in }
  ) {
    let pairs = Self.pairs(first, second)
    guard !pairs.isEmpty else { return nil }
    let highest = min(16_000, 0.45 * min(first.sampleRate, second.sampleRate))
    let frequencies = Array(stride(from: 200, through: highest, by: Self.spacing))
    let bands = Self.middles.map { middle in
      frequencies.indices.filter {
        (middle / 2.0.squareRoot()..<middle * 2.0.squareRoot()).contains(frequencies[$0])
      }
    }
    var found: [Difference] = []
    while found.count < pairs.count {
      let start = found.count
      found += parallelMap(
        min(Self.step, pairs.count - start),
        worker: {
          [first, second].map {
            BinauralCueReader($0, frequencies: frequencies, spacing: Self.spacing)
          }
        }
      ) { readers, index in
        let pair = pairs[start + index]
        return Difference(
          readers[0].cues(pair.first), readers[1].cues(pair.second), bands: bands)
      }
      progress(Double(found.count) / Double(pairs.count))
    }
    let gain = Self.mean(found.flatMap(\.level))
    self.gain = gain
    rows = zip(pairs, found).map { pair, difference in
      Row(
        direction: first.directions[pair.first], angle: pair.angle,
        spectralDistortion: zip(difference.level, difference.square).map { level, square in
          max(0, square - 2 * gain * level + gain * gain).squareRoot()
        },
        times: difference.times, levels: difference.levelDifferences)
    }
    octaves = Self.middles.indices.filter { !bands[$0].isEmpty }.map { band in
      (Self.middles[band], Self.mean(found.map { $0.octaves[band] }) - gain)
    }
  }

  private static func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(max(1, values.count))
  }

  private static func pairs(
    _ first: HRIRSet, _ second: HRIRSet
  ) -> [(first: Int, second: Int, angle: Double)] {
    let index = DirectionIndex(second.directions.map(\.unitVector))
    let reach = 2 * sin(radians(degrees: tolerance / 2))
    return first.directions.indices.compactMap { number in
      let direction = first.directions[number]
      let near = index.within(reach, of: direction.unitVector)
      guard let nearest = near.first else { return nil }
      // Of one direction at several distances the nearest.
      let same = near.prefix { $0.distance < nearest.distance + 1e-4 }
      func farness(_ other: Int) -> Double {
        abs(second.directions[other].distance - direction.distance)
      }
      guard let best = same.min(by: { farness($0.index) < farness($1.index) }) else { return nil }
      return (number, best.index, degrees(radians: 2 * asin(best.distance / 2)))
    }
  }

  /// Second against first.
  private struct Difference: Sendable {
    /// Mean over frequency of the level difference, dB, and of its square: of each ear.
    var level, square: [Double]
    /// Mean of both ears in each band, 0 in one without frequencies, dB.
    var octaves: [Double]
    var times: [Double]
    var levelDifferences: [Double]

    init(_ first: BinauralCues, _ second: BinauralCues, bands: [[Int]]) {
      let levels = zip(first.levels, second.levels).map { zip($0, $1).map { $1 - $0 } }
      level = levels.map(HRTFComparison.mean)
      square = levels.map { HRTFComparison.mean($0.map { $0 * $0 }) }
      octaves = bands.map { band in
        HRTFComparison.mean(levels.flatMap { ear in band.map { ear[$0] } })
      }
      times = [first.time, second.time]
      levelDifferences = [first.levelDifference, second.levelDifference]
    }
  }
}

extension HRTFComparison {
  /// The rows of a region, or all.
  public func rows(of region: Region?) -> [Row] {
    region.map { region in rows.filter { $0.region == region } } ?? rows
  }
}

extension Sequence<HRTFComparison.Row> {
  /// Log-spectral distortion of all ears, dB.
  public var spectralDistortion: ErrorSummary { ErrorSummary(flatMap(\.spectralDistortion)) }
  /// Magnitudes of the differences in interaural time, where they are clear, µs.
  public var timeDifference: ErrorSummary {
    ErrorSummary(filter(\.isTimeClear).map { abs($0.timeDifference) })
  }
  /// Magnitudes of the differences in interaural level, dB.
  public var levelDifference: ErrorSummary { ErrorSummary(map { abs($0.levelDifference) }) }
}
