/// Responses in the form that OpenAL Soft mixes: on its grid, each ear as at most 128 taps behind a
/// delay of whole samples.
public struct OpenALDataSet: Equatable, Sendable {
  /// Hz, a whole number.
  public var sampleRate: Int
  /// Distance of the measurement, metres.
  public var distance: Double
  /// The layout.
  public var grid: OpenALGrid
  /// Taps of one response; a multiple of 8 up to 128.
  public var tapCount: Int
  /// Taps, full scale ±1: node, tap, ear (left, right). See `attenuated(by:)` for louder ones.
  public var taps: [Float]
  /// Samples, 0 to 63: node, ear.
  public var delays: [UInt8]

  /// What the loader of OpenAL Soft 1.19.1 takes. More taps than these it accepts and then writes
  /// past its buffers, so nothing larger may ever reach it.
  static let longestResponse = 128
  static let longestDelay = 63
  static let distanceLimits = 50...2500

  /// A distance as a file holds it.
  static func millimetres(_ metres: Double) -> Int {
    let limits = distanceLimits
    return Int(
      max(Double(limits.lowerBound), min(Double(limits.upperBound), metres * 1000)).rounded())
  }

  /// The greatest magnitude of a tap. Files hold magnitudes up to 1.
  public var peak: Float { taps.reduce(0) { max($0, abs($1)) } }

  /// The data set with its taps divided by a factor.
  public func attenuated(by factor: Float) -> OpenALDataSet {
    var result = self
    for index in result.taps.indices { result.taps[index] /= factor }
    return result
  }
}

extension OpenALDataSet {
  static let magic = Array("MinPHR02".utf8)

  /// The bytes of a MinPHR02 file: 24-bit stereo responses of one field.
  ///
  /// Format: `docs/hrtf.txt` of OpenAL Soft 1.19, little-endian.
  public var minPHR02: [UInt8] {
    precondition(taps.count == grid.nodeCount * tapCount * 2)
    precondition(delays.count == grid.nodeCount * 2)
    precondition(OpenALGrid.elevationLimits.contains(grid.azimuthCounts.count))
    precondition(grid.azimuthCounts.allSatisfy(OpenALGrid.azimuthLimits.contains))
    precondition(tapCount % 8 == 0 && (8...Self.longestResponse).contains(tapCount))
    precondition(delays.allSatisfy { $0 <= Self.longestDelay })
    let distance = Self.millimetres(distance)
    var bytes = Self.magic
    bytes += (0..<4).map { UInt8(truncatingIfNeeded: sampleRate >> (8 * $0)) }
    let twentyFourBit: UInt8 = 1
    let stereo: UInt8 = 1
    let fieldCount: UInt8 = 1
    bytes += [twentyFourBit, stereo, UInt8(tapCount), fieldCount]
    bytes += [UInt8(distance & 255), UInt8(distance >> 8), UInt8(grid.azimuthCounts.count)]
    bytes += grid.azimuthCounts.map { UInt8($0) }
    bytes.reserveCapacity(bytes.count + taps.count * 3 + delays.count)
    appendTaps(to: &bytes)
    bytes += delays
    return bytes
  }

  /// Appends all taps as 24-bit numbers, little-endian.
  func appendTaps(to bytes: inout [UInt8]) {
    for tap in taps {
      let scaled = Int32(max(-8_388_608, min(8_388_607, (tap * 8_388_608).rounded())))
      bytes.append(UInt8(truncatingIfNeeded: scaled))
      bytes.append(UInt8(truncatingIfNeeded: scaled >> 8))
      bytes.append(UInt8(truncatingIfNeeded: scaled >> 16))
    }
  }
}
