import Glibc

extension OpenALDataSet {
  static let fieldsMagic = Array("MinPHR03".utf8)

  /// The bytes of a MinPHR03 file: data sets of the same head at several distances as one, for OpenAL Soft
  /// from 1.21.1 on.
  ///
  /// OpenAL plays the farthest field whose distance a source has reached, the last one below that;
  /// so a field stands at the geometric mean of its distance and the next nearer one. Format:
  /// `docs/hrtf.txt` of OpenAL Soft 1.21, little-endian. Delays are in quarters of a sample there;
  /// whole ones are written, since the library rounds what it blends of them to whole samples.
  ///
  /// - Parameter sets: The nearest first, of one rate and length of taps; see `areFields`.
  public static func minPHR03(_ sets: [OpenALDataSet]) -> [UInt8] {
    precondition(!sets.isEmpty && areFields(sets))
    let (rate, tapCount) = (sets[0].sampleRate, sets[0].tapCount)
    precondition(sets.allSatisfy { $0.sampleRate == rate && $0.tapCount == tapCount })
    let farthestFirst = Array(sets.reversed())
    var bytes = fieldsMagic
    bytes += (0..<4).map { UInt8(truncatingIfNeeded: rate >> (8 * $0)) }
    let stereo: UInt8 = 1
    bytes += [stereo, UInt8(tapCount), UInt8(sets.count)]
    var farther = distanceLimits.upperBound + 1
    for (index, set) in farthestFirst.enumerated() {
      let nearer = index + 1 < sets.count ? farthestFirst[index + 1].distance : set.distance
      // Each must be nearer than the one before, and the last leave room for none.
      let room = sets.count - 1 - index
      let edge = max(
        distanceLimits.lowerBound + room,
        min(farther - 1, millimetres((set.distance * nearer).squareRoot())))
      farther = edge
      bytes += [UInt8(edge & 255), UInt8(edge >> 8), UInt8(set.grid.azimuthCounts.count)]
      bytes += set.grid.azimuthCounts.map { UInt8($0) }
    }
    for set in farthestFirst { set.appendTaps(to: &bytes) }
    for set in farthestFirst { bytes += set.delays.map { $0 << 2 } }
    return bytes
  }

  /// Whether data sets can be fields of one.
  public static func areFields(_ sets: [OpenALDataSet]) -> Bool {
    sets.count <= mostFields && sets.reduce(0) { $0 + $1.grid.nodeCount } <= mostNodes
  }

  /// What is wrong with the bytes of a MinPHR03 file, or nil; see `fault(inMinPHR02:byteCount:)`.
  static func fault(inMinPHR03 bytes: [UInt8], byteCount: Int? = nil) -> String? {
    guard bytes.count > 15 else { return "truncated" }
    let (channels, tapCount, fields) = (bytes[12], Int(bytes[13]), Int(bytes[14]))
    guard channels <= 1 else { return "of an unknown channel type" }
    guard (8...longestResponse).contains(tapCount) else {
      return "\(tapCount) taps; OpenAL Soft has room for 8 to 128"
    }
    guard (1...mostFields).contains(fields) else {
      return "\(fields) distances; OpenAL Soft takes 1 to 16"
    }
    var (position, nodes, farther) = (15, 0, distanceLimits.upperBound + 1)
    for _ in 0..<fields {
      guard bytes.count > position + 3 else { return "truncated" }
      let distance = Int(bytes[position]) | Int(bytes[position + 1]) << 8
      guard distance < farther, distance >= distanceLimits.lowerBound else {
        return "distance \(distance) mm"
      }
      farther = distance
      let rings = Int(bytes[position + 2])
      guard (5...181).contains(rings) else { return "\(rings) elevations" }
      position += 3
      guard bytes.count >= position + rings else { return "truncated" }
      let counts = bytes[position..<position + rings]
      guard counts.allSatisfy({ $0 >= 1 }) else { return "a ring without azimuths" }
      nodes += counts.reduce(0) { $0 + Int($1) }
      position += rings
    }
    // The library counts nodes in 16 bits.
    guard nodes <= mostNodes else {
      return "\(nodes) directions; OpenAL Soft takes \(mostNodes)"
    }
    let ears = channels == 1 ? 2 : 1
    let expected = position + nodes * ears * (tapCount * 3 + 1)
    let length = byteCount ?? bytes.count
    guard length == expected else {
      return length < expected
        ? "truncated: \(length) bytes of \(expected)" : "bytes after its end"
    }
    let longest = UInt8(longestDelay << 2)
    guard bytes.count < expected || bytes.suffix(nodes * ears).allSatisfy({ $0 <= longest })
    else { return "a delay of more than 63 samples" }
    return nil
  }
}
