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

  /// Compares a set with another; nil if they have no direction in common.
  public init?(_ first: HRIRSet, with second: HRIRSet) {
    let pairs = Self.pairs(first, second)
    guard !pairs.isEmpty else { return nil }
    let highest = min(16_000, 0.45 * min(first.sampleRate, second.sampleRate))
    let frequencies = Array(stride(from: 200, through: highest, by: Self.spacing))
    let found = parallelMap(
      pairs.count,
      worker: {
        [first, second].map {
          BinauralCueReader($0, frequencies: frequencies, spacing: Self.spacing)
        }
      }
    ) { readers, pair in
      Difference(readers[0].cues(pairs[pair].first), readers[1].cues(pairs[pair].second))
    }
    let count = Double(2 * found.count)
    let levels = frequencies.indices.map { index in
      found.reduce(0) { $0 + $1.levels[0][index] + $1.levels[1][index] } / count
    }
    let gain = levels.reduce(0, +) / Double(levels.count)
    self.gain = gain
    rows = zip(pairs, found).map { pair, difference in
      Row(
        direction: first.directions[pair.first], angle: pair.angle,
        spectralDistortion: difference.levels.map { levels in
          (levels.reduce(0) { $0 + ($1 - gain) * ($1 - gain) } / Double(levels.count)).squareRoot()
        },
        times: difference.times, levels: difference.levelDifferences)
    }
    octaves = [250.0, 500, 1000, 2000, 4000, 8000, 16_000].compactMap { middle in
      let band = frequencies.indices.filter {
        (middle / 2.0.squareRoot()..<middle * 2.0.squareRoot()).contains(frequencies[$0])
      }
      guard !band.isEmpty else { return nil }
      return (middle, band.reduce(0) { $0 + levels[$1] } / Double(band.count) - gain)
    }
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
    /// dB: ear, frequency.
    var levels: [[Double]]
    var times: [Double]
    var levelDifferences: [Double]

    init(_ first: BinauralCues, _ second: BinauralCues) {
      levels = zip(first.levels, second.levels).map { zip($0, $1).map { $1 - $0 } }
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
