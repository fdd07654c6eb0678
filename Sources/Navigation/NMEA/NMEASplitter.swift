/// Finds the sentences of NMEA 0183 among bytes that come piece by piece.
///
/// A sentence starts with `$` or `!`, wherever in a line that stands: what is before it, such as a
/// logger's own time or a tag block, is passed over. It ends with the line. Bytes that no sentence may
/// have break it.
struct NMEASplitter {
  /// What has come with a byte.
  enum Item: Equatable {
    case sentence(NMEASentence)
    /// A sound sentence that is not understood.
    case other
    case fault(LocationFault)
  }

  /// The standard allows 82 bytes; receivers that print more digits go beyond it.
  static let longest = 128

  /// The line of the last byte, counted from 1.
  private(set) var line = 1
  private var sentence: [UInt8] = []
  private var isInSentence = false
  private var isNoise = false
  private var isNewLine = false

  init() { sentence.reserveCapacity(Self.longest) }

  /// Takes a byte; what it has completed.
  mutating func take(_ byte: UInt8) -> Item? {
    if isNewLine { line += 1 }
    isNewLine = byte == UInt8(ascii: "\n")
    switch byte {
    case UInt8(ascii: "$"), UInt8(ascii: "!"):
      let item: Item? = isInSentence ? .fault(.malformed) : nil
      sentence.removeAll(keepingCapacity: true)
      sentence.append(byte)
      (isInSentence, isNoise) = (true, false)
      return item
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return endOfLine()
    case 32...126 where isInSentence && sentence.count < Self.longest: sentence.append(byte)
    case _ where isInSentence:
      isInSentence = false
      return .fault(32...126 ~= byte ? .tooLong : .malformed)
    case 33...: isNoise = true
    default: break
    }
    return nil
  }

  /// Ends the line, as the end of a file does.
  mutating func endOfLine() -> Item? {
    defer { (isInSentence, isNoise) = (false, false) }
    guard isInSentence else { return isNoise ? .fault(.noise) : nil }
    while sentence.last == 32 { sentence.removeLast() }
    do throws(LocationFault) {
      return try NMEASentence.read(sentence).map { .sentence($0) } ?? .other
    } catch {
      return .fault(error)
    }
  }
}
