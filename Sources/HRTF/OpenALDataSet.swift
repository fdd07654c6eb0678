/// Responses in the form that OpenAL Soft mixes: on its grid, each ear as at most 128 taps behind a
/// delay of whole samples.
public struct OpenALDataSet: Equatable, Sendable {
  /// Hz, a whole number.
  public var sampleRate: Int
  /// Distance of the measurement, millimetres.
  public var distance: Int
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
  private static let magic = Array("MinPHR02".utf8)

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
    precondition(Self.distanceLimits.contains(distance))
    var bytes = Self.magic
    bytes += (0..<4).map { UInt8(truncatingIfNeeded: sampleRate >> (8 * $0)) }
    let twentyFourBit: UInt8 = 1
    let stereo: UInt8 = 1
    let fieldCount: UInt8 = 1
    bytes += [twentyFourBit, stereo, UInt8(tapCount), fieldCount]
    bytes += [UInt8(distance & 255), UInt8(distance >> 8), UInt8(grid.azimuthCounts.count)]
    bytes += grid.azimuthCounts.map { UInt8($0) }
    bytes.reserveCapacity(bytes.count + taps.count * 3 + delays.count)
    for tap in taps {
      let scaled = Int32(max(-8_388_608, min(8_388_607, (tap * 8_388_608).rounded())))
      bytes.append(UInt8(truncatingIfNeeded: scaled))
      bytes.append(UInt8(truncatingIfNeeded: scaled >> 8))
      bytes.append(UInt8(truncatingIfNeeded: scaled >> 16))
    }
    bytes += delays
    return bytes
  }
}

extension OpenALDataSet {
  /// What is wrong with the bytes of a data set, or nil if OpenAL Soft can load them without harm.
  ///
  /// OpenAL Soft's own loader does not check the length of 24-bit or stereo sets and has room for
  /// 128 taps only, whatever the file says.
  ///
  /// - Parameters:
  ///   - bytes: The file, or its first 147 bytes or more, whose delays are then not looked at.
  ///   - byteCount: The file's length; nil if `bytes` is all of it.
  public static func fault(inMinPHR02 bytes: [UInt8], byteCount: Int? = nil) -> String? {
    guard bytes.starts(with: magic) else {
      return bytes.starts(with: Array("MinPHR".utf8))
        ? "not of the version MinPHR02, the one that every OpenAL Soft from 1.19 on loads"
        : "not a data set of OpenAL Soft"
    }
    guard bytes.count > 19 else { return "truncated" }
    let (type, channels, tapCount, fields) = (bytes[12], bytes[13], Int(bytes[14]), bytes[15])
    guard type <= 1, channels <= 1 else { return "of an unknown sample or channel type" }
    guard tapCount % 8 == 0, (8...longestResponse).contains(tapCount) else {
      return "\(tapCount) taps; OpenAL Soft has room for 8 to 128"
    }
    guard fields == 1 else { return "\(fields) distances; OpenAL Soft 1.19 takes one" }
    let distance = Int(bytes[16]) | Int(bytes[17]) << 8
    guard distanceLimits.contains(distance) else { return "distance \(distance) mm" }
    let rings = Int(bytes[18])
    guard OpenALGrid.elevationLimits.contains(rings) else { return "\(rings) elevations" }
    guard bytes.count > 19 + rings else { return "truncated" }
    let counts = bytes[19..<19 + rings].map { Int($0) }
    guard counts.allSatisfy(OpenALGrid.azimuthLimits.contains) else {
      return "a ring of more than 128 azimuths or of none"
    }
    let ears = channels == 1 ? 2 : 1
    let nodes = counts.reduce(0, +)
    let expected = 19 + rings + nodes * ears * (tapCount * (type == 1 ? 3 : 2) + 1)
    let length = byteCount ?? bytes.count
    guard length == expected else {
      return length < expected
        ? "truncated: \(length) bytes of \(expected)" : "bytes after its end"
    }
    guard
      bytes.count < expected
        || bytes.suffix(nodes * ears).allSatisfy({ $0 <= longestDelay })
    else {
      return "a delay of more than 63 samples"
    }
    return nil
  }
}
