extension OpenALDataSet {
  /// What is wrong with the bytes of a data set, or nil if OpenAL Soft can load them without harm.
  ///
  /// - Parameters:
  ///   - bytes: The file, or its first 4096 bytes or more, whose delays are then not looked at.
  ///   - byteCount: The file's length; nil if `bytes` is all of it.
  ///   - layout: Whether files of several fields (MinPHR03) are taken.
  static func fault(in bytes: [UInt8], byteCount: Int? = nil, layout: Layout) -> String? {
    layout == .fields && bytes.starts(with: fieldsMagic)
      ? fault(inMinPHR03: bytes, byteCount: byteCount)
      : fault(inMinPHR02: bytes, byteCount: byteCount)
  }

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
