import Files
import Glibc

/// Reads records from JSON Lines: an object on each line, whose keys are the columns of
/// `airpods_motion` in any order. Other keys are passed over.
final class MotionJSONReader: MotionRecordReader {
  let path: String
  var place: String { "line \(reader.line)" }
  var fractionRead: Double { reader.fractionRead }

  private let reader: LineReader
  private let selection: MotionSelection
  private static let columns = Dictionary(
    uniqueKeysWithValues: MotionColumn.all.enumerated().map { ($1.name, $0) })
  /// The keys of the last line, in order: the next line most likely has the same.
  private var keys: [(bytes: [UInt8], column: Int?)] = []

  init(path: String, selection: MotionSelection) throws(FileError) {
    self.path = path
    self.selection = selection
    reader = try LineReader(path: path)
  }

  func next(_ record: inout MotionRecord) throws(FileError) -> Bool {
    while let line = try reader.next() {
      var line = line
      let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
      if reader.line == 1, line.starts(with: mark) { line = .init(rebasing: line.dropFirst(3)) }
      if line.allSatisfy({ " \t".utf8.contains($0) }) { continue }
      try read(line, &record)
      if selection.contains(record) { return true }
    }
    return false
  }

  func mayHaveNanoseconds() -> Bool { true }
  func trackingEvents() -> [TrackingEvent] { [] }

  private func malformed(_ cause: String, key: String? = nil) -> FileError {
    FileError(
      .malformed, file: path, place: place + (key.map { ", key \($0)" } ?? ""), cause)
  }

  private func read(
    _ line: UnsafeRawBufferPointer, _ record: inout MotionRecord
  ) throws(FileError) {
    record = MotionRecord()
    var absent = MotionFields.all
    var seen: UInt64 = 0
    var scanner = JSONScanner(line)
    guard scanner.take("{") else { throw malformed("is no JSON object") }
    var index = 0
    if !scanner.take("}") {
      repeat {
        guard let key = scanner.rawString(), scanner.take(":") else {
          throw malformed("is no JSON object, or is cut short")
        }
        let column = column(of: key, at: index)
        index += 1
        guard let column else {
          guard scanner.skipValue() else { throw malformed("is no JSON object") }
          continue
        }
        let name = MotionColumn.all[column].name
        guard seen & 1 << column == 0 else { throw malformed("stands there twice", key: name) }
        seen |= 1 << column
        guard let value = scanner.value() else {
          throw malformed("is no number, text or null", key: name)
        }
        switch MotionColumn.all[column] {
        case .field(let field):
          absent.remove(field)
          record[field] = try number(value, name)
        case .attribute(let attribute): try set(attribute, value, name, &record)
        }
      } while scanner.take(",")
      guard scanner.take("}") else { throw malformed("is no JSON object, or is cut short") }
    }
    guard scanner.isAtEnd() else { throw malformed("text after the object") }
    guard seen & 1 << (MotionField.count + MotionAttribute.timestamp.rawValue) != 0 else {
      throw malformed("there is no key timestamp")
    }
    guard !absent.contains(.yaw) || absent.isDisjoint(from: .quaternion) else {
      throw malformed("there is neither a quaternion nor a yaw")
    }
    record.complete(lacking: absent)
  }

  /// The column that a key names, nil if it names none.
  private func column(of key: UnsafeRawBufferPointer, at index: Int) -> Int? {
    if index < keys.count, keys[index].bytes.count == key.count,
      keys[index].bytes.withUnsafeBytes({ old in
        guard let first = old.baseAddress, let second = key.baseAddress else { return true }
        return memcmp(first, second, key.count) == 0
      })
    {
      return keys[index].column
    }
    let column = unescaped(key).flatMap { Self.columns[$0] }
    // A line has at most as many keys as fit into a mebibyte; a few are worth remembering.
    if index < 64 {
      if index == keys.count {
        keys.append((Array(key), column))
      } else if index < keys.count {
        keys[index] = (Array(key), column)
      }
    }
    return column
  }

  private func set(
    _ attribute: MotionAttribute, _ value: JSONScanner.Value, _ name: String,
    _ record: inout MotionRecord
  ) throws(FileError) {
    switch attribute {
    case .timestamp:
      guard let whole = try whole(value, name) else { throw malformed("is null", key: name) }
      record.timestamp = whole
    case .nanoseconds:
      let whole = try whole(value, name) ?? 0
      guard 0..<1_000_000 ~= whole else { throw malformed("is not 0 to 999999", key: name) }
      record.nanoseconds = whole
    case .headphonePlacement:
      let whole = try whole(value, name)
      guard 0...2 ~= whole ?? 0 else { throw malformed("is not 0, 1 or 2", key: name) }
      record.headphonePlacement = whole
    case .label: record.label = try text(value, name)
    case .deviceId: record.deviceId = try text(value, name)
    case .os: record.os = try text(value, name)
    case .timezone: record.timezone = try whole(value, name)
    case .jsonVersion: record.jsonVersion = try whole(value, name)
    }
  }

  private func number(_ value: JSONScanner.Value, _ name: String) throws(FileError) -> Double? {
    switch value {
    case .null: return nil
    case .number(let bytes):
      if let number = decimalNumber(bytes) { return number }
    case .text: break
    }
    throw malformed("is not a finite number", key: name)
  }

  private func whole(_ value: JSONScanner.Value, _ name: String) throws(FileError) -> Int64? {
    switch value {
    case .null: return nil
    case .number(let bytes):
      if let whole = wholeNumber(bytes) { return whole }
      if let whole = decimalNumber(bytes).flatMap(Int64.init(exactly:)) { return whole }
    case .text: break
    }
    throw malformed("is not a whole number", key: name)
  }

  private func text(_ value: JSONScanner.Value, _ name: String) throws(FileError) -> String {
    switch value {
    case .null: return ""
    case .text(let text): return text
    case .number: throw malformed("is not a text", key: name)
    }
  }
}
