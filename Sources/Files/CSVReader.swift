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

  /// How much of the file has been read so far, 0 to 1; 0 where its length isn't known.
  public var fractionRead: Double { length > 0 ? min(1, Double(bytesRead) / Double(length)) : 0 }

  private let keepsSpaces: Bool
  private let descriptor: Int32
  private let length: Int
  private var bytesRead = 0
  private let buffer: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0
  private var isAtEndOfFile = false
  private var nextLine = 1
  /// The fields of the current record, in `buffer`; quotes already taken off. Plain memory, for which no
  /// access is checked: a field is asked for in every column of every record.
  private var fields = UnsafeMutableBufferPointer<UnsafeRawBufferPointer>.allocate(capacity: 64)

  private static let longestRecord = 1 << 20

  /// Opens the file and reads its header.
  ///
  /// - Parameter keepsSpaces: Whether spaces around an unquoted field are part of it, as RFC 4180 has it.
  /// - Throws: `FileError` if it cannot be read, is empty, or names a column twice.
  public init(path: String, keepsSpaces: Bool = false) throws(FileError) {
    self.path = path
    self.keepsSpaces = keepsSpaces
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(.unreadable, file: path, errno: errno) }
    var status = stat()
    length = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    buffer = .allocate(byteCount: 2 * Self.longestRecord, alignment: 16)
    try skipByteOrderMark()
    guard let count = try nextFields() else {
      throw FileError(.malformed, file: path, "the file is empty")
    }
    header = (0..<count).map { text($0) }
    for (index, name) in header.enumerated() where header[..<index].contains(name) && name != "" {
      throw FileError(.malformed, file: path, place: "line 1", "column \(name) stands there twice")
    }
  }

  deinit {
    close(descriptor)
    buffer.deallocate()
    fields.deallocate()
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
  public func next() throws(FileError) -> Bool {
    guard let count = try nextFields() else { return false }
    guard count == header.count else {
      throw malformed("\(count) columns where the header has \(header.count)")
    }
    return true
  }

  /// Goes to the next record that is not blank; returns how many fields it has, nil at the end of the file.
  private func nextFields() throws(FileError) -> Int? {
    while true {
      line = nextLine
      guard let record = try nextRecord() else { return nil }
      guard let count = split(record) else {
        throw malformed("text after a closing quote")
      }
      let isBlank = count == 1 && fields[0].isEmpty
      if !isBlank { return count }
    }
  }

  /// Finds the fields of a record, its doubled quotes replaced in place, and returns their number; nil if
  /// anything but a comma follows a closing quote.
  private func split(_ record: UnsafeMutableRawBufferPointer) -> Int? {
    var count = 0
    var last = record.count
    while last > 0, record[last - 1] == newline || record[last - 1] == carriageReturn { last -= 1 }
    var position = 0
    while position <= last {
      var (first, end) = (position, position)
      if position < last, record[position] == quote {
        first += 1
        (end, position) = unquote(record, from: first, to: last)
        guard position == last || record[position] == comma else { return nil }
      } else {
        while end < last, record[end] != comma { end += 1 }
        position = end
        if !keepsSpaces {
          while first < end, isSpace(record[first]) { first += 1 }
          while end > first, isSpace(record[end - 1]) { end -= 1 }
        }
      }
      if count == fields.count { makeRoom() }
      fields[count] = UnsafeRawBufferPointer(rebasing: record[first..<end])
      count += 1
      position += 1
    }
    return count
  }

  private func makeRoom() {
    let larger = UnsafeMutableBufferPointer<UnsafeRawBufferPointer>.allocate(
      capacity: 2 * fields.count)
    _ = larger.update(fromContentsOf: fields)
    fields.deallocate()
    fields = larger
  }

  private func malformed(_ cause: String) -> FileError {
    FileError(.malformed, file: path, place: "line \(line)", cause)
  }

  /// The bytes up to the end of the next record's line; nil at the end of the file.
  private func nextRecord() throws(FileError) -> UnsafeMutableRawBufferPointer? {
    while true {
      let pending = UnsafeMutableRawBufferPointer(rebasing: buffer[start..<end])
      let found = firstRecord(of: UnsafeRawBufferPointer(pending))
      guard (found?.length ?? pending.count) <= Self.longestRecord else {
        throw malformed("longer than a mebibyte; not a CSV file?")
      }
      if let found {
        start += found.length
        nextLine += found.lines
        return UnsafeMutableRawBufferPointer(rebasing: pending[..<found.length])
      }
      if isAtEndOfFile {
        guard pending.isEmpty else { throw malformed("a quoted field never ends") }
        return nil
      }
      try refill()
    }
  }

  private func skipByteOrderMark() throws(FileError) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    while end < mark.count, !isAtEndOfFile { try refill() }
    if buffer[..<end].starts(with: mark) { start = mark.count }
  }

  /// Moves what is left to the front of the buffer and reads on.
  private func refill() throws(FileError) {
    guard let base = buffer.baseAddress else { return }
    memmove(base, base + start, end - start)
    end -= start
    start = 0
    // A byte stays free for the line end that the last line may lack.
    var count: Int
    repeat {
      count = read(descriptor, base + end, buffer.count - 1 - end)
    } while count < 0 && errno == EINTR
    guard count >= 0 else { throw .system(.unreadable, file: path, errno: errno) }
    end += count
    bytesRead += count
    isAtEndOfFile = count == 0
    if isAtEndOfFile, end > 0, buffer[end - 1] != newline {
      buffer[end] = newline
      end += 1
    }
  }
}

