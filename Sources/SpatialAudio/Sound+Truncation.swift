internal import CSndFile
import Files

extension Sound {
  /// Finds files that have lost their end, which libsndfile reads without a word as shorter ones.
  ///
  /// - Throws: `FileError` for a file that is not whole.
  static func checkIsWhole(
    _ file: OpaquePointer, _ info: SF_INFO, path: String
  ) throws(FileError) {
    if Int(info.format) & SF_FORMAT_TYPEMASK == SF_FORMAT_OGG {
      guard !endsStream(try InputFile.bytes(path: path, limit: 1 << 34)) else { return }
      throw FileError(.malformed, file: path, "truncated: it lacks the last page of its stream")
    }
    guard let length = lengthInLog(file) else { return }
    // A program that writes to a pipe promises the most there can be, not knowing better.
    guard length.promised > length.present, length.promised < 0x7FFF_0000 else { return }
    throw FileError(
      .malformed, file: path,
      "truncated: its header promises \(length.promised) bytes of sound, \(length.present) are there"
    )
  }

  /// The bytes of sound that the header of a WAV or AIFF file promises and those that are there, if
  /// they differ. libsndfile says so in its log alone: `data : 88200 (should be 44078)`.
  private static func lengthInLog(_ file: OpaquePointer) -> (promised: Int, present: Int)? {
    var log = [CChar](repeating: 0, count: 1 << 14)
    sf_command(file, Int32(SFC_GET_LOG_INFO), &log, Int32(log.count))
    let text = String(decoding: log.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    for line in text.split(separator: "\n") {
      let words = line.split(whereSeparator: " ()".contains)
      guard words.count == 6, ["data", "SSND"].contains(words[0]), words[4] == "be",
        let promised = Int(words[2]), let present = Int(words[5])
      else { continue }
      return (promised, present)
    }
    return nil
  }

  /// Whether the last page of an Ogg file is whole and marked as the last of its stream (RFC 3533,
  /// section 6).
  private static func endsStream(_ bytes: [UInt8]) -> Bool {
    let capture = Array("OggS".utf8)
    guard
      let page = bytes.indices.dropLast(26).last(where: {
        bytes[$0] == capture[0] && bytes[$0...].starts(with: capture)
      })
    else { return false }
    let table = page + 27..<page + 27 + Int(bytes[page + 26])
    guard table.upperBound <= bytes.count, bytes[page + 5] & 4 != 0 else { return false }
    return table.upperBound + bytes[table].reduce(0) { $0 + Int($1) } <= bytes.count
  }
}
