public import Geometry
import Glibc

/// Magnetometer readings gathered for a calibration, in constant time a reading and bounded memory.
///
/// Readings are pooled in cubes of 4 µT, of which each keeps the sum and count. A phone that lies still
/// for an hour so weighs no more than one that passes, and a log of any length leaves a few thousand
/// cubes at most. Cubes are doubled in size when a strange log has filled too many.
public struct FieldSamples: Sendable {
  /// The mean of the readings in one cube, µT, and how much it counts.
  public struct Sample: Equatable, Sendable {
    /// µT, in the device's axes.
    public var field: Vector3
    /// Up to `heaviest` readings count one each.
    public var weight: Double

    /// A sample.
    public init(_ field: Vector3, weight: Double = 1) {
      self.field = field
      self.weight = weight
    }
  }

  /// How many readings were taken in.
  public private(set) var count = 0
  private var size = 4.0
  private var places: [SIMD3<Int32>: Int] = [:]
  private var cubes: [(sum: Vector3, count: Double)] = []

  private static let heaviest = 8.0
  private static let capacity = 8192
  /// µT; no magnetometer of a phone measures more.
  private static let largest = 1e6

  /// No readings.
  public init() {}

  /// Takes a reading, µT; one that is not finite or beyond any magnetometer's range is left out.
  public mutating func add(_ field: Vector3) {
    guard max(abs(field.x), abs(field.y), abs(field.z)) < Self.largest else { return }
    count += 1
    put(field, count: 1)
    if cubes.count > Self.capacity { coarsen() }
  }

  private mutating func put(_ sum: Vector3, count: Double) {
    let cube = SIMD3<Int32>((sum / (count * size)).rounded(.down))
    if let index = places[cube] {
      cubes[index].sum += sum
      cubes[index].count += count
    } else {
      places[cube] = cubes.count
      cubes.append((sum, count))
    }
  }

  private mutating func coarsen() {
    let old = cubes
    size *= 2
    places.removeAll(keepingCapacity: true)
    cubes.removeAll(keepingCapacity: true)
    for cube in old { put(cube.sum, count: cube.count) }
  }

  /// The cubes' means in the order in which they were first met.
  public var samples: [Sample] {
    cubes.map { Sample($0.sum / $0.count, weight: min($0.count, Self.heaviest)) }
  }
}