private let newline = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")
private let comma = UInt8(ascii: ",")
private let quote = UInt8(ascii: "\"")

private func isSpace(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
}

/// Length of the first record and the number of its lines, or nil if `bytes` stop before its end.
private func firstRecord(of bytes: UnsafeRawBufferPointer) -> (length: Int, lines: Int)? {
  guard let base = bytes.baseAddress, let lineEnd = memchr(base, Int32(newline), bytes.count) else {
    return nil
  }
  let length = UnsafeRawPointer(lineEnd) - base + 1
  if memchr(base, Int32(quote), length) == nil { return (length, 1) }
  var lines = 0
  var isQuoted = false
  // A quote opens a field only as its first byte, and opens it again after one that closed it.
  var mayOpen = true
  for (index, byte) in bytes.enumerated() {
    if byte == quote, isQuoted || mayOpen {
      mayOpen = isQuoted
      isQuoted.toggle()
    } else {
      mayOpen = byte == comma
      if byte == newline {
        lines += 1
        if !isQuoted { return (index + 1, lines) }
      }
    }
  }
  return nil
}

/// Takes the doubled quotes out of the quoted field at `first`; returns the end of what is left and
/// the position after the closing quote.
private func unquote(
  _ record: UnsafeMutableRawBufferPointer, from first: Int, to last: Int
) -> (end: Int, next: Int) {
  var read = first
  var write = first
  while read < last {
    if record[read] == quote {
      guard read + 1 < last, record[read + 1] == quote else { return (write, read + 1) }
      read += 1
    }
    record[write] = record[read]
    read += 1
    write += 1
  }
  return (write, last)
}

extension CSVReader {
  /// The text of a field of the current record.
  public func text(_ column: Int) -> String {
    String(decoding: fields[column], as: UTF8.self)
  }

  /// The bytes of a field of the current record, until the next one is read.
  public func bytes(_ column: Int) -> UnsafeRawBufferPointer { fields[column] }

  /// Whether a field of the current record is empty.
  public func isEmpty(_ column: Int) -> Bool { fields[column].isEmpty }

  /// A field of the current record as a finite number, or nil where it is empty.
  ///
  /// - Throws: `FileError` with line and column if it is neither.
  public func number(_ column: Int) throws(FileError) -> Double? {
    let field = fields[column]
    if field.isEmpty { return nil }
    guard let value = decimalNumber(field) else {
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
    // A log has one a row, nearly always a whole number; read without a string.
    if let whole = wholeNumber(fields[column]), let value = Timestamp(epochNumber: whole) {
      return value
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
}
