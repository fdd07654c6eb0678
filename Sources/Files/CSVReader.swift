import Glibc

/// Reads comma-separated values (RFC 4180) a record at a time, its columns found by name.
///
/// A file of any length is read through one buffer. A byte-order mark, CRLF line ends, quoted fields
/// and blank lines are understood; a record of another width than the header, or longer than a
/// mebibyte, is an error.
public final class CSVReader {
  /// The file, as the user named it.
  public let path: String
  /// The names in the first record.
  public private(set) var header: [String] = []
  /// The line on which the current record starts, counted from 1.
  public private(set) var line = 0

  private let descriptor: Int32
  private let buffer: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0
  private var isAtEndOfFile = false
  private var nextLine = 1
  /// Begin and end of each field in `buffer`; quotes already taken off.
  private var fields: [Range<Int>] = []

  private static let longestRecord = 1 << 20

  /// Opens the file and reads its header.
  ///
  /// - Throws: `FileError` if it cannot be read, is empty, or names a column twice.
  public init(path: String) throws(FileError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(.unreadable, file: path, errno: errno) }
    buffer = .allocate(byteCount: 2 * Self.longestRecord, alignment: 16)
    guard try next(isHeader: true) else {
      throw FileError(.malformed, file: path, "the file is empty")
    }
    header = fields.indices.map { text($0) }
    for (index, name) in header.enumerated() where header[..<index].contains(name) && name != "" {
      throw FileError(.malformed, file: path, place: "line 1", "column \(name) stands there twice")
    }
  }

  deinit {
    close(descriptor)
    buffer.deallocate()
  }

  /// The position of the column of that name, or nil.
  public func column(_ name: String) -> Int? { header.firstIndex(of: name) }

  /// The position of the column of that name.
  ///
  /// - Throws: `FileError` naming the column if there is none.
  public func requiredColumn(_ name: String) throws(FileError) -> Int {
    guard let index = column(name) else {
      throw FileError(.malformed, file: path, place: "line 1", "there is no column \(name)")
    }
    return index
  }

  /// The position of the first of these columns that there is.
  ///
  /// - Throws: `FileError` naming all of them if there is none.
  public func requiredColumn(of names: [String]) throws(FileError) -> Int {
    for name in names {
      if let index = column(name) { return index }
    }
    return try requiredColumn(names.joined(separator: " or "))
  }

  /// Goes to the next record; false at the end of the file.
  public func next() throws(FileError) -> Bool { try next(isHeader: false) }

  private func next(isHeader: Bool) throws(FileError) -> Bool {
    while true {
      line = nextLine
      guard let length = try recordLength() else { return false }
      try split(start..<(start + length))
      start += length
      let isBlank = fields.count == 1 && fields[0].isEmpty
      if isBlank { continue }
      guard isHeader || fields.count == header.count else {
        throw FileError(
          .malformed, file: path, place: "line \(line)",
          "\(fields.count) columns where the header has \(header.count)")
      }
      return true
    }
  }

  /// Length of the record at `start`, its line end included; nil at the end of the file.
  private func recordLength() throws(FileError) -> Int? {
    var position = start
    var quoted = false
    while true {
      while position < end {
        let byte = buffer[position]
        position += 1
        if byte == UInt8(ascii: "\"") {
          quoted.toggle()
        } else if byte == UInt8(ascii: "\n") {
          nextLine += 1
          if !quoted { return position - start }
        }
      }
      if isAtEndOfFile {
        guard !quoted else {
          throw FileError(
            .malformed, file: path, place: "line \(line)", "a quoted field never ends")
        }
        return position > start ? position - start : nil
      }
      guard end - start < Self.longestRecord else {
        throw FileError(
          .malformed, file: path, place: "line \(line)", "longer than a mebibyte; not a CSV file?")
      }
      position -= start
      try refill()
    }
  }

  /// Moves what is left to the front of the buffer and reads on.
  private func refill() throws(FileError) {
    if start > 0, let base = buffer.baseAddress {
      memmove(base, base + start, end - start)
      end -= start
      start = 0
    }
    let count = read(descriptor, buffer.baseAddress.map { $0 + end }, buffer.count - end)
    guard count >= 0 else { throw .system(.unreadable, file: path, errno: errno) }
    isAtEndOfFile = count == 0
    let isFirst = line == 1 && end == 0
    end += count
    if isFirst, end >= 3, buffer[0] == 0xEF, buffer[1] == 0xBB, buffer[2] == 0xBF {
      buffer[0...2].copyBytes(from: [32, 32, 32])
    }
  }

  private func split(_ record: Range<Int>) throws(FileError) {
    fields.removeAll(keepingCapacity: true)
    var last = record.upperBound
    while last > record.lowerBound, buffer[last - 1] == 10 || buffer[last - 1] == 13 { last -= 1 }
    var position = record.lowerBound
    while position <= last {
      if position < last, buffer[position] == UInt8(ascii: "\"") {
        let field = unquote(from: position + 1, to: last)
        guard field.next == last || buffer[field.next] == UInt8(ascii: ",") else {
          throw FileError(
            .malformed, file: path, place: "line \(line)", "text after a closing quote")
        }
        fields.append(field.content)
        position = field.next + 1
      } else {
        var stop = position
        while stop < last, buffer[stop] != UInt8(ascii: ",") { stop += 1 }
        fields.append(trimmed(position..<stop))
        position = stop + 1
      }
    }
  }

  /// Takes the doubled quotes out of a quoted field in place.
  private func unquote(from first: Int, to last: Int) -> (content: Range<Int>, next: Int) {
    var read = first
    var write = first
    while read < last {
      if buffer[read] == UInt8(ascii: "\"") {
        guard read + 1 < last, buffer[read + 1] == UInt8(ascii: "\"") else {
          return (first..<write, read + 1)
        }
        read += 1
      }
      buffer[write] = buffer[read]
      read += 1
      write += 1
    }
    return (first..<write, last)
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (first, last) = (range.lowerBound, range.upperBound)
    while first < last, buffer[first] == 32 || buffer[first] == 9 { first += 1 }
    while last > first, buffer[last - 1] == 32 || buffer[last - 1] == 9 { last -= 1 }
    return first..<last
  }
}

