internal import COgg
import Files
import Glibc

/// Takes chance out of an Ogg file.
///
/// libsndfile draws the serial number of each stream from the clock (RFC 3533, section 6, asks only
/// that it differ among the streams of one file); with one stream any number will do, and the same
/// number gives the same bytes.
enum OggSerialNumber {
  private static let number: [UInt8] = Array("AURN".utf8)

  /// Sets the number, and with it the checksum, of every page of a file.
  static func fix(path: String, shownAs shown: String) throws(FileError) {
    var bytes = try InputFile.bytes(path: path, limit: 1 << 34)
    let length = bytes.count
    let isWhole = bytes.withUnsafeMutableBufferPointer { buffer -> Bool in
      guard let base = buffer.baseAddress else { return false }
      var position = 0
      while position + 27 <= length {
        // Page header: capture pattern, …, serial number at 14, checksum at 22, segment table at 26.
        guard buffer[position..<position + 4].elementsEqual("OggS".utf8) else { return false }
        let segments = Int(buffer[position + 26])
        guard position + 27 + segments <= length else { return false }
        let body = buffer[position + 27..<position + 27 + segments].reduce(0) { $0 + Int($1) }
        guard position + 27 + segments + body <= length else { return false }
        for offset in 0..<4 { buffer[position + 14 + offset] = number[offset] }
        var page = ogg_page(
          header: base + position, header_len: 27 + segments, body: base + position + 27 + segments,
          body_len: body)
        ogg_page_checksum_set(&page)
        position += 27 + segments + body
      }
      return position == length
    }
    guard isWhole else {
      throw FileError(.unwritable, file: shown, "the Ogg stream was not written whole")
    }
    try OutputFile.write(bytes, to: path)
  }
}