extension CSVReader {
  /// The text of a field of the current record.
  public func text(_ column: Int) -> String {
    String(decoding: bytes(column), as: UTF8.self)
  }

  /// Whether a field of the current record is empty.
  public func isEmpty(_ column: Int) -> Bool { fields[column].isEmpty }

  /// A field of the current record as a finite number, or nil where it is empty.
  ///
  /// - Throws: `FileError` with line and column if it is neither.
  public func number(_ column: Int) throws(FileError) -> Double? {
    if fields[column].isEmpty { return nil }
    guard let value = decimalNumber(bytes(column)) else {
      throw bad(column, "is not a finite number")
    }
    return value
  }

  /// A field of the current record as a finite number.
  ///
  /// - Throws: `FileError` with line and column if it is none.
  public func requiredNumber(_ column: Int) throws(FileError) -> Double {
    guard let value = try number(column) else { throw bad(column, "is not a finite number") }
    return value
  }

  /// A field of the current record as a moment: a date of ISO 8601 or a number since 1970.
  ///
  /// - Throws: `FileError` with line and column if it is empty or neither.
  public func timestamp(_ column: Int) throws(FileError) -> Timestamp {
    let field = bytes(column)
    if let whole = wholeNumber(field), let value = Timestamp(epochNumber: whole) { return value }
    if let number = decimalNumber(field), abs(number) < 1e14 {
      // Seconds or milliseconds with a fraction.
      let scale = abs(number) < 1e10 ? 1e9 : 1e6
      return Timestamp(nanoseconds: Int64((number * scale).rounded()))
    }
    guard let value = Timestamp(text: text(column)) else { throw bad(column, "is not a time") }
    return value
  }

  /// The fault of a field of the current record, with its line, column and content.
  public func bad(_ column: Int, _ cause: String) -> FileError {
    let content = text(column)
    let shown = content.count > 40 ? content.prefix(40) + "…" : content[...]
    return FileError(
      .malformed, file: path, place: "line \(line), column \(header[column])",
      "\"\(shown)\" \(cause)")
  }

  private func bytes(_ column: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer[fields[column]])
  }
}
